import Ink
import Testing
import Touch

/// What draws of a script, on a glass where a unit is 0.1 mm: "down 0 10.0,20.0 @0" with the contact's
/// number on the glass and milliseconds.
private func drawn(
  _ device: TestDevice, policy: TouchArbitration.Policy = .first,
  state: DeviceState = DeviceState(), _ script: String
) -> [String] {
  var arbitration = TouchArbitration(policy)
  var player = Player(device, state: state)
  return player.play(script, into: &arbitration)
}

private func drawn(_ script: String) -> [String] { drawn(.slots, script) }

/// One device of several that draw on one glass.
private struct Player: ~Copyable {
  var decoder: ContactDecoder
  let geometry: GlassGeometry
  let number: Int32

  init(_ device: TestDevice, state: DeviceState = DeviceState(), number: Int32 = 0) {
    decoder = ContactDecoder(device.description, state: state)
    geometry = GlassGeometry(device.description, unitsPerMillimetre: (10, 10))
    self.number = number
  }

  mutating func play(_ script: String, into arbitration: inout TouchArbitration) -> [String] {
    var lines: [String] = []
    for event in Script.events(script) where decoder.put(event) {
      arbitration.process(
        decoder.frame, device: number, geometry: geometry, isPenNear: decoder.isPenNear,
        isPenReporting: decoder.isPenReporting, at: event.time)
      lines += arbitration.contacts.indices.map { arbitration.contacts[$0].words }
    }
    return lines
  }
}

extension GlassContact {
  fileprivate var words: String {
    let place = "\(sample.position.x),\(sample.position.y)"
    return "\(phase) \(contact) \(place) @\(sample.time / 1_000_000)"
      + (isAfterGap ? " gap" : "") + (isMistake ? " mistake" : "")
  }
}

