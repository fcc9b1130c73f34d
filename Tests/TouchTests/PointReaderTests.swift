import CLinux
import Testing
import Touch

@Suite struct PointReaderTests {
  @Test func `the button may come before the place`() {
    #expect(
      contacts(.singleTouch, "0: TOUCH 1\n8: X 10, Y 20, P 99\n16: P 80\n24: TOUCH 0, P 0") == [
        "0 down 10,20 @8 pressure 99", "0 move 10,20 @16 pressure 80", "0 up 10,20 @24 pressure 0",
      ])
  }

  @Test func `the place may come before the button`() {
    #expect(
      contacts(.singleTouch, "0: X 10, Y 20\n8: TOUCH 1\n16: X 11\n24: TOUCH 0") == [
        "0 down 10,20 @8", "0 move 11,20 @16", "0 up 11,20 @24",
      ])
  }

  @Test func `the last place may come after the button in its frame`() {
    #expect(
      contacts(.singleTouch, "0: TOUCH 1, X 10, Y 20\n8: TOUCH 0, X 12, Y 22") == [
        "0 down 10,20 @0", "0 up 12,22 @8",
      ])
  }

  @Test func `a place that only the contact before it stated is marked`() {
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

  @Test func `axes where slots would be do not make slots of a remote control`() {
    #expect(
      contacts(.fakeSlots, "0: ID 3, MX 5, MY 6\n8: X 1, Y 2, TOUCH 1") == ["0 down 1,2 @8"])
  }
}
