import Control
import Display
import Ink
import Linux
import Raster
import Screen
import Testing

@testable import Pad

/// The session between two panels, and before the first one.
@Suite struct PadSnapshotTests {
  @Test func `messages without a panel take effect on the next panel`() throws {
    let door = Door()
    let loop = try RunningLoop(.memory(behind: door))
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    loop.messages.post(.service(available: false))
    loop.messages.post(.leave)
    try loop.hear { if case .left = $0 { true } else { nil } }
    door.open()
    loop.messages.post(.comeBack(nil))
    try loop.show()
    try loop.settle()
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

  @Test func `a panel that appears while another terminal is shown is not used until the pad's is`()
    throws
  {
    let door = Door()
    let loop = try RunningLoop(.memory(behind: door))
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    loop.messages.post(.leave)
    try loop.hear { if case .left = $0 { true } else { nil } }
    door.open()
    // Each answer is a pass.
    var isLit = false
    for _ in 0..<2 {
      try loop.pass { if case .lit = $0 { isLit = true } }
    }
    #expect(!isLit)
    loop.messages.post(.comeBack(nil))
    if !isLit { try loop.hear { if case .lit = $0 { true } else { nil } } }
    loop.stop()
  }

  @Test func `without a panel a client cancels the restored request, and its ink is wiped`() throws
  {
    let door = Door()
    let loop = try RunningLoop(
      .memory(behind: door),
      snapshot: PadSnapshot(strokes: InkJournalTests.strokes, request: RunningLoop.request(7)))
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    loop.messages.post(.withdrawWithoutInk(7, client: 3))
    try loop.hear(.inkStays(7, client: 3))
    #expect(loop.recordedSteps().isEmpty)
    loop.messages.post(.withdraw(7))
    try loop.hear(.cancelled(7, by: .program))
    let steps = loop.recordedSteps()
    #expect(steps.count == 1 && steps.first.map { JournalRecord($0).isWiped } == true)
    // Nothing is left of it on the next panel.
    door.open()
    try loop.show()
    loop.sign()
    try loop.settle()
    #expect(loop.publishedStrokes() == [0])
    loop.stop()
  }

  @Test func `a signature that was done in an earlier start is saved once without a panel`() throws
  {
    var shown = ShownContent(title: "Parcel")
    shown.glass = ShownContent.Glass(size: Point(154, 86), scale: Scale(x: 5, y: 5))
    let door = Door()
    let loop = try RunningLoop(
      .memory(behind: door),
      snapshot: PadSnapshot(
        strokes: InkJournalTests.strokes, isDone: true, shown: shown,
        request: RunningLoop.request(7)))
    try loop.settle()
    let signatures = loop.finished()
    #expect(signatures.map(\.strokes) == [InkJournalTests.strokes])
    #expect(signatures.first?.request == 7 && signatures.first?.glass.size == Point(154, 86))
    #expect(signatures.first?.scale == Scale(x: 5, y: 5))
    #expect(signatures.first?.shown == ShownContent(title: "Parcel"))
    // The panel that comes before it is saved does not save it again.
    door.open()
    try loop.show()
    try loop.settle()
    #expect(loop.finished().isEmpty)
    loop.messages.post(.saved)
    try loop.settle()
    loop.stop()
  }

  @Test func `a signature of an unknown glass is saved on the next panel`() throws {
    let door = Door()
    let loop = try RunningLoop(
      .memory(behind: door),
      snapshot: PadSnapshot(strokes: InkJournalTests.strokes, isDone: true, shown: ShownContent()))
    try loop.settle()
    #expect(loop.finished().isEmpty)
    door.open()
    try loop.show()
    try loop.settle()
    #expect(loop.finished().map(\.strokes) == [InkJournalTests.strokes])
    loop.stop()
  }

  @Test func `a time limit ends without a panel`() throws {
    var request = RunningLoop.request(7)
    request.request.deadline = MonotonicClock.now
    let loop = try RunningLoop(.memory(behind: Door()), snapshot: PadSnapshot(request: request))
    try loop.hear(.timedOut(7))
    loop.stop()
  }

  @Test func `the journal is told of restored ink that nobody asked for without a panel`() throws {
    var rules = SessionRules()
    rules.invites = false
    let loop = try RunningLoop(
      .memory(behind: Door()), snapshot: PadSnapshot(strokes: InkJournalTests.strokes, rules: rules)
    )
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    let steps = loop.recordedSteps()
    #expect(steps.count == 1 && steps.first.map { JournalRecord($0).isWiped } == true)
    loop.stop()
  }

  @Test func `a request is cancelled between two panels, and the next one is signed`() throws {
    let door = Door()
    let loop = try RunningLoop(.replaced(by: RunningLoop.panel, behind: door))
    try loop.show()
    loop.messages.post(.open(RunningLoop.request(7)))
    loop.write()
    try loop.hear(.state(.signing, request: 7, deadline: nil))
    loop.messages.post(.heartbeat)
    try loop.hear { if case .waiting = $0 { true } else { nil } }
    loop.messages.post(.withdraw(7))
    // The notice ends without a panel, too.
    var isCancelled = false
    try loop.hear { message -> Bool? in
      guard case .told(let events) = message else { return nil }
      isCancelled = isCancelled || events.contains(.cancelled(7, by: .program))
      let isOver = events.contains(.state(.invited, request: nil, deadline: nil))
      return isCancelled && isOver ? true : nil
    }
    door.open()
    try loop.show()
    loop.messages.post(.open(RunningLoop.request(8)))
    try loop.hear(.state(.invited, request: 8, deadline: nil))
    loop.sign()
    try loop.settle()
    #expect(loop.publishedStrokes() == [0])
    loop.stop()
  }

  /// Until a panel of twice the pixels in place of the first one is shown.
  private func becomesLarger(_ loop: borrowing RunningLoop) throws {
    loop.messages.post(.heartbeat)
    var width = 0
    try loop.hear { message -> Bool? in
      if case .lit(let panel) = message { width = panel.width }
      if case .shown = message, width == 1540 { return true }
      return nil
    }
  }

  private func replacedByLarger() -> PanelSource {
    let door = Door()
    door.open()
    var larger = RunningLoop.panel
    (larger.width, larger.height) = (1540, 860)
    return .replaced(by: larger, behind: door)
  }

  @Test func `a panel of another size has the ink of the last one`() throws {
    let loop = try RunningLoop(replacedByLarger())
    try loop.show()
    loop.messages.post(.open(RunningLoop.request(7)))
    loop.write()
    try loop.hear(.state(.signing, request: 7, deadline: nil))
    try becomesLarger(loop)
    loop.lay(at: loop.layout.done.centre)
    loop.lift(at: loop.layout.done.centre)
    try loop.settle()
    #expect(loop.publishedStrokes() == [0])
    loop.stop()
  }

  @Test func `a panel of another size records no request that has ended`() throws {
    let loop = try RunningLoop(replacedByLarger())
    try loop.show()
    loop.messages.post(.open(RunningLoop.request(7)))
    try loop.hear(.state(.invited, request: 7, deadline: nil))
    loop.messages.post(.withdraw(7))
    try loop.hear(.cancelled(7, by: .program))
    try becomesLarger(loop)
    let recorded = loop.save.takeAll().compactMap {
      if case .recordRequest(let request) = $0 { request?.number } else { nil }
    }
    #expect(recorded == [7])
    loop.stop()
  }

  @Test func `touches without a panel are not drawn on the next one`() throws {
    let door = Door()
    let loop = try RunningLoop(.memory(behind: door))
    let isHeld = try loop.hear { if case .grabsTouch(let isHeld) = $0 { isHeld } else { nil } }
    #expect(!isHeld)
    loop.sign()
    // Each answer is a pass.
    for _ in 0..<2 {
      try loop.pass()
    }
    let waiting = loop.waitingContacts()
    #expect(waiting == 0)
    loop.sign()
    door.open()
    try loop.show()
    try loop.settle()
    #expect(loop.published() == 0)
    loop.stop()
  }
}

extension JournalRecord {
  fileprivate var isWiped: Bool { if case .wiped = self { true } else { false } }
}
