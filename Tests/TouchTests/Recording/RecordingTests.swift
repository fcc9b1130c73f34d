import CLinux
import Ink
import Linux
import SyntheticHand
import Testing
import Touch

@Suite struct RecordingTests {
  @Test(arguments: [
    "", "\n\n", "hello\nworld\n", "<xml/>\n", "\u{0}\u{1}\u{2}", "{\"a\": 1}\n", "PNG\r\n", "- a\n",
    "12 13\n",
  ]) func `anything else is refused`(text: String) {
    #expect(
      throws: RecordingError.malformed(
        file: "r", line: 0,
        reason: "unknown format: neither evemu, libinput nor .svc")
    ) { _ = try Recording(Array(text.utf8), file: "r") }
  }

  @Test func `a missing file is refused with its name`() {
    #expect(
      throws: RecordingError.unreadable(SystemError("read", "/nowhere/x.evemu", Errno(ENOENT)))
    ) { _ = try Recording(contentsOf: "/nowhere/x.evemu") }
  }

  @Test func `a folder is refused`() {
    #expect(throws: RecordingError.unreadable(SystemError("read", "/", Errno(EISDIR)))) {
      _ = try Recording(contentsOf: "/")
    }
  }

  @Test func `a file without an end is refused`() {
    #expect(throws: RecordingError.tooLarge(file: "/dev/zero", limit: Recording.sizeLimit)) {
      _ = try Recording(contentsOf: "/dev/zero")
    }
  }

  @Test func `a description alone has no events`() throws {
    let recording = try Recording(Array(TestDevice.slots.header.utf8), file: "r")
    guard case .device(let device) = recording else {
      Issue.record("not a device")
      return
    }
    #expect(device.events.isEmpty)
    #expect(device.device.name == "Test device")
  }

  private static let seeds = [
    TestDevice.slots.header
      + "E: 0.1 0003 0039 5\nE: 0.1 0003 0035 7\nE: 0.1 0003 0036 9\nE: 0.1 0000 0000 0\n",
    LibinputReaderTests.touchscreen,
    "3\n10 20 100 1 0 0 500\n11.5 20 108 1 0 0 510\n12 20 116 0 0 0 0\n",
  ]

  /// Bytes are changed, taken out and doubled; whatever is read must also decode.
  @Test(arguments: 0..<60) func `a damaged file is read or refused`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<(getenv("PARAPH_SOAK") == nil ? 40 : 2000) {
      var bytes = Array(Self.seeds[Int.random(in: 0..<3, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(index..<min(bytes.count - 1, index + 9))
        case 2: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 40)], at: index)
        default: bytes[index] = UInt8(ascii: "9")
        }
        if bytes.isEmpty { bytes = [10] }
      }
      do {
        decode(try Recording(bytes, file: "r"))
      } catch {
        #expect(error.text.hasPrefix("r:"), "seed \(seed)")
      }
    }
  }

  private func decode(_ recording: Recording) {
    guard case .device(let recording) = recording else { return }
    var decoder = ContactDecoder(recording.device, state: recording.state)
    var arbitration = TouchArbitration()
    let geometry = GlassGeometry(recording.device, on: .init(width: 100, height: 60))
    var wholeFrames = 0
    for event in recording.events where decoder.put(event) {
      wholeFrames += 1
      arbitration.process(
        decoder.frame, geometry: geometry, isPenNear: decoder.isPenNear, at: event.time)
      for index in arbitration.contacts.indices {
        let place = arbitration.contacts[index].sample.position
        #expect(place.x >= 0 && place.x <= 100 && place.y >= 0 && place.y <= 60)
      }
    }
    #expect(wholeFrames <= recording.events.count + 1)
  }
}
