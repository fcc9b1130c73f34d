import Testing

@testable import Ink

@Suite struct DuctusPredictionTests {
  static let frame: Int64 = 16_000_000

  @Test func `nothing is predicted unless it is asked for`() {
    #expect(StrokeModel(.ductus).prediction == 0)
  }

  @Test func `predicted ink is never final`() {
    for stroke in Corpus.pen.prefix(20) {
      let plain = DrawnStroke(stroke)
      let ahead = DrawnStroke(stroke, prediction: Self.frame)
      #expect(ahead.segments == plain.segments)
      #expect(ahead.steps.map(\.final) == plain.steps.map(\.final))
    }
  }

  @Test func `a prediction errs by less than half of what standing still does`() {
    var errors: [Float] = []
    var still: [Float] = []
    for stroke in Corpus.pen {
      let steps = DrawnStroke(stroke, prediction: 10_000_000).steps
      for index in stroke.indices.dropLast().dropFirst(3) {
        guard let tip = steps[index].tail.last?.end.position else { continue }
        errors.append((tip - stroke[index + 1].position).length)
        still.append((stroke[index].position - stroke[index + 1].position).length)
      }
    }
    print("prediction of 10 ms", errors.percentile(0.5), errors.percentile(0.95))
    #expect(errors.percentile(0.5) < 0.5 * still.percentile(0.5))
    #expect(errors.percentile(0.95) < 0.5 * still.percentile(0.95))
  }

  @Test func `nothing is predicted around a corner, nor when the hand is slow`() {
    let corner = DuctusTests.line([(0, 0), (2, 0), (4, 0), (6, 0), (6, 2)])
    let slow = DuctusTests.line((0..<6).map { (Float($0) * 0.1, 0) })
    for samples in [corner, slow] {
      let tail = DrawnStroke(samples, prediction: Self.frame).steps[samples.count - 1].tail
      let end = tail.last?.end.position ?? .zero
      #expect((end - samples[samples.count - 1].position).length < 1e-4)
    }
  }

  @Test func `at most one frame is predicted`() {
    let samples = DuctusTests.line((0..<6).map { (Float($0), 0) })
    let tail = DrawnStroke(samples, prediction: 1_000_000_000).steps[5].tail
    let end = tail.last?.end.position ?? .zero
    #expect(end.x > 6 && end.x < 5 + 1.7)
  }
}
