import Ink
import Testing
import Touch

@Suite struct DeviceRecordingStrokesTests {
  private func recording(_ script: String) -> DeviceRecording {
    var recording = DeviceRecording()
    recording.device = TestDevice.slots.description
    recording.events = Script.events(script)
    return recording
  }

  private func columns(_ script: String, _ policy: ContactChoice.Policy = .first) -> [[Float]] {
    recording(script).strokes(unitsPerMillimetre: (10, 10), policy).map {
      $0.map { $0.position.x }
    }
  }

  @Test func `strokes are what draws, and nothing of a mistake is left`() {
    #expect(
      columns(
        """
        0: ID 5, MX 10, MY 20
        8: MX 20
        80: ID -1
        100: ID 6, MX 50
        108: MX 60
        116: MT 2
        180: ID -1, MT 0
        200: ID 7, MX 70
        208: MX 71
        """) == [[1, 2], [7, 7.1]])
  }

  @Test func `a gap ends a stroke and begins another`() {
    #expect(
      columns("0: ID 5, MX 10, MY 20\n8: MX 20\n16: DROPPED\n24: MX 90\n32: MX 91\n40: ID -1") == [
        [1, 2], [9, 9.1],
      ])
  }

  @Test func `strokes of several fingers are kept apart`() {
    #expect(
      columns(
        "0: SLOT 0, ID 5, MX 10, MY 20, SLOT 1, ID 6, MX 50, MY 2\n8: SLOT 0, MX 11, SLOT 1, MX 51",
        .all) == [[1, 1.1], [5, 5.1]])
  }

  @Test(arguments: [
    ("Wacom-DTH2242-Pen.events", 7), ("Atmel-maXTouch-Touchscreen.1-finger-fast-taps.events", 9),
    ("EP0430M09.2-finger-scroll-down.events", 1), ("dell_canvas_pen.evemu", 1),
    ("N-Trig-MultiTouch.2-fingers-touch-release.events", 1),
  ]) func `real recordings have their strokes`(name: String, strokes: Int) throws {
    guard let text = try SharedRecordings.text("evemu/\(name)"),
      case .device(let recording) = try Recording(Array(text.utf8), file: name)
    else { return }
    #expect(recording.strokes(unitsPerMillimetre: (1, 1)).count == strokes)
  }
}
