import AllocationCount
import CLinux
import Ink
import Testing

@testable import Touch

@Suite(.serialized) struct AllocationTests {
  /// Frames of two fingers (or a pen) that draw and change, as each kind of device tells them.
  private func frames(_ device: TestDevice) -> [InputEvent] {
    var script = ""
    for step in 0..<500 {
      let (x, y, time) = (step % 300, step % 200, step * 5)
      let isDown = step % 100 != 99
      script += "\(time): "
      switch device {
      case .slots, .slotsOnly, .slotsAndPen:
        let id = isDown ? step / 100 : -1
        script +=
          "SLOT 0, ID \(id), MX \(x), MY \(y), SLOT 1, ID \(id < 0 ? -1 : id + 1), MX \(y), MY \(x)"
      case .lists, .numberedLists:
        script += isDown ? "MX \(x), MY \(y), MREPORT, MX \(y + 4000), MY \(x), MREPORT" : "MREPORT"
      case .leftButton: script += "X \(x), Y \(y), LEFT \(isDown ? 1 : 0)"
      case .singleTouch, .pressureOnly, .pen, .fakeSlots:
        script +=
          "PEN 1, X \(x), Y \(y), P \(isDown ? 50 : 0), TOUCH \(isDown ? 1 : 0), STAMP \(time * 1000)"
      }
      script += "\n"
    }
    return Script.events(script)
  }

  /// What an input thread does per event, with and without filters.
  @Test(arguments: TestDevice.allCases, [false, true])
  func `the path from events to the ring allocates nothing`(device: TestDevice, isFiltered: Bool)
    throws
  {
    let description = device.description
    var options = InputOptions(.devices(.automatic), width: 100, height: 60)
    if isFiltered { options.filters.medianDepth = 3 }
    var pipeline = ContactPipeline(
      description, UdevProperties(), state: DeviceState(), number: 0, options)
    var arbitration = TouchArbitration(.all)
    let ring = try ContactRing()
    let events = frames(device)
    var count = 0
    var asked = 0
    for round in 0..<5 {
      // The first round has what happens once.
      if round == 1 { asked = allocation_count() }
      // Not `for event in events`: unoptimised, its iterator asks for memory.
      for index in events.indices {
        if pipeline.put(events[index], &arbitration, ring) { ring.wake() }
        while ring.pop() != nil { count += 1 }
      }
    }
    let more = allocation_count() - asked
    #expect(more == 0)
    #expect(count >= 2000)
  }
}
