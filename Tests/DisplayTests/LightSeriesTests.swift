import CLinux
import Linux
import Testing

@testable import Display

@Suite struct LightSeriesTests {
  private static let invalid = DisplayError.refused(.testCommit, Errno(EINVAL))
  private static let brokenDriver = DisplayError.refused(.commit, Errno(ETIMEDOUT))

  private var all: LightSeries { LightSeries(LightAttempt.all(.automatic, isAtomic: true)) }

  /// The attempts of one mode set, and whether the last was accepted.
  private func run(
    _ series: inout LightSeries, _ refusal: (LightAttempt) -> DisplayError?
  ) -> (made: [LightAttempt], failure: DisplayError?) {
    var made: [LightAttempt] = []
    do throws(DisplayError) {
      try series.run { attempt throws(DisplayError) in
        made.append(attempt)
        if let error = refusal(attempt) { throw error }
      }
      return (made, nil)
    } catch {
      return (made, error)
    }
  }

  @Test func `the attempt that was accepted is made first with the next mode`() throws {
    var card = FakeCard()
    var series = all
    let refusals = [Refusals.colour, Refusals.darkOthers]
    let first = try card.light(by: &series, refusing: refusals)
    let second = try card.light(by: &series, refusing: refusals)
    #expect(first.count == 4)
    #expect(second == [.atomic(darkensOthers: false, resetsColour: false)])
  }

  @Test func `a driver of broken commits is asked once, and then driven by SETCRTC`() {
    var series = all
    let refusal = { (attempt: LightAttempt) in attempt == .legacy ? nil : Self.brokenDriver }
    let first = run(&series, refusal)
    let second = run(&series, refusal)
    #expect(first.made.count == 2 && first.failure == nil)
    #expect(second.made == [.legacy])
  }

  @Test
  func `where the accepted attempt is refused later all others follow, the most thorough first`() {
    var series = all
    _ = run(&series) {
      $0 == .atomic(darkensOthers: true, resetsColour: false) ? nil : Self.invalid
    }
    let later = run(&series) { _ in Self.invalid }
    #expect(
      later.made == [
        .atomic(darkensOthers: true, resetsColour: false),
        .atomic(darkensOthers: true, resetsColour: true),
        .atomic(darkensOthers: false, resetsColour: true),
        .atomic(darkensOthers: false, resetsColour: false), .legacy,
      ])
  }

  @Test func `where SETCRTC fails later atomic commits are tried again`() {
    var series = all
    _ = run(&series) { $0 == .legacy ? nil : Self.brokenDriver }
    let later = run(&series) { $0 == .legacy ? Self.brokenDriver : nil }
    #expect(later.made == [.legacy, .atomic(darkensOthers: true, resetsColour: true)])
    #expect(series.next == .atomic(darkensOthers: true, resetsColour: true))
  }

  @Test func `a refusal of everything changes nothing of what is tried first`() {
    var series = all
    _ = run(&series) { $0 == .legacy ? nil : Self.invalid }
    _ = run(&series) { _ in Self.invalid }
    #expect(series.next == .legacy)
  }

  @Test(arguments: [
    DisplayError.gone(card: "/dev/dri/card0"), .refused(.commit, Errno(EACCES)),
  ])
  func `a card that is gone or another's is not asked again`(error: DisplayError) {
    var series = all
    let (made, failure) = run(&series) { _ in error }
    #expect(made.count == 1 && failure == error)
  }

  @Test func `the first refusal is the reason, if all attempts are refused`() {
    var series = all
    let (_, failure) = run(&series) {
      $0 == .legacy ? .refused(.setCRTC, Errno(ENOSPC)) : Self.invalid
    }
    #expect(failure == Self.invalid)
  }

  @Test func `where atomic commits are wanted and there are none that is said`() {
    var series = LightSeries([])
    let (made, failure) = run(&series) { _ in nil }
    #expect(made == [] && failure == .refused(.commit, Errno(EOPNOTSUPP)))
  }
}
