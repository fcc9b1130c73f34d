import CLinux
import Testing
import Touch

@Suite struct LibinputReaderTests {
  static let touchscreen = """
    # libinput record
    version: 1
    ndevices: 2
    libinput:
      version: "1.22.1"
      git: "unknown"
    system:
      os: "debian:12"
      kernel: "6.1.0"
      dmi: "dmi:bvn"
    devices:
    - node: /dev/input/event3
      evdev:
        name: "Power Button"
        id: [25, 0, 1, 0]
        codes:
          0: [0, 1] # EV_SYN
          1: [116] # EV_KEY
      events:
      - evdev:
        - [  0,      0,   1, 116,      1] # EV_KEY / KEY_POWER
        - [  0,      0,   0,   0,      0] # SYN_REPORT
    - node: /dev/input/event5
      evdev:
        # Name: EP0430M09
        # Size in mm: unknown
        name: "EP: \\"0430\\""
        id: [24, 1046, 911, 256]
        codes:
          0: [0, 1, 2, 3] # EV_SYN
          1: [330] # EV_KEY
          3: [0, 1, 47, 53, 54, 57] # EV_ABS
        absinfo:
          0: [0, 1279, 0, 0, 12]
          1: [0, 767, 0, 0, 12]
          47: [0, 4, 0, 0, 0]
          53: [0, 1279, 1, 0, 12]
          54: [0, 767, 1, 0, 12]
          57: [0, 65535, 0, 0, 0]
        properties: [1]
      hid: [ 0x05, 0x0d ]
      udev:
        properties:
        - ID_INPUT=1
        - ID_INPUT_TOUCHSCREEN=1
        - LIBINPUT_CALIBRATION_MATRIX=0 -1 1 1 0 0
        virtual: false
      quirks:
      events:
      # Current time is 12:56:22
      - evdev:
        - [  0,      0,   3,  57,    420] # EV_ABS / ABS_MT_TRACKING_ID  420
        - [  0,      0,   3,  53,    100] # EV_ABS / ABS_MT_POSITION_X   100
        - [  0,      0,   3,  54,    200] # EV_ABS / ABS_MT_POSITION_Y   200
        - [  0,      0,   1, 330,      1] # EV_KEY / BTN_TOUCH             1
        - [  0,      0,   0,   0,      0] # ------ SYN_REPORT (0) ------ +0ms
      - libinput:
        - {time: 0.00, type: TOUCH_DOWN, slot: 0}
      - evdev:
        - [  1,  12345,   3,  57,     -1] # EV_ABS / ABS_MT_TRACKING_ID   -1
        - [  1,  12345,   0,   0,      0] # ------ SYN_REPORT (0) ------ +12ms

    """

  private func read(_ text: String) throws -> DeviceRecording {
    guard case .device(let recording) = try Recording(Array(text.utf8), file: "r") else {
      throw RecordingError.malformed(file: "r", line: 0, reason: "not a device")
    }
    return recording
  }

  @Test func `the device that touches is read`() throws {
    let recording = try read(Self.touchscreen)
    #expect(recording.device.name == "EP: \"0430\"")
    #expect(recording.device.identity.product == 911)
    #expect(recording.device.properties.contains(INPUT_PROP_DIRECT))
    #expect(recording.device.codes(of: EV_ABS).codes == [0, 1, 47, 53, 54, 57])
    #expect(
      recording.device.range(of: ABS_MT_POSITION_X)
        == AxisRange(minimum: 0, maximum: 1279, fuzz: 1, resolution: 12))
    #expect(recording.properties["LIBINPUT_CALIBRATION_MATRIX"] == "0 -1 1 1 0 0")
    #expect(recording.properties["ID_INPUT_TOUCHSCREEN"] == "1")
    #expect(recording.events.count == 7)
    #expect(
      recording.events[5] == InputEvent(time: 1_012_345_000, EV_ABS, ABS_MT_TRACKING_ID, -1))
  }

  @Test func `a file that is cut off anywhere keeps what was there before`() throws {
    let bytes = Array(Self.touchscreen.utf8)
    let whole = try read(Self.touchscreen)
    for end in stride(from: bytes.count, through: 1200, by: -1) {
      let recording = try read(String(decoding: bytes[..<end], as: UTF8.self))
      guard recording.device.name == whole.device.name else { continue }
      #expect(recording.events == Array(whole.events.prefix(recording.events.count)), "\(end)")
    }
    let beforeLast = Self.touchscreen.split(separator: "\n").dropLast().joined(separator: "\n")
    #expect(try read(beforeLast + "\n    - [  1,  123").events.count == 6)
  }

  @Test(arguments: [
    ("version: 1\ndevices: *x\nversion: 2\n", "r: no device in the recording"),
    ("devices:\n- node: [\nx: 1\ny: 2\n", "r:"),
    ("version: 1\nndevices: 0\n", "r: no device in the recording"),
    (
      "devices:\n- evdev:\n    id: [1, 2]\n    name: x\n",
      "r:3: a device's id must have four numbers"
    ),
    (
      "devices:\n- events:\n  - evdev:\n    - [0, 0, 3, 57]\n  node: x\n",
      "r:4: an event must be a list of five numbers, not of 4"
    ),
    (
      "devices:\n- events:\n  - evdev:\n    - [0, 0, 3, 57, abc]\n  node: x\n",
      "r:4: not an integer"
    ),
    (
      "devices:\n- events:\n  - evdev:\n    - [0, 1000000, 3, 57, 1]\n  node: x\n",
      "r:4: number out of range in an event"
    ),
  ]) func `errors are reported with their line`(text: String, prefix: String) {
    do {
      _ = try read(text)
      Issue.record("was read")
    } catch {
      let text = (error as? RecordingError)?.text ?? ""
      #expect(text.hasPrefix(prefix), "\(text)")
    }
  }

  @Test func `depth and references cost nothing`() throws {
    let deep = "devices:\n- hid: " + String(repeating: "[", count: 900)
    #expect(throws: Never.self) { _ = try? read(deep + "\n") }
    let bomb = """
      a: &a [x, x, x, x]
      b: &b [*a, *a, *a, *a]
      devices:
      - other: *b
        evdev:
          name: fine

      """
    #expect(throws: RecordingError.self) { _ = try read(bomb) }
    #expect(try read("version: 1\n" + bomb).device.name == "fine")
  }
}
