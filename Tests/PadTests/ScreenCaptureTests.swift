import Testing

@testable import Pad

@Suite struct ScreenCaptureTests {
  private var capture = ScreenCapture()
  private let milliseconds: Int64 = 1_000_000

  @Test mutating func `a screenshot is taken at once if nobody has drawn`() {
    #expect(capture.take(isDrawing: false, at: 0) == nil)
    capture.request(allowsInk: true, at: 5)
    #expect(capture.take(isDrawing: false, at: 5) == true)
    #expect(capture.take(isDrawing: false, at: 6) == nil)
  }

  @Test mutating func `between two strokes there is no screenshot`() {
    capture.request(allowsInk: true, at: 0)
    #expect(capture.take(isDrawing: true, at: 10 * milliseconds) == nil)
    #expect(capture.take(isDrawing: false, at: 20 * milliseconds) == nil)
    #expect(capture.take(isDrawing: true, at: 200 * milliseconds) == nil)
    #expect(capture.take(isDrawing: false, at: 499 * milliseconds) == nil)
    #expect(capture.take(isDrawing: false, at: 500 * milliseconds) == true)
  }

  @Test mutating func `strokes delay a screenshot by a second`() {
    capture.request(allowsInk: false, at: 0)
    #expect(capture.take(isDrawing: true, at: 999 * milliseconds) == nil)
    #expect(capture.deadline == 1000 * milliseconds)
    #expect(capture.take(isDrawing: true, at: 1000 * milliseconds) == false)
    #expect(capture.deadline == nil)
  }

  @Test mutating func `there is at most one screenshot a second`() {
    var taken = 0
    for now in 0..<10_000 {
      capture.request(allowsInk: true, at: Int64(now) * milliseconds)
      if capture.take(isDrawing: false, at: Int64(now) * milliseconds) != nil { taken += 1 }
    }
    #expect(taken == 10)
  }

  @Test mutating func `a dropped screenshot is not taken`() {
    #expect(capture.cancel() == false)
    capture.request(allowsInk: true, at: 0)
    #expect(capture.cancel() == true)
    #expect(capture.take(isDrawing: false, at: 5000 * milliseconds) == nil)
  }
}
