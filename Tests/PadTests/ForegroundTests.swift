import Testing

@testable import Pad

@Suite struct ForegroundTests {
  private let second: Int64 = 1_000_000_000

  private func shared(isShown: Bool = false, isInUse: Bool = false) -> Foreground {
    Foreground(isShared: true, isShown: isShown, isInUse: isInUse)
  }

  @Test func `a request brings the pad to the front, and its end returns the panel`() {
    var foreground = shared()
    #expect(foreground.use(true, at: 0) == .activatePad)
    #expect(!foreground.isFront && !foreground.isBack)
    #expect(foreground.acquired(at: 1) == .acquirePanel)
    #expect(foreground.isFront && foreground.deadline == nil)
    #expect(foreground.use(false, at: 2) == .activateOther)
    #expect(foreground.releaseAsked(at: 3) == .releasePanel)
    #expect(!foreground.isFront && !foreground.isBack)
    #expect(foreground.released(at: 4) == .none)
    #expect(foreground.isBack && foreground.deadline == nil)
  }

  @Test func `a terminal that is released too late ends the request, and is given back`() {
    var foreground = shared()
    _ = foreground.use(true, at: 0)
    #expect(foreground.time(2 * second - 1) == .none)
    #expect(foreground.deadline == 2 * second)
    #expect(foreground.time(2 * second) == .refuseRequest)
    #expect(foreground.use(false, at: 2 * second) == .none)
    #expect(foreground.isBack && foreground.deadline == nil)
    #expect(foreground.acquired(at: 9 * second) == .activateOther)
    #expect(!foreground.isFront)
    #expect(foreground.releaseAsked(at: 9 * second) == .releasePanel)
  }

  @Test func `a request that comes while a late switch is undone is shown`() {
    var foreground = shared()
    _ = foreground.use(true, at: 0)
    _ = foreground.time(2 * second)
    _ = foreground.use(false, at: 2 * second)
    _ = foreground.acquired(at: 3 * second)
    #expect(foreground.use(true, at: 3 * second) == .acquirePanel)
    #expect(foreground.releaseAsked(at: 3 * second) == .refuseSwitch)
    #expect(foreground.isFront)
  }

  @Test func `nobody takes the panel from a person who signs`() {
    var foreground = shared(isShown: true, isInUse: true)
    #expect(foreground.start(at: 0) == .none)
    #expect(foreground.releaseAsked(at: 1) == .refuseSwitch)
    #expect(foreground.isFront)
  }

  @Test func `what an earlier start has left brings the pad to the front, and is tried again`() {
    var foreground = shared(isInUse: true)
    #expect(foreground.start(at: 0) == .activatePad)
    #expect(foreground.time(2 * second) == .refuseRequest)
    #expect(foreground.time(3 * second) == .activatePad)
    #expect(foreground.acquired(at: 4 * second) == .acquirePanel)
  }

  @Test func `Front keeps the pad in front after a request, and Back returns the panel`() {
    var foreground = shared()
    #expect(foreground.hold(at: 0) == .activatePad)
    _ = foreground.acquired(at: 1)
    #expect(foreground.use(true, at: 2) == .none)
    #expect(foreground.use(false, at: 3) == .none)
    #expect(foreground.yield(at: 4) == .activateOther)
  }

  @Test func `a Front that was refused does not bring the pad to the front later`() {
    var foreground = shared()
    _ = foreground.hold(at: 0)
    #expect(foreground.time(2 * second) == .refuseRequest)
    #expect(foreground.deadline == nil)
    #expect(foreground.acquired(at: 9 * second) == .activateOther)
  }

  @Test func `Back returns the panel during a notice`() {
    var foreground = shared(isShown: true, isInUse: true)
    #expect(foreground.yield(at: 0) == .activateOther)
    #expect(foreground.releaseAsked(at: 1) == .releasePanel)
    _ = foreground.released(at: 2)
    #expect(foreground.use(false, at: 3) == .none)
    #expect(foreground.isBack)
  }

