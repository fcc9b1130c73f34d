import Control
import Display
import Linux
import Synchronization
import Testing

@testable import Pad

@Suite struct RenderLoopTests {
  private func memory(_ options: MemoryPanelOptions = RunningLoop.panel) -> PanelSource {
    PanelSource { () throws(DisplayError) in try Panel(options) }
  }

  /// A panel that is there once the door is open.
  private func memory(behind door: Door) -> PanelSource {
    PanelSource { () throws(DisplayError) in
      guard door.isOpen.load(ordering: .relaxed) else { throw .noCard }
      return try Panel(RunningLoop.panel)
    }
  }

  private final class Door: Sendable {
    let isOpen = Atomic(false)
  }

  @Test func `a signature goes to the save thread when Done is released`() throws {
    let loop = try RunningLoop(memory())
    try loop.hear { if case .shown = $0 { true } else { nil } }
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }

  @Test func `the save thread is woken for ink while nothing else happens`() throws {
    let loop = try RunningLoop(memory())
    try loop.settle()
    #expect(try !loop.hasWokenForInk())
    loop.touch()
    try loop.settle()
    #expect(try loop.hasWokenForInk())
    loop.stop()
  }

  @Test func `what the pad is told while it has no panel counts when there is one`() throws {
    let door = Door()
    let loop = try RunningLoop(memory(behind: door))
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    loop.messages.post(.service(available: false))
    loop.messages.post(.leave)
    try loop.hear { if case .left = $0 { true } else { nil } }
    door.isOpen.store(true, ordering: .relaxed)
    loop.messages.post(.comeBack)
    try loop.hear { if case .shown = $0 { true } else { nil } }
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 0)
    loop.messages.post(.service(available: true))
    try loop.settle()
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }

  @Test func `a panel that comes while another terminal is shown is let alone until ours is`()
    throws
  {
    let door = Door()
    let loop = try RunningLoop(memory(behind: door))
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    loop.messages.post(.leave)
    try loop.hear { if case .left = $0 { true } else { nil } }
    door.isOpen.store(true, ordering: .relaxed)
    // Each answer is a pass.
    var isLit = false
    for _ in 0..<2 {
      loop.messages.post(.measure)
      try loop.hear { news in
        if case .lit = news { isLit = true }
        if case .measured = news { return true }
        return nil
      }
    }
    #expect(!isLit)
    loop.messages.post(.comeBack)
    if !isLit { try loop.hear { if case .lit = $0 { true } else { nil } } }
    loop.stop()
  }

  @Test func `a request that is withdrawn while there is no panel is over when there is one`()
    throws
  {
    let door = Door()
    let request = PadRequest(
      number: 7, scene: Scene(number: 7, layout: Layout(width: 154, height: 86)))
    let loop = try RunningLoop(
      memory(behind: door), snapshot: GlassSnapshot(requests: [request]))
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    loop.messages.post(.withdraw(7))
    loop.messages.post(.leave)
    try loop.hear { if case .left = $0 { true } else { nil } }
    door.isOpen.store(true, ordering: .relaxed)
    loop.messages.post(.comeBack)
    let told = try loop.hear { if case .told(let events) = $0 { events } else { nil } }
    #expect(told == [.state(.invited, request: 7, limit: nil), .cancelled(7, by: .program)])
    loop.stop()
  }

  @Test func `a display that stands still does not say that it is alive`() throws {
    var options = RunningLoop.panel
    options.flips = .lost
    let loop = try RunningLoop(memory(options))
    var isAlive = true
    // Each lost flip is waited for a second, and three of them are too many.
    while isAlive {
      isAlive = false
      loop.touch()
      loop.messages.post(.heartbeat)
      loop.messages.post(.measure)
      try loop.hear { news in
        if case .renderAlive = news { isAlive = true }
        if case .measured = news { return true }
        return nil
      }
    }
    loop.stop()
  }

  @Test func `a panel that rests tells the lamp, and the touch that wakes it does not draw`() throws
  {
    let loop = try RunningLoop(memory(), blankAfter: 1_000_000)
    try loop.hear { if case .resting(true) = $0 { true } else { nil } }
    loop.sign(tapping: true)
    try loop.hear { if case .resting(false) = $0 { true } else { nil } }
    try loop.settle()
    #expect(loop.publishedStrokes() == [0])
    loop.stop()
  }

  @Test func `what lies still while the panel goes dark leaves a pad that can be signed`() throws {
    let loop = try RunningLoop(memory(), blankAfter: 20_000_000)
    try loop.hear { if case .resting(true) = $0 { true } else { nil } }
    loop.touch()
    try loop.hear { if case .resting(false) = $0 { true } else { nil } }
    loop.lay()
    try loop.hear { if case .resting(true) = $0 { true } else { nil } }
    loop.lift()
    try loop.hear { if case .resting(false) = $0 { true } else { nil } }
    loop.sign()
    try loop.settle()
    #expect(loop.published() == 1)
    loop.stop()
  }
}
