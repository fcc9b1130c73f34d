import CLinux
import Testing
import Touch

@Suite struct LibinputWriterTests {
  private func written(_ recording: DeviceRecording) -> String {
    var writer = LibinputWriter()
    var text = writer.header(
      recording.device, recording.state, recording.properties, node: "/dev/input/event7")
    for event in recording.events { text += writer.event(event) }
    return text
  }

  private func read(_ text: String) throws -> DeviceRecording {
    guard case .device(let recording) = try Recording(Array(text.utf8), file: "r") else {
      throw RecordingError.malformed(file: "r", line: 0, reason: "not a device")
    }
    return recording
  }

  @Test(arguments: TestDevice.allCases)
  func `a description that is written is read back`(device: TestDevice) throws {
    var recording = DeviceRecording()
    recording.device = device.description
    recording.device.name = "A \"name\" with \\ and \u{7}, ü"
    recording.device.identity.vendor = 0x1234
    recording.properties.add("ID_INPUT=1")
    recording.properties.add("A=b: \"c\" # d")
    let copy = try read(written(recording))
    #expect(copy.device == recording.device)
    #expect(copy.properties == recording.properties)
  }

  @Test func `a name of characters that YAML does not allow or folds is read back`() throws {
    var recording = DeviceRecording()
    recording.device = TestDevice.slots.description
    for name in [
      "a\u{81}b\u{2028}c", "\u{85} \u{2029} \u{9f}\u{a0}", "\u{fffd}\u{fffe}\u{ffff}\u{10ffff}",
      "\t\u{1f}\u{7f}\u{feff}\\u0041",
    ] {
      recording.device.name = name
      #expect(try read(written(recording)).device == recording.device)
    }
  }

  @Test func `events that are written are read back, from the first one on`() throws {
    var recording = DeviceRecording()
    recording.device = TestDevice.slots.description
    recording.events = Script.events("1000: X 5, MX -7, ID -1\n1008.5: X 6, TOUCH 1")
    let events = try read(written(recording)).events.suffix(recording.events.count)
    #expect(events.map { $0.value } == recording.events.map { $0.value })
    #expect(events.map { $0.code } == recording.events.map { $0.code })
    #expect(events.map { $0.time / 100_000 } == [0, 0, 0, 0, 85, 85, 85])
  }

  @Test func `the state before the first event is a frame that begins no contact`() throws {
    var recording = DeviceRecording()
    recording.device = TestDevice.slots.description
    recording.state.slot = 2
    recording.state.slots = [DeviceState.Slot](repeating: DeviceState.Slot(), count: 5)
    (recording.state.slots[2].x, recording.state.slots[2].y) = (70, 80)
    recording.state.slots[2].trackingID = 9
    recording.events = Script.events("500: ID -1\n600: ID 10, MX 71\n680: ID -1")
    let copy = try read(written(recording))
    var decoder = ContactDecoder(copy.device, state: copy.state)
    var lines: [String] = []
    for event in copy.events where decoder.put(event) { lines += decoder.lines }
    #expect(lines == ["0 down 71,80 @100 slot 2", "0 up 71,80 @180 slot 2"])
  }

  @Test func `after a gap, the events that update the device's state are read`() throws {
    var writer = LibinputWriter()
    var text = writer.header(
      TestDevice.slots.description, DeviceState(), UdevProperties(), node: "/dev/input/event7")
    for event in Script.events("0: ID 5, MX 10, MY 20\n8: MX 11") { text += writer.event(event) }
    text += writer.gap(at: 16_000_000)
    for event in Script.events("16: ID -1\n16: ID 6, MX 400\n24: MX 401") {
      text += writer.event(event)
    }
    let copy = try read(text)
    var decoder = ContactDecoder(copy.device, state: copy.state)
    var lines: [String] = []
    for event in copy.events where decoder.put(event) { lines += decoder.lines }
    #expect(
      lines == [
        "0 down 10,20 @0", "0 move 11,20 @8", "0 up 11,20 @16 gap", "1 down 400,20 @16",
        "1 move 401,20 @24",
      ])
  }
}
