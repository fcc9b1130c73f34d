import CLinux
import Linux
import Testing

@testable import Display

@Suite struct ModesetAttemptsTests {
  private static let invalid = DisplayError.refused(.testCommit, Errno(EINVAL))
  private static let brokenDriver = DisplayError.refused(.commit, Errno(ETIMEDOUT))

  /// The attempts that were made on a card whose driver refuses something, and the card after the last.
  private func enable(
    _ choice: CommitChoice = .automatic, refusing refusals: [Refusal]
  ) throws -> (made: [ModesetAttempt], card: FakeCard) {
    var attempts = ModesetAttempts(ModesetAttempt.all(choice, isAtomic: true))
    var card = FakeCard()
    let made = try card.enable(by: &attempts, refusing: refusals)
    #expect(made.last == attempts.next)
    return (made, card)
  }

  @Test func `without a refusal, everything is set at once, and other outputs are switched off`()
    throws
  {
    let (made, card) = try enable(refusing: [])
    #expect(made == [.atomic(disablesOthers: true, resetsColour: true)])
    #expect(card.outputs[40]?.planes == [30])
    #expect(card.outputs[41]?.isActive == false && card.outputs[41]?.planes == [])
    #expect(card.properties.contains(.gamma))
  }

  @Test func `an IPU of i.MX6 accepts the first state`() throws {
    let (made, _) = try enable(refusing: [Refusals.imx6])
    #expect(made == [.atomic(disablesOthers: true, resetsColour: true)])
  }

  @Test func `an IPU of i.MX6 whose other output must stay on keeps that one's planes`() throws {
    let (made, card) = try enable(refusing: [Refusals.imx6, Refusals.disabledOthers])
    #expect(made.last == .atomic(disablesOthers: false, resetsColour: true))
    #expect(card.outputs[41]?.isActive == true && card.outputs[41]?.planes == [32])
    #expect(card.outputs[40]?.planes == [30])
  }

  @Test func `a VOP of Rockchip gets no plane beyond its layers`() throws {
    #expect(try enable(refusing: [Refusals.rockchip]).made.count == 1)
    let (made, card) = try enable(refusing: [Refusals.rockchip, Refusals.disabledOthers])
    #expect(made.last == .atomic(disablesOthers: false, resetsColour: true))
    #expect(card.outputs[40]?.planes == [30])
  }

  @Test func `if only colour is refused, other outputs are still switched off`() throws {
    let (made, card) = try enable(refusing: [Refusals.colour])
    #expect(made.last == .atomic(disablesOthers: true, resetsColour: false))
    #expect(card.outputs[41]?.isActive == false)
  }

  @Test func `if both are refused, the smallest state is tried`() throws {
    let (made, _) = try enable(refusing: [Refusals.colour, Refusals.disabledOthers])
    #expect(made.last == .atomic(disablesOthers: false, resetsColour: false))
    #expect(made.count == 4)
  }

  @Test func `if each atomic state is refused, SETCRTC is the last attempt`() throws {
    let (made, _) = try enable(refusing: [Refusals.all])
    #expect(made.count == 5 && made.last == .legacy)
  }

  @Test func `only what the configuration allows is tried`() throws {
    #expect(throws: Self.invalid) { try enable(.atomic, refusing: [Refusals.all]) }
    #expect(try enable(.legacy, refusing: []).made == [.legacy])
    #expect(ModesetAttempt.all(.automatic, isAtomic: false) == [.legacy])
    #expect(ModesetAttempt.all(.atomic, isAtomic: false) == [])
  }

  @Test func `the properties of an object are adjacent`() {
    for disablesOthers in [true, false] {
      let state = AtomicState(
        showing: 7, mode: 9, pipeline: FakeCard.pipeline, plane: 30, survey: FakeCard.survey,
        disablesOthers: disablesOthers, resetsColour: true)
      var seen: [UInt32] = []
      for entry in state.values where seen.last != entry.object {
        #expect(!seen.contains(entry.object))
        seen.append(entry.object)
      }
    }
  }

  @Test func `a connector that vanished from a hub is left out, and the panel is lit at once`()
    throws
  {
    var card = FakeCard()
    card.removeConnector(11)
    var attempts = ModesetAttempts(ModesetAttempt.all(.automatic, isAtomic: true))
    let made = try card.enable(by: &attempts, refusing: [])
    #expect(made == [.atomic(disablesOthers: true, resetsColour: true)])
    #expect(card.outputs[40]?.planes == [30])
  }