  @Test func `the pad stays in front while the other side is gone, and looks for it each second`() {
    var foreground = shared(isShown: true)
    #expect(foreground.start(at: 0) == .activateOther)
    #expect(foreground.otherIsGone(at: 0) == .none)
    #expect(foreground.isFront && foreground.deadline == second)
    #expect(foreground.time(second) == .activateOther)
    #expect(foreground.otherIsGone(at: second) == .none)
    #expect(foreground.use(true, at: second) == .none)
    // A person signs: the other side waits.
    #expect(foreground.time(2 * second) == .none)
    #expect(foreground.use(false, at: 3 * second) == .activateOther)
  }

  @Test func `a console that the kernel shows in place of a dead program is covered`() {
    var foreground = shared(isShown: true)
    _ = foreground.start(at: 0)
    _ = foreground.releaseAsked(at: 0)
    #expect(foreground.released(isOtherGone: true, at: 0) == .activatePad)
    #expect(foreground.acquired(at: 0) == .acquirePanel)
    #expect(foreground.isFront && foreground.deadline == second)
    // The program is back, and takes its terminal.
    #expect(foreground.releaseAsked(at: 1) == .releasePanel)
    #expect(foreground.released(at: 1) == .none)
  }

  @Test func `a terminal that is shown still after its release is acquired again`() {
    var foreground = shared(isShown: true)
    _ = foreground.start(at: 0)
    _ = foreground.releaseAsked(at: 0)
    #expect(foreground.kept(at: 0) == .acquirePanel)
    #expect(foreground.isFront)
    #expect(foreground.time(second) == .activateOther)
  }

  @Test func `a release that overtakes the switch before it gives the panel away once`() {
    var foreground = shared()
    _ = foreground.use(true, at: 0)
    // Both signals wait, and the release comes first.
    #expect(foreground.releaseAsked(at: 1) == .releasePanel)
    #expect(foreground.acquired(at: 1) == .none)
    #expect(foreground.releaseAsked(at: 1) == .none)
    #expect(!foreground.isFront && foreground.isReleasing)
    #expect(foreground.released(at: 2) == .activatePad)
    #expect(foreground.acquired(at: 3) == .acquirePanel)
    #expect(foreground.isFront)
  }

  @Test func `a Front that comes while the pad leaves keeps it in front`() {
    var foreground = shared(isShown: true)
    #expect(foreground.start(at: 0) == .activateOther)
    #expect(foreground.hold(at: 1) == .none)
    #expect(foreground.isFront)
    #expect(foreground.releaseAsked(at: 2) == .refuseSwitch)
    #expect(foreground.isFront && foreground.deadline == nil)
    // A later wish is a person's or a program's.
    #expect(foreground.releaseAsked(at: 3) == .releasePanel)
  }

  @Test func `a late switch that cannot be undone shows the pad`() {
    for isGone in [true, false] {
      var foreground = shared()
      _ = foreground.hold(at: 0)
      _ = foreground.time(2 * second)
      #expect(foreground.acquired(at: 9 * second) == .activateOther)
      let action =
        isGone ? foreground.otherIsGone(at: 9 * second) : foreground.time(11 * second)
      #expect(action == .acquirePanel)
      #expect(foreground.isFront)
    }
  }

  @Test func `a person who switches to the pad's terminal sees the pad`() {
    var foreground = shared()
    #expect(foreground.acquired(at: 0) == .acquirePanel)
    #expect(foreground.isFront && foreground.deadline == nil)
  }

  @Test func `a pad that does not share its panel never asks, and never refuses`() {
    var foreground = Foreground(isShared: false, isShown: true)
    #expect(foreground.use(true, at: 0) == .none)
    #expect(foreground.releaseAsked(at: 0) == .releasePanel)
    #expect(foreground.released(at: 0) == .none)
    #expect(foreground.hold(at: 0) == .none)
    #expect(foreground.use(false, at: 0) == .none)
    #expect(foreground.acquired(at: 0) == .acquirePanel)
    #expect(foreground.deadline == nil)
  }

  /// The kernel, the other side, clients and persons, in an order at random.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `in any order of events the panel is where it is needed`(seed: UInt64) {
    var world = TerminalWorld(seed: seed)
    for _ in 0..<200 {
      world.step()
      if let flaw = world.flaw {
        Issue.record("seed \(seed): \(flaw)")
        return
      }
    }
    world.settle()
    if let flaw = world.flaw { Issue.record("seed \(seed), at the end: \(flaw)") }
  }
}
