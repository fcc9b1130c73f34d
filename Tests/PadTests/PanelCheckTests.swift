import Testing

@testable import Pad

@Suite struct PanelCheckTests {
  private static let second: Int64 = 1_000_000_000

  @Test func `each request causes one check`() {
    var check = PanelCheck()
    let before = check.begin(isDrawing: false, at: 5)
    check.request(at: 5)
    let first = check.begin(isDrawing: false, at: 5)
    let second = check.begin(isDrawing: false, at: 5)
    #expect([before, first, second] == [false, true, false])
  }

  @Test func `a check is delayed between two strokes of a signature`() {
    var check = PanelCheck()
    check.request(at: 0)
    check.sampled(at: 100)
    let drawing = check.begin(isDrawing: true, at: 101)
    let lifted = check.begin(isDrawing: false, at: 102)
    let early = check.begin(isDrawing: false, at: 99 + PanelCheck.quietTime)
    let late = check.begin(isDrawing: false, at: 100 + PanelCheck.quietTime)
    #expect([drawing, lifted, early, late] == [false, false, false, true])
  }

  @Test func `a notice of the kernel causes no probe between two strokes`() {
    var check = PanelCheck()
    check.sampled(at: 100)
    #expect(!check.isAllowed(isDrawing: false, at: 99 + PanelCheck.quietTime))
    #expect(check.isAllowed(isDrawing: false, at: 100 + PanelCheck.quietTime))
  }

  @Test func `a motionless object on the glass does not delay a check forever`() {
    var check = PanelCheck()
    check.request(at: 0)
    check.sampled(at: 100)
    let early = check.begin(isDrawing: true, at: 99 + PanelCheck.quietTime)
    let late = check.begin(isDrawing: true, at: 100 + PanelCheck.quietTime)
    #expect(!early && late)
  }

  @Test func `a hand that never rests delays a check to the first lift after the limit`() {
    var check = PanelCheck()
    check.request(at: 0)
    var made: [Int64] = []
    // Strokes of a second with half a second between them.
    for tick in stride(from: Int64(0), to: 60 * Self.second, by: 100_000_000) {
      let isDrawing = tick % 1_500_000_000 < Self.second
      if isDrawing { check.sampled(at: tick) }
      // A heartbeat in between is no other question.
      if tick % (5 * Self.second) == 0, made.isEmpty { check.request(at: tick) }
      if check.begin(isDrawing: isDrawing, at: tick) { made.append(tick) }
    }
    #expect(made == [31 * Self.second])
  }

  @Test func `the render thread wakes for a delayed check`() {
    var check = PanelCheck()
    #expect(check.deadline(isDrawing: false) == nil)
    check.request(at: 0)
    check.sampled(at: 100)
    #expect(check.deadline(isDrawing: false) == 100 + PanelCheck.quietTime)
    check.sampled(at: PanelCheck.limit)
    #expect(check.deadline(isDrawing: false) == PanelCheck.limit)
    #expect(check.deadline(isDrawing: true) == PanelCheck.limit + PanelCheck.quietTime)
  }

  @Test func `a wrong clock prevents no check`() {
    var check = PanelCheck()
    check.request(at: 0)
    check.sampled(at: .max)
    #expect(check.deadline(isDrawing: true) ?? 0 > PanelCheck.limit)
    let isMade = check.begin(isDrawing: false, at: PanelCheck.limit)
    #expect(isMade)
  }
}
