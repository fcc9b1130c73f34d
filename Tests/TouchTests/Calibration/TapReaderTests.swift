import Testing
import Touch

@Suite struct TapReaderTests {
  /// What a script's contacts mean, in thousandths of the sides.
  private func signals(_ device: TestDevice, _ script: String) -> [String] {
    var decoder = ContactDecoder(device.description)
    var taps = TapReader(device.description)
    var signals: [String] = []
    for event in Script.events(script) where decoder.put(event) {
      for index in decoder.frame.indices {
        switch taps.process(decoder.frame[index]) {
        case .pressed: signals.append("pressed")
        case .refused: signals.append("refused")
        case .tapped(let place):
          signals.append("\(Int((place.x * 1000).rounded())),\(Int((place.y * 1000).rounded()))")
        case nil: break
        }
      }
    }
    return signals
  }

  @Test func `a finger that comes, rests and leaves has tapped in the middle of its places`() {
    #expect(
      signals(
        .singleTouch, "0: X 400, Y 2048, TOUCH 1\n10: X 1024\n20: X 1025\n30: X 1023\n60: TOUCH 0")
        == ["pressed", "250,500"])
  }

  @Test func `a finger that slides has not tapped`() {
    #expect(
      signals(
        .slots, "0: ID 1, MX 100, MY 100\n10: MX 130\n20: MX 170\n30: MX 220\n60: ID -1")
        == ["pressed", "refused"])
  }

  @Test func `two fingers are not a tap, until both have left`() {
    #expect(
      signals(
        .slots,
        """
        0: SLOT 0, ID 1, MX 100, MY 100
        20: SLOT 1, ID 2, MX 500, MY 300
        40: SLOT 0, ID -1
        50: SLOT 0, ID 3, MX 90, MY 90
        60: SLOT 1, ID -1
        80: SLOT 0, ID -1
        100: ID 4, MX 400, MY 240
        160: ID -1
        """) == ["pressed", "pressed", "refused", "pressed", "500,500"])
  }

  @Test func `palms, hovering fingers and ghosts do not tap`() {
    #expect(
      signals(.slots, "0: ID 1, MX 100, MY 100, MT 2\n60: ID -1") == ["pressed", "refused"])
    #expect(signals(.slots, "0: ID 1, MX 100, MY 100\n9: ID -1") == ["pressed", "refused"])
  }

  @Test func `a position that the previous contact left does not count`() {
    #expect(
      signals(
        .singleTouch,
        "0: X 4000, Y 4000, TOUCH 1\n60: TOUCH 0\n200: TOUCH 1\n210: X 1024, Y 2048\n260: TOUCH 0")
        == ["pressed", "977,977", "pressed", "250,500"])
  }
}