@Suite struct TouchArbitrationTests {
  @Test func `a finger draws`() {
    #expect(
      drawn("0: ID 5, MX 100, MY 200\n8: MX 101\n50: ID -1") == [
        "down 0 10.0,20.0 @0", "move 0 10.1,20.0 @8", "up 0 10.1,20.0 @50",
      ])
  }

  @Test func `a second finger does not draw, also not after the first`() {
    #expect(
      drawn(
        """
        0: SLOT 0, ID 5, MX 100, MY 200
        8: SLOT 1, ID 6, MX 500, MY 200
        16: SLOT 0, MX 101, SLOT 1, MX 501
        50: SLOT 0, ID -1
        58: SLOT 1, MX 502
        66: SLOT 2, ID 7, MX 300, MY 300
        82: ID -1, SLOT 1, ID -1
        """) == [
          "down 0 10.0,20.0 @0", "move 0 10.1,20.0 @16", "up 0 10.1,20.0 @50",
          "down 1 30.0,30.0 @66", "cancel 1 30.0,30.0 @66 mistake",
        ])
  }

  @Test func `all fingers draw if configured`() {
    #expect(
      drawn(
        .slots, policy: .all,
        "0: SLOT 0, ID 5, MX 100, MY 200, SLOT 1, ID 6, MX 500, MY 300\n8: MX 501\n60: ID -1") == [
          "down 0 10.0,20.0 @0", "down 1 50.0,30.0 @0", "move 1 50.1,30.0 @8",
          "up 1 50.1,30.0 @60",
        ])
  }

  @Test func `a contact that ends in a frame makes room for one that begins`() {
    #expect(
      drawn(
        """
        0: SLOT 1, ID 5, MX 100, MY 200
        50: ID -1, SLOT 0, ID 6, MX 300, MY 300
        """) == ["down 0 10.0,20.0 @0", "up 0 10.0,20.0 @50", "down 1 30.0,30.0 @50"])
  }

  @Test func `a palm from the start does not draw, even when it becomes smaller`() {
    #expect(drawn("0: ID 5, MT 2, MX 1, MY 2\n8: MT 0, MX 3\n16: MX 4\n90: ID -1") == [])
  }

  @Test func `a contact that becomes a palm is removed, and does not draw again`() {
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n8: MX 20\n16: MT 2\n24: MT 0, MX 30\n90: ID -1") == [
        "down 0 1.0,2.0 @0", "move 0 2.0,2.0 @8", "cancel 0 2.0,2.0 @8 mistake",
      ])
  }

  @Test func `a hovering finger draws while it touches`() {
    #expect(
      drawn(
        """
        0: ID 5, MX 10, MY 20, MD 3
        8: MX 20
        16: MX 30, MD 0
        24: MX 40
        32: MX 50, MD 2
        40: MX 60
        48: MX 70, MD 0
        90: ID -1
        """) == [
          "down 0 3.0,2.0 @16", "move 0 4.0,2.0 @24", "up 0 5.0,2.0 @32", "down 1 7.0,2.0 @48",
          "up 1 7.0,2.0 @90",
        ])
  }

  @Test func `a finger that rested on the glass at the start does not draw`() {
    var state = DeviceState()
    state.slots = [DeviceState.Slot()]
    state.slots[0].trackingID = 3
    (state.slots[0].x, state.slots[0].y) = (10, 20)
    #expect(
      drawn(.slots, state: state, "0: MX 11\n8: MX 12\n16: ID -1\n24: ID 4, MX 50\n90: ID -1") == [
        "down 0 5.0,2.0 @24", "up 0 5.0,2.0 @90",
      ])
  }

  @Test func `a ghost of one report leaves nothing, and a tap leaves a dot`() {
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n14: ID -1") == [
        "down 0 1.0,2.0 @0", "cancel 0 1.0,2.0 @0 mistake",
      ])
    // As short as the taps of a Wacom ISDv4 E6.
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n24: ID -1") == ["down 0 1.0,2.0 @0", "up 0 1.0,2.0 @24"])
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n8: MX 12\n16: ID -1").last == "up 0 1.2,2.0 @16")
  }

  /// As short as the dots of a Wacom Cintiq 22HDT's pen.
  @Test func `a pen's dot of one report is ink`() {
    #expect(
      drawn(.pen, "0: X 500, Y 600, PEN 1\n8: TOUCH 1, P 293\n15: TOUCH 0, P 0") == [
        "down 0 50.0,60.0 @8", "up 0 50.0,60.0 @15",
      ])
    // Again at the same place, of which the tablet then says nothing.
    #expect(
      drawn(
        .pen,
        """
        0: X 500, Y 600, PEN 1
        8: TOUCH 1, P 9
        80: TOUCH 0, P 0
        90: TOUCH 1, P 9
        97: TOUCH 0, P 0
        """
      ).suffix(2) == ["down 1 50.0,60.0 @90", "up 1 50.0,60.0 @97"])
  }

  @Test func `a flickering tracking id without a position leaves nothing`() {
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n80: ID -1\n200: ID 6\n216: ID -1\n300: ID 7\n316: ID -1") == [
        "down 0 1.0,2.0 @0", "up 0 1.0,2.0 @80",
      ])
  }

  @Test func `a tap at the position of the previous one is a dot`() {
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n80: ID -1\n200: ID 6\n290: ID -1").suffix(2) == [
        "down 1 1.0,2.0 @200", "up 1 1.0,2.0 @290",
      ])
  }

  @Test func `no ink leads from an old position to the finger`() {
    #expect(
      drawn(
        .singleTouch,
        "0: TOUCH 1, X 10, Y 20\n80: TOUCH 0\n200: TOUCH 1\n208: X 3000, Y 2000\n216: X 3010") == [
          "down 0 1.0,2.0 @0", "up 0 1.0,2.0 @80", "down 1 300.0,200.0 @208",
          "move 1 301.0,200.0 @216",
        ])
  }

  @Test func `an old position begins a stroke that continues there`() {
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n80: ID -1\n200: ID 6\n208: MX 13").suffix(2) == [
        "down 1 1.0,2.0 @200", "move 1 1.3,2.0 @208",
      ])
  }

  @Test func `a gap is passed on`() {
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n8: DROPPED\n16: MX 90\n24: MX 91").suffix(2) == [
        "move 0 9.0,2.0 @16 gap", "move 0 9.1,2.0 @24",
      ])
  }

  @Test func `an eraser does not draw`() {
    #expect(
      drawn(.pen, "0: RUBBER 1, X 500, Y 600, TOUCH 1\n8: X 510\n90: TOUCH 0, RUBBER 0") == [])
  }

  @Test func `a near pen removes fingers and rejects them for 90 ms`() {
    var arbitration = TouchArbitration(.first)
    var touch = Player(.slots, number: 0)
    var pen = Player(.pen, number: 1)
    #expect(touch.play("0: ID 5, MX 10, MY 20\n8: MX 11", into: &arbitration).count == 2)
    #expect(
      pen.play("16: PEN 1, X 500, Y 600", into: &arbitration) == ["cancel 0 1.1,2.0 @8 mistake"])
    #expect(touch.play("24: MX 12\n32: SLOT 1, ID 6, MX 50, MY 60", into: &arbitration) == [])
    #expect(
      pen.play("40: TOUCH 1\n48: X 510\n80: TOUCH 0\n100: PEN 0", into: &arbitration).count == 3)
    #expect(
      touch.play(
        "180: SLOT 2, ID 7, MX 90, MY 90\n200: ID -1, SLOT 3, ID 8, MX 95, MY 90",
        into: &arbitration)
        == ["down 2 9.5,9.0 @200"])
  }

  @Test func `a silent pen does not reject fingers forever`() {
    var arbitration = TouchArbitration(.first)
    var touch = Player(.slots, number: 0)
    var pen = Player(.pen, number: 1)
    #expect(pen.play("0: PEN 1, X 500, Y 600", into: &arbitration) == [])
    #expect(touch.play("1000: ID 5, MX 1, MY 2\n1050: ID -1", into: &arbitration) == [])
    #expect(touch.play("2100: ID 6, MX 1", into: &arbitration).count == 1)
  }

  @Test func `touch is ignored for 90 ms after a pen has left, and no longer`() {
    for (begin, count) in [(8.0, 0), (97.999, 0), (98.0, 1), (1.0, 1)] {
      var arbitration = TouchArbitration(.first)
      var touch = Player(.slots, number: 0)
      var pen = Player(.pen, number: 1)
      #expect(pen.play("0: PEN 1, X 500, Y 600\n8: PEN 0", into: &arbitration) == [])
      // A clock that steps back ends the wait.
      let lines = touch.play("\(begin): ID 5, MX 10, MY 20", into: &arbitration)
      #expect(lines.count == count, "at \(begin) ms")
    }
  }

  @Test func `touch is ignored after a pen has left, although the device measured it before`() {
    var arbitration = TouchArbitration(.first)
    var touch = Player(.slots, number: 0)
    var pen = Player(.pen, number: 1)
    #expect(pen.play("0: PEN 1, X 500, Y 600", into: &arbitration) == [])
    let early = "90: ID 5, MX 10, MY 20, STAMP 1000\n95: ID -1, STAMP 6000"
    #expect(touch.play(early, into: &arbitration) == [])
    #expect(pen.play("100: PEN 0", into: &arbitration) == [])
    // Measured at 98 ms.
    let late = "105: ID 6, MX 50, STAMP 9000\n150: ID -1, STAMP 54000"
    #expect(touch.play(late, into: &arbitration) == [])
  }

  @Test func `a pen whose leaving was lost does not reject fingers of its own node`() {
    var arbitration = TouchArbitration(.first)
    var device = Player(.slotsAndPen)
    #expect(device.play("0: PEN 1, X 500, Y 600", into: &arbitration) == [])
    // On the axes of a single touch as well, as kernels do.
    let early = "1000: ID 5, MX 1, MY 2, X 1, Y 2\n1050: ID -1"
    #expect(device.play(early, into: &arbitration) == [])
    #expect(
      device.play("2100: ID 6, MX 10, X 10\n2108: MX 11, X 11", into: &arbitration).count == 2)
    // It was there all the time.
    #expect(
      device.play("2200: X 500", into: &arbitration).map { $0.suffix(7) } == ["mistake"])
  }

  @Test func `a hovering pen rejects fingers as long as it reports`() {
    var arbitration = TouchArbitration(.first)
    var device = Player(.slotsAndPen)
    let pen = (0..<40).map { "\($0 * 100): PEN 1, X \(500 + $0), Y 600" }.joined(separator: "\n")
    #expect(device.play(pen, into: &arbitration) == [])
    #expect(device.play("4000: ID 5, MX 1, MY 2\n4050: ID -1", into: &arbitration) == [])
  }

  @Test func `a finger of a single report is noise for 20 ms, and no longer`() {
    #expect(
      drawn("0: ID 5, MX 10, MY 20\n19: ID -1").last?.hasSuffix("mistake") == true)
    #expect(drawn("0: ID 5, MX 10, MY 20\n20: ID -1").last == "up 0 1.0,2.0 @20")
    #expect(drawn("0: ID 5, MX 10, MY 20\n7200000: ID -1").last == "up 0 1.0,2.0 @7200000")
  }

  @Test func `ink of a lost device stays`() {
    var arbitration = TouchArbitration(.first)
    var touch = Player(.slots, number: 0)
    #expect(touch.play("0: ID 5, MX 10, MY 20\n8: MX 11", into: &arbitration).count == 2)
    let hadContacts = touch.decoder.cancelAll(at: 20_000_000)
    #expect(hadContacts)
    arbitration.process(touch.decoder.frame, geometry: touch.geometry, at: 20_000_000)
    #expect(
      arbitration.contacts.indices.map { arbitration.contacts[$0].words } == ["cancel 0 1.1,2.0 @8"]
    )
    // The screen is back, under another number.
    var back = Player(.slots, number: 1)
    #expect(back.play("0: ID 5, MX 10, MY 20", into: &arbitration) == ["down 1 1.0,2.0 @0"])
  }

  @Test func `time that steps back causes no ghost`() {
    #expect(drawn("80: ID 5, MX 10, MY 20\n8: ID -1").last == "up 0 1.0,2.0 @8")
  }
}
