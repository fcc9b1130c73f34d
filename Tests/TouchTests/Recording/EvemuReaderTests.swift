import CLinux
import Testing
import Touch

@Suite struct EvemuReaderTests {
  private func read(_ text: String) throws -> DeviceRecording {
    guard case .device(let recording) = try Recording(Array(text.utf8), file: "r") else {
      throw RecordingError.malformed(file: "r", line: 0, reason: "not a device")
    }
    return recording
  }

  private func refusal(_ text: String) -> String? {
    do {
      _ = try Recording(Array(text.utf8), file: "r")
      return nil
    } catch {
      return error.text
    }
  }

  @Test func `the description and the events are read`() throws {
    let recording = try read(
      """
      # EVEMU 1.3
      N: Two words
      I: 0003 056a 00e6 0139
      P: 02 00 00 00 00 00 00 00
      B: 00 0b 00 00 00 00 00 00 00
      B: 01 00 00 00 00 00 00 00 00
      B: 01 02 00 00 00 00 00 00 00
      B: 03 03 00 00 00 00 80 00 00
      A: 00 -5 95840 4 1 200
      A: 2f 0 9 0 0 0
      # Waiting for events
      E: 0.000001 0003 0039 -001	# EV_ABS / ABS_MT_TRACKING_ID   -1
      E: 1369413313.184404 0003 0000 0930	# EV_ABS
      E: 12.5 0000 0000 0000	# ---- SYN_REPORT (0) ---- +1ms

      """)
    #expect(recording.device.name == "Two words")
    #expect(recording.device.identity.vendor == 0x056a)
    #expect(recording.device.identity.version == 0x139)
    #expect(recording.device.properties.codes == [INPUT_PROP_DIRECT])
    #expect(recording.device.codes(of: EV_KEY).codes == [65])
    #expect(recording.device.codes(of: EV_ABS).codes == [0, 1, 0x2f, 0x39])
    #expect(
      recording.device.range(of: ABS_X)
        == AxisRange(minimum: -5, maximum: 95840, fuzz: 4, flat: 1, resolution: 200))
    #expect(
      recording.events == [
        InputEvent(time: 1000, EV_ABS, ABS_MT_TRACKING_ID, -1),
        InputEvent(time: 1_369_413_313_184_404_000, EV_ABS, ABS_X, 930),
        InputEvent(time: 12_500_000_000, EV_SYN, SYN_REPORT, 0),
      ])
  }

  @Test(arguments: [
    ("A: 35 0 1279", 0, 0), ("A: 35 0 1279 4", 4, 0), ("A: 35 0 1279 4 0", 4, 0),
    ("A: 35 0 1279 4 0 20", 4, 20),
  ]) func `axes have three to six fields`(line: String, fuzz: Int32, resolution: Int32) throws {
    let range = try read(line + "\nE: 0.1 0000 0000 0\n").device.range(of: ABS_MT_POSITION_X)
    #expect(range == AxisRange(minimum: 0, maximum: 1279, fuzz: fuzz, resolution: resolution))
  }

  @Test func `comments give the slot and the position before the first event`() throws {
    let recording = try read(
      """
      # EVEMU 1.3
      #   Event type 1 (EV_KEY)
      #     Event code 47 (KEY_V)
      #   Event type 3 (EV_ABS)
      #     Event code 0 (ABS_X)
      #       Value      274
      #       Min          0
      #     Event code 1 (ABS_Y)
      #       Value        0
      #     Event code 47 (ABS_MT_SLOT)
      #       Value        3
      #     Event code 53 (ABS_MT_POSITION_X)
      #       Value       77
      E: 0.000001 0003 0039 5
      """)
    #expect(recording.state.slot == 3)
    #expect(recording.state.x == 274)
    // 0 may also mean that nothing was reported yet.
    #expect(recording.state.y == nil)
    #expect(recording.state.slots == [])
  }

  @Test func `without a description, the events show what the device has`() throws {
    let lists = try read(
      """
      E: 0.1 0003 0035 205
      E: 0.1 0003 0036 183
      E: 0.1 0000 0002 0
      E: 0.1 0001 014a 1
      E: 0.1 0000 0000 0
      E: 0.2 0003 0035 300
      """)
    #expect(lists.device.hasAxis(ABS_MT_POSITION_X) && lists.device.hasKey(BTN_TOUCH))
    #expect(!lists.device.hasAxis(ABS_MT_SLOT))
    #expect(
      lists.device.range(of: ABS_MT_POSITION_X) == AxisRange(minimum: 205, maximum: 300))
    let slots = try read("E: 0.1 0003 0039 6\nE: 0.1 0003 0035 1512\nE: 0.1 0003 0036 551\n")
    #expect(slots.device.hasAxis(ABS_MT_SLOT))
  }

  @Test func `a line that was cut off at the end is left out`() throws {
    let whole = "E: 0.1 0003 0035 205\n"
    for cut in [
      "E: 0.1 0003 0035", "E: 0.1 0003 00", "E: 0.1 0003", "E: 0.", "E:", "E", "A: 35 0",
      "B: 03 zz",
      "E: 0.1 0003 0035 x\n", "E: 0.1 0003 003\n\n",
    ] {
      #expect(try read(whole + cut).events.count == 1, "\(cut)")
    }
  }

  @Test func `a last line without an end is read if it is whole`() throws {
    #expect(try read("E: 0.1 0003 0035 205\nE: 0.1 0000 0000 0").events.count == 2)
  }

  @Test(arguments: [
    ("E: 0.1 0003 0035\nE: 0.2 0000 0000 0\n", "r:1: the event's value is not a number of 32 bits"),
    (
      "N: x\nE: x 0003 0035 5\nE: 0.2 0000 0000 0\n",
      "r:2: the event's time is not SECONDS.MICROSECONDS"
    ),
    (
      "E: 0.1 0003 0035 4294967296\nE: 0.2 0000 0000 0\n",
      "r:1: the event's value is not a number of 32 bits"
    ),
    (
      "E: 0.1 10003 0035 5\nE: 0.2 0000 0000 0\n",
      "r:1: the event's type and code are not hexadecimal numbers"
    ),
    ("A: 77 0 1\nE: 0.2 0000 0000 0\n", "r:1: unknown axis"),
    ("E: 0.1 0003 0035 5\nhello\nE: 0.2 0000 0000 0\n", "r:2: not a line of evemu's format"),
    (
      "E: 99999999999999999999.1 0003 0035 5\nE: 0.2 0000 0000 0\n",
      "r:1: the event's time is not SECONDS.MICROSECONDS"
    ),
  ]) func `errors are reported with their line`(text: String, expected: String) {
    #expect(refusal(text) == expected)
  }

  @Test func `lines may end as on Windows`() throws {
    let recording = try read("N: x\r\nE: 0.1 0003 0035 205\r\nE: 0.1 0000 0000 0\r\n")
    #expect(recording.device.name == "x")
    #expect(recording.events.count == 2)
  }
}