  @Test func `a connector that vanishes between the survey and the commit costs only one attempt`()
    throws
  {
    var card = FakeCard()
    card.removeConnector(11)
    var attempts = ModesetAttempts(ModesetAttempt.all(.automatic, isAtomic: true))
    let made = try card.enable(by: &attempts, refusing: [], lookingFirst: false)
    #expect(made.last == .atomic(disablesOthers: false, resetsColour: true))
  }

  @Test
  func
    `without the panel's own connector, each attempt is refused, and a panel is searched for anew`()
    throws
  {
    var card = FakeCard()
    card.removeConnector(10)
    var attempts = ModesetAttempts(ModesetAttempt.all(.atomic, isAtomic: true))
    let refusal = DisplayError.refused(.testCommit, Errno(ENOENT))
    #expect(throws: refusal) { try card.enable(by: &attempts, refusing: []) }
    let survey = FakeCard.survey.connectors[0]
    #expect(refusal.ofFirstMode(on: nil) == .changed)
    #expect(refusal.ofFirstMode(on: survey) == refusal)
    var unplugged = survey
    unplugged.status = .disconnected
    #expect(Self.invalid.ofFirstMode(on: unplugged) == .changed)
  }

  private var all: ModesetAttempts {
    ModesetAttempts(ModesetAttempt.all(.automatic, isAtomic: true))
  }

  /// The attempts of one mode set, and whether the last was accepted.
  private func run(
    _ attempts: inout ModesetAttempts, _ refusal: (ModesetAttempt) -> DisplayError?
  ) -> (made: [ModesetAttempt], failure: DisplayError?) {
    var made: [ModesetAttempt] = []
    do throws(DisplayError) {
      try attempts.run { attempt throws(DisplayError) in
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
    var attempts = all
    let refusals = [Refusals.colour, Refusals.disabledOthers]
    let first = try card.enable(by: &attempts, refusing: refusals)
    let second = try card.enable(by: &attempts, refusing: refusals)
    #expect(first.count == 4)
    #expect(second == [.atomic(disablesOthers: false, resetsColour: false)])
  }

  @Test func `a driver with broken commits is tried once, and then driven by SETCRTC`() {
    var attempts = all
    let refusal = { (attempt: ModesetAttempt) in attempt == .legacy ? nil : Self.brokenDriver }
    let first = run(&attempts, refusal)
    let second = run(&attempts, refusal)
    #expect(first.made.count == 2 && first.failure == nil)
    #expect(second.made == [.legacy])
  }

  @Test
  func `if the accepted attempt is refused later, all others follow, the most thorough first`() {
    var attempts = all
    _ = run(&attempts) {
      $0 == .atomic(disablesOthers: true, resetsColour: false) ? nil : Self.invalid
    }
    let later = run(&attempts) { _ in Self.invalid }
    #expect(
      later.made == [
        .atomic(disablesOthers: true, resetsColour: false),
        .atomic(disablesOthers: true, resetsColour: true),
        .atomic(disablesOthers: false, resetsColour: true),
        .atomic(disablesOthers: false, resetsColour: false), .legacy,
      ])
  }

  @Test func `if SETCRTC fails later, atomic commits are tried again`() {
    var attempts = all
    _ = run(&attempts) { $0 == .legacy ? nil : Self.brokenDriver }
    let later = run(&attempts) { $0 == .legacy ? Self.brokenDriver : nil }
    #expect(later.made == [.legacy, .atomic(disablesOthers: true, resetsColour: true)])
    #expect(attempts.next == .atomic(disablesOthers: true, resetsColour: true))
  }

  @Test func `a refusal of all attempts does not change which one is first`() {
    var attempts = all
    _ = run(&attempts) { $0 == .legacy ? nil : Self.invalid }
    _ = run(&attempts) { _ in Self.invalid }
    #expect(attempts.next == .legacy)
  }

  @Test(arguments: [
    DisplayError.gone(card: "/dev/dri/card0"), .refused(.commit, Errno(EACCES)),
  ])
  func `a card that is gone or held by another program is not tried again`(error: DisplayError) {
    var attempts = all
    let (made, failure) = run(&attempts) { _ in error }
    #expect(made.count == 1 && failure == error)
  }

  @Test func `the first refusal is the reason, if all attempts are refused`() {
    var attempts = all
    let (_, failure) = run(&attempts) {
      $0 == .legacy ? .refused(.setCRTC, Errno(ENOSPC)) : Self.invalid
    }
    #expect(failure == Self.invalid)
  }

  @Test func `missing atomic commits are reported if the configuration demands them`() {
    var attempts = ModesetAttempts([])
    let (made, failure) = run(&attempts) { _ in nil }
    #expect(made == [] && failure == .refused(.commit, Errno(EOPNOTSUPP)))
  }
}
