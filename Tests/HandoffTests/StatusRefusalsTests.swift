import Testing

@testable import Handoff

@Suite struct StatusRefusalsTests {
  static let second: Int64 = 1_000_000_000

  /// Whether each of some refusals at a time counts as a rejection.
  func refuse(_ count: Int, _ refusals: inout StatusRefusals, at now: Int64 = 0) -> [Bool] {
    (0..<count).map { _ in refusals.refused(at: now) }
  }

  @Test func `from the third refusal in a row on, pauses grow to an hour`() {
    var refusals = StatusRefusals(seed: 1)
    let first = refuse(2, &refusals)
    #expect(first == [false, false] && refusals.due <= 0)
    var now: Int64 = 100
    for limit in [60, 120, 240, 480, 960, 1920, 3600, 3600] as [Int64] {
      let next = refuse(1, &refusals, at: now)
      #expect(next == [true])
      let pause = refusals.due - now
      #expect(pause >= 30 * Self.second && pause <= limit * Self.second, "\(pause)")
      now = refusals.due
    }
  }

  @Test func `an answer ends the pause, and counts from the beginning`() {
    var refusals = StatusRefusals(seed: 1)
    _ = refuse(3, &refusals)
    #expect(refusals.due > 0)
    refusals.answered()
    #expect(refusals.due <= 0)
    let again = refuse(3, &refusals)
    #expect(again == [false, false, true])
  }
}
