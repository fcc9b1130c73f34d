import CLinux
import Testing
import Touch

@Suite struct PointReaderTests {
  @Test func `the button may precede the position`() {
    #expect(
      contacts(.singleTouch, "0: TOUCH 1\n8: X 10, Y 20, P 99\n16: P 80\n24: TOUCH 0, P 0") == [
        "0 down 10,20 @8 pressure 99", "0 move 10,20 @16 pressure 80", "0 up 10,20 @24 pressure 0",
      ])
  }

  @Test func `the position may precede the button`() {
    #expect(
      contacts(.singleTouch, "0: X 10, Y 20\n8: TOUCH 1\n16: X 11\n24: TOUCH 0") == [
        "0 down 10,20 @8", "0 move 11,20 @16", "0 up 11,20 @24",
      ])
  }

  @Test func `the last position may follow the button in its frame`() {
    #expect(
      contacts(.singleTouch, "0: TOUCH 1, X 10, Y 20\n8: TOUCH 0, X 12, Y 22") == [
        "0 down 10,20 @0", "0 up 12,22 @8",
      ])
  }

  @Test func `a position that only the previous contact reported is marked`() {
    #expect(
      contacts(
        .singleTouch, "0: TOUCH 1, X 10, Y 20\n8: TOUCH 0\n100: TOUCH 1\n108: X 900, Y 800") == [
          "0 down 10,20 @0", "0 up 10,20 @8", "1 down 10,20 @100 stale", "1 move 900,800 @108",
        ])
  }

  @Test func `BTN_LEFT alone is a touch`() {
    #expect(
      contacts(.leftButton, "0: X 10, Y 20, LEFT 1\n8: X 11\n12: RIGHT 1\n16: LEFT 0") == [
        "0 down 10,20 @0", "0 move 11,20 @8", "0 up 11,20 @16",
      ])
  }

  @Test func `BTN_LEFT of a device that declares BTN_TOUCH as well is a touch`() {
    var device = TestDevice.singleTouch.description
    device.add(EV_KEY, BTN_LEFT)
    #expect(
      contacts(device, "0: X 10, Y 20, LEFT 1\n8: X 11, TOUCH 1\n16: LEFT 0\n24: TOUCH 0") == [
        "0 down 10,20 @0", "0 move 11,20 @8", "0 move 11,20 @16", "0 up 11,20 @24",
      ])
  }

  /// A tablet's puck has buttons, as has a touchpad, and old tablets have keys in the node of their pen.
  @Test(arguments: [
    (TestDevice.pen, [BTN_TOOL_MOUSE], "0: X 9, Y 9, MOUSE 1\n8: LEFT 1\n16: X 10\n24: LEFT 0"),
    (.pen, [], "0: X 9, Y 9, PEN 1\n8: LEFT 1\n16: X 10\n24: LEFT 0"),
    (.singleTouch, [BTN_TOOL_FINGER], "0: X 9, Y 9\n8: LEFT 1\n16: LEFT 0"),
    (.leftButton, [BTN_TOOL_LENS], "0: X 9, Y 9\n8: LEFT 1\n16: LEFT 0"),
  ]) func `BTN_LEFT of a device that names its tools is no touch`(
    device: TestDevice, tools: [Int32], script: String
  ) {
    var description = device.description
    for key in tools + [BTN_LEFT] { description.add(EV_KEY, key) }
    #expect(contacts(description, script) == [])
  }

  @Test func `pressure without a button is a touch`() {
    #expect(
      contacts(.pressureOnly, "0: X 10, Y 20\n8: P 40\n16: X 11, P 50\n24: P 0\n32: X 12") == [
        "0 down 10,20 @8 pressure 40", "0 move 11,20 @16 pressure 50", "0 up 11,20 @24 pressure 0",
      ])
  }

  @Test func `axes alone begin no contact`() {
    #expect(contacts(.singleTouch, "0: X 10, Y 20, P 90\n8: X 11, P 91") == [])
  }

  @Test func `a repeated button is no second contact`() {
    #expect(
      contacts(.singleTouch, "0: X 1, Y 2, TOUCH 1\n8: TOUCH 1, X 2\n16: TOUCH 2, X 3") == [
        "0 down 1,2 @0", "0 move 2,2 @8", "0 move 3,2 @16",
      ])
  }

  @Test func `a remote control with axes in the range of slots has no slots`() {
    #expect(
      contacts(.fakeSlots, "0: ID 3, MX 5, MY 6\n8: X 1, Y 2, TOUCH 1") == ["0 down 1,2 @8"])
  }
}

