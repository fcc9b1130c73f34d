import Control
import Display
import Ink
import Linux
import Screen
import Testing

@testable import Pad

@Suite struct RenderLoopTests {
  @Test func `a signature goes to the save thread when Done is released`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }

  @Test func `a screenshot shows the pad as it is, and ink only where that is allowed`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    let clean = try loop.screenshot(allowsInk: false)
    #expect(clean?.width == 770 && clean?.height == 430)
    #expect(Set(clean?.pixels ?? []).count > 1)
    loop.write()
    try loop.settle()
    #expect(try loop.screenshot(allowsInk: false) == nil)
    let inked = try loop.screenshot(allowsInk: true)
    #expect(inked != nil && inked != clean)
    loop.stop()
  }

  @Test func `a screenshot waits for the end of a stroke, but not for long`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    loop.lay()
    try loop.settle()
    let asked = MonotonicClock.now
    #expect(try loop.screenshot(allowsInk: true) != nil)
    #expect(MonotonicClock.now - asked >= ScreenCapture.limit)
    loop.lift()
    loop.stop()
  }

  @Test func `without a visible panel a screenshot is refused`() throws {
    let door = Door()
    let loop = try RunningLoop(.memory(behind: door))
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    #expect(try loop.screenshotRefusal() == .outOfService("there is no panel"))
    door.open()
    try loop.show()
    try loop.leave()
    #expect(try loop.screenshotRefusal() == .outOfService("the panel shows something else"))
    try loop.comeBack()
    #expect(try loop.screenshot(allowsInk: false) != nil)
    loop.stop()
  }

  @Test func `a client that presses a button is answered with and without a panel`() throws {
    let door = Door()
    let loop = try RunningLoop(.memory(behind: door))
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    #expect(try !loop.press(.clear))
    door.open()
    try loop.show()
    #expect(try !loop.press(.clear))
    loop.write()
    try loop.settle()
    #expect(try loop.press(.done))
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }

  @Test func `a client presses nothing while the panel shows something else`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    loop.write()
    try loop.settle()
    try loop.leave()
    #expect(try !loop.press(.clear))
    #expect(try !loop.press(.done))
    #expect(loop.published() == 0)
    try loop.comeBack()
    #expect(try loop.press(.done))
    // The client is answered before the signature is handed over.
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }

  @Test func `a blanked pad lights the panel before the other side has it`() throws {
    let loop = try RunningLoop(.memory(), blankAfter: 1_000_000)
    try loop.becomes(blank: true)
    loop.messages.post(.leave)
    let isLit = try loop.hear { message -> Bool? in
      switch message {
      case .blanked(let isBlanked): !isBlanked
      case .left: false
      default: nil
      }
    }
    #expect(isLit)
    loop.stop()
  }

  @Test func `the save thread is woken for ink while nothing else happens`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    try loop.settle()
    #expect(try !loop.hasWokenForInk())
    loop.touch()
    try loop.settle()
    #expect(try loop.hasWokenForInk())
    loop.stop()
  }

  @Test func `the save thread has a request before the ink that answers it`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    try loop.pass()
    func recorded(_ messages: [SaveMessage]) -> [Int64] {
      messages.compactMap {
        if case .recordRequest(let request) = $0 { request?.number } else { nil }
      }
    }
    #expect(recorded(loop.save.takeAll()) == [1001])
    loop.write()
    try loop.settle()
    #expect(recorded(loop.save.takeAll()).isEmpty)
    loop.stop()
  }

  @Test func `a request with ink stays when a client cancels without ink`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    loop.messages.post(
      .open(
        TypesetRequest(
          request: PadRequest(.signature, number: 7),
          scene: Scene(number: 7, layout: loop.layout))))
    try loop.hear(.state(.invited, request: 7, deadline: nil))
    loop.lay()
    try loop.hear(.state(.signing, request: 7, deadline: nil))
    loop.messages.post(.withdrawWithoutInk(7, client: 3))
    try loop.hear(.inkStays(7, client: 3))
    loop.stop()
  }

  @Test func `a stuck display does not answer heartbeats until something else is shown`() throws {
    var options = RunningLoop.panel
    options.flips = .lost
    let loop = try RunningLoop(.memory(options))
    try loop.show()
    var isAlive = true
    // Each lost flip is waited for a second, and three of them are too many.
    let end = MonotonicClock.now + 60_000_000_000
    while isAlive, MonotonicClock.now < end {
      isAlive = false
      loop.touch()
      loop.messages.post(.heartbeat)
      try loop.pass { if case .renderAlive = $0 { isAlive = true } }
      // The answer to a heartbeat comes at the end of the pass, behind the other one.
      if !isAlive { isAlive = try loop.isAlive() }
    }
    #expect(!isAlive)
    try loop.leave()
    // It is answered.
    try loop.settle()
    loop.stop()
  }

  @Test func `a heartbeat is answered after the contacts that wait`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    try loop.settle()
    loop.touchSilently()
    loop.messages.post(.heartbeat)
    var isTold = false
    try loop.hear { main in
      if case .told = main { isTold = true }
      if case .renderAlive = main { return true }
      return nil
    }
    #expect(isTold)
    loop.stop()
  }

  @Test func `behind another terminal contacts draw nothing, and Done publishes nothing`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    try loop.leave()
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 0)
    try loop.comeBack()
    loop.sign()
    try loop.settle()
    #expect(loop.publishedStrokes() == [0])
    loop.stop()
  }

  @Test func `a stroke that is interrupted keeps its ink, and the finger must be lifted`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    loop.lay()
    loop.drag(to: Point(80, 21))
    try loop.settle()
    try loop.leave()
    try loop.comeBack()
    // To where *Done* is, and off it.
    loop.drag(to: loop.layout.done.centre)
    loop.lift(at: loop.layout.done.centre)
    try loop.settle()
    loop.sign()
    try loop.settle()
    let samples = loop.publishedSamples()
    #expect(samples == 2)
    loop.stop()
  }

  @Test(arguments: [false, true])
  func `a finger on Done while the pad goes away sends nothing`(isLiftedAway: Bool) throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    loop.write()
    loop.lay(at: loop.layout.done.centre)
    try loop.settle()
    try loop.leave()
    if isLiftedAway { loop.lift(at: loop.layout.done.centre) }
    try loop.comeBack()
    if !isLiftedAway { loop.lift(at: loop.layout.done.centre) }
    try loop.settle()
    #expect(loop.published() == 0)
    loop.lay(at: loop.layout.done.centre)
    loop.lift(at: loop.layout.done.centre)
    try loop.settle()
    #expect(loop.publishedStrokes() == [0])
    loop.stop()
  }

  @Test func `the touchscreen is released while another terminal is shown, before that is`() throws
  {
    let loop = try RunningLoop(.memory())
    try loop.show()
    loop.messages.post(.leave)
    var grabs: [Bool] = []
    try loop.hear { main in
      if case .grabsTouch(let isHeld) = main { grabs.append(isHeld) }
      if case .left = main { return true }
      return nil
    }
    #expect(grabs == [false])
    loop.messages.post(.comeBack(nil))
    let isHeld = try loop.hear { if case .grabsTouch(let isHeld) = $0 { isHeld } else { nil } }
    #expect(isHeld)
    loop.stop()
  }

  @Test func `the latency is published when a stroke has ended, and not while it is drawn`() throws
  {
    let loop = try RunningLoop(.memory())
    try loop.show()
    loop.lay()
    var isPublished = false
    func see(_ message: MainMessage) { if case .measured = message { isPublished = true } }
    for _ in 0..<3 { try loop.pass(see) }
    #expect(!isPublished)
    loop.lift()
    let latency = try loop.hear { if case .measured(let latency) = $0 { latency } else { nil } }
    #expect(latency.samples > 0)
    loop.stop()
  }

  @Test
  func `a blanked panel switches the backlight, and the touch that unblanks it does not draw`()
    throws
  {
    let loop = try RunningLoop(.memory(), blankAfter: 1_000_000)
    try loop.becomes(blank: true)
    try loop.show()
    loop.lay()
    try loop.becomes(blank: false)
    loop.lift()
    // A panel with a request stays lit.
    loop.messages.post(.open(RunningLoop.request(7)))
    try loop.settle()
    loop.sign()
    try loop.settle()
    #expect(loop.publishedStrokes() == [0])
    loop.stop()
  }

  @Test func `a request is refused while the panel shows something else, and taken afterwards`()
    throws
  {
    let loop = try RunningLoop(.memory())
    try loop.show()
    try loop.leave()
    loop.messages.post(.open(RunningLoop.request(7)))
    let reason = try loop.hear {
      if case .told(let events) = $0, case .refused(7, .outOfService(let reason))? = events.first {
        reason
      } else {
        nil
      }
    }
    #expect(reason == "the panel shows something else")
    try loop.comeBack()
    loop.messages.post(.open(RunningLoop.request(8)))
    try loop.settle()
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }

  @Test func `a request that comes back with the panel is shown`() throws {
    let loop = try RunningLoop(.memory())
    try loop.show()
    try loop.leave()
    loop.messages.post(.comeBack(RunningLoop.request(7)))
    try loop.hear { message -> Bool? in
      guard case .told(let events) = message else { return nil }
      let isInvited = events.contains {
        if case .state(.invited, 7?, _) = $0 { true } else { false }
      }
      return isInvited ? true : nil
    }
    // Clients are told before its first frame, and nobody signs what is not shown.
    try loop.settle()
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }

  @Test func `Done on a blanked panel unblanks it and sends nothing`() throws {
    let loop = try blanked { loop in
      loop.write()
      loop.lay(at: loop.layout.done.centre)
    }
    loop.lift(at: loop.layout.done.centre)
    try loop.becomes(blank: false)
    try loop.settle()
    #expect(loop.published() == 0)
    loop.stop()
  }

  @Test func `a motionless contact during blanking does not block the pad`() throws {
    let loop = try blanked { $0.lay() }
    loop.lift()
    try loop.becomes(blank: false)
    loop.messages.post(.open(RunningLoop.request(7)))
    try loop.settle()
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }

  /// A loop whose panel was lit when something came down, and was blanked while it lay there.
  ///
  /// A slow machine may blank the panel first; another loop then waits longer.
  private func blanked(by touch: (borrowing RunningLoop) -> Void) throws -> RunningLoop {
    for seconds in [1, 8, 40] as [Int64] {
      let loop = try RunningLoop(.memory(), blankAfter: seconds * 1_000_000_000)
      try loop.show()
      touch(loop)
      try loop.settle()
      if loop.hasBeenBlanked {
        loop.stop()
      } else {
        try loop.becomes(blank: true)
        return loop
      }
    }
    throw RunningLoop.Silence()
  }
}