@Suite struct PenTests {
  @Test func `hovering is no contact, and the button is one`() {
    #expect(
      contacts(
        .pen,
        """
        0: X 500, Y 600, D 40, PEN 1
        8: X 510, D 20
        16: X 520, D 5, P 90, TOUCH 1
        24: X 530, TILT 4
        32: SERIAL 77
        40: P 0, TOUCH 0
        48: X 540, D 30
        56: X 0, Y 0, D 0, PEN 0
        """) == [
          "0 down 520,600 @16 pressure 90 pen", "0 move 530,600 @24 pressure 90 pen",
          "0 up 530,600 @40 pressure 0 pen",
        ])
  }

  @Test func `axes may come frames before the tool, and the button without a place`() {
    #expect(
      contacts(
        .pen,
        """
        0: X 500
        8: Y 600, P 3
        16: PEN 1, SCAN 9
        24: SCAN 9, TOUCH 1, P 50
        32: TOUCH 0
        """) == [
          "0 down 500,600 @24 pressure 50 pen", "0 up 500,600 @32 pressure 50 pen",
        ])
  }

  @Test func `the button may come before the tool in its frame`() {
    #expect(
      contacts(.pen, "0: TOUCH 1, X 500, Y 600, PEN 1") == ["0 down 500,600 @0 pen"])
  }

  @Test func `the eraser is named`() {
    #expect(
      contacts(.pen, "0: X 500, Y 600, RUBBER 1, TOUCH 1\n8: TOUCH 0, RUBBER 0") == [
        "0 down 500,600 @0 eraser", "0 up 500,600 @8 eraser",
      ])
  }

  @Test func `a pen that goes away without releasing the button is up`() {
    #expect(
      contacts(
        .pen, "0: X 500, Y 600, PEN 1, TOUCH 1\n8: PEN 0\n100: X 900, PEN 1\n108: TOUCH 0") == [
          "0 down 500,600 @0 pen", "0 up 500,600 @8 pen", "1 down 900,600 @100 pen",
          "1 up 900,600 @108 pen",
        ])
  }

  @Test func `the smallest hover pressure is reported with each contact, until the pen leaves`() {
    var decoder = ContactDecoder(TestDevice.pen.description)
    var rests: [Int32?] = []
    let script = """
      0: X 5, Y 6, PEN 1, P 30
      8: P 25
      16: P 90, TOUCH 1
      24: P 20
      32: P 0, TOUCH 0
      40: PEN 0
      48: PEN 1, TOUCH 1, P 70
      """
    for event in Script.events(script) where decoder.put(event) {
      rests += decoder.frame.indices.map { decoder.frame[$0].restPressure }
    }
    #expect(rests == [25, 25, 25, nil])
  }

  @Test func `the pen of a touchscreen is distinguished by its axes`() {
    var decoder = ContactDecoder(TestDevice.slotsAndPen.description)
    var points: [Bool] = []
    let script = "0: ID 4, MX 1, MY 2\n8: ID -1\n100: PEN 1, X 7, Y 8\n108: TOUCH 1\n124: TOUCH 0"
    for event in Script.events(script) where decoder.put(event) {
      points += decoder.frame.indices.map { decoder.frame[$0].isPoint }
    }
    #expect(points == [false, false, true, true])
  }

  @Test func `the proximity of a pen is reported`() {
    var decoder = ContactDecoder(TestDevice.pen.description)
    var near: [Bool] = []
    for event in Script.events("0: PEN 1\n8: STYLUS 1\n16: PEN 0\n24: RUBBER 1\n32: RUBBER 0")
    where decoder.put(event) { near.append(decoder.isPenNear) }
    #expect(near == [true, true, false, true, false])
  }

  @Test func `fingers and a pen of one device are distinguished`() {
    #expect(
      contacts(
        .slotsAndPen,
        """
        0: SLOT 0, ID 4, MX 100, MY 200, X 100, Y 200, TOUCH 1
        8: ID -1, TOUCH 0
        100: PEN 1, X 700, Y 800
        108: TOUCH 1, P 40
        116: X 710
        124: TOUCH 0
        132: PEN 0
        """) == [
          "0 down 100,200 @0", "0 up 100,200 @8", "1 down 700,800 @108 pressure 40 pen",
          "1 move 710,800 @116 pressure 40 pen", "1 up 710,800 @124 pressure 40 pen",
        ])
  }
}
