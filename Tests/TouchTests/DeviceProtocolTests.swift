import CLinux
import Testing

@testable import Touch

@Suite struct DeviceProtocolTests {
  private func unmasked(_ device: TestDevice) -> Set<Int32> {
    let axes = DeviceProtocol(device.description).axes
    return Set((0...ABS_MAX).filter { axes & 1 << UInt64($0) != 0 })
  }

  @Test(arguments: TestDevice.allCases)
  func `every axis that affects contacts passes the mask`(device: TestDevice) {
    let description = device.description
    let reported = DeviceProtocol(description)
    var needed = [reported.axisX, reported.axisY, reported.axisPressure]
    if reported.multitouch != .none {
      needed += [ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_TOOL_TYPE, ABS_MT_DISTANCE]
    }
    if reported.point != .none { needed += [ABS_X, ABS_Y, ABS_PRESSURE, ABS_DISTANCE] }
    // It may stand for an empty list.
    if reported.multitouch == .lists { needed.append(ABS_PRESSURE) }
    #expect(unmasked(device).isSuperset(of: needed))
  }

  @Test func `the mask drops what repeats the first finger, and orientations`() {
    #expect(unmasked(.slots).isDisjoint(with: [ABS_X, ABS_Y, ABS_PRESSURE]))
    #expect(
      unmasked(.slots).isDisjoint(
        with: [ABS_MT_TOUCH_MINOR, ABS_MT_WIDTH_MAJOR, ABS_MT_ORIENTATION, ABS_MT_TOOL_X]))
    #expect(unmasked(.pen).allSatisfy { $0 < ABS_MT_SLOT })
    #expect(unmasked(.slotsAndPen).isSuperset(of: [ABS_X, ABS_Y, ABS_PRESSURE, ABS_TILT_X]))
  }
}

@Suite struct ProtocolBReaderTests {
  @Test func `a contact is down, moves and is up`() {
    #expect(
      contacts(
        .slots,
        """
        0: ID 5, MX 100, MY 200, TOUCH 1, X 100, Y 200
        8: MX 101, X 101
        16: ID -1, TOUCH 0
        """) == ["0 down 100,200 @0", "0 move 101,200 @8", "0 up 101,200 @16"])
  }

  @Test func `a down frame without axes keeps the old position`() {
    #expect(
      contacts(
        .slots,
        """
        0: ID 5, MX 100, MY 200
        80: ID -1
        200: ID 6, MY 210
        280: ID -1
        400: ID 7
        480: ID -1
        """) == [
          "0 down 100,200 @0", "0 up 100,200 @80", "1 down 100,210 @200", "1 up 100,210 @280",
          "2 down 100,210 @400 stale", "2 up 100,210 @480",
        ])
  }

  @Test func `a contact is not down before both axes are known`() {
    #expect(
      contacts(
        .slots,
        """
        0: ID 5, MX 100
        8: MX 101
        16: MY 50
        24: ID -1
        """) == ["0 down 101,50 @16", "0 up 101,50 @24"])
  }

  @Test func `a contact without a position only ends`() {
    #expect(contacts(.slots, "0: ID 5\n8: MX 100\n16: ID -1") == ["0 up - @16"])
  }

  @Test func `slots keep their own axes`() {
    #expect(
      contacts(
        .slots,
        """
        0: SLOT 0, ID 1, MX 10, MY 20, SLOT 1, ID 2, MX 30, MY 40
        8: SLOT 0, MX 11
        16: MX 12, SLOT 1, MY 41
        24: SLOT 0, ID -1, SLOT 1, ID -1
        100: SLOT 1, ID 3, MX 31
        108: ID -1
        """) == [
          "0 down 10,20 @0", "1 down 30,40 @0 slot 1", "0 move 11,20 @8", "0 move 12,20 @16",
          "1 move 30,41 @16 slot 1", "0 up 12,20 @24", "1 up 30,41 @24 slot 1",
          "2 down 31,41 @100 slot 1", "2 up 31,41 @108 slot 1",
        ])
  }

  @Test func `another tracking id without a release ends one contact and begins another`() {
    #expect(
      contacts(.slots, "0: ID 5, MX 1, MY 2\n8: ID 6, MX 700\n16: ID -1") == [
        "0 down 1,2 @0", "0 up 1,2 @8", "1 down 700,2 @8", "1 up 700,2 @16",
      ])
  }

  @Test func `two downs in a slot are two contacts`() {
    #expect(
      contacts(.slots, "0: ID 5, MX 1, MY 2\n8: ID 5, MX 3\n16: ID 9\n24: ID -1") == [
        "0 down 1,2 @0", "0 move 3,2 @8", "0 up 3,2 @16", "1 down 3,2 @16 stale", "1 up 3,2 @24",
      ])
  }

  @Test func `a contact within one frame is only up`() {
    #expect(contacts(.slots, "0: ID 5, MX 1, MY 2, ID -1") == ["0 up 1,2 @0"])
  }

  @Test func `the slot that was current before the first event is the device's`() {
    var state = DeviceState()
    state.slot = 3
    #expect(
      contacts(.slots, state: state, "0: ID 5, MX 1, MY 2") == ["0 down 1,2 @0 slot 3"])
  }

  @Test func `values for a slot that the device lacks are ignored`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    let lines = contacts(
      &decoder,
      """
      0: ID 5, MX 1, MY 2
      8: SLOT 5, ID 6, MX 3, MY 4
      16: MX 5, SLOT -1, MX 6
      24: SLOT 0, MX 7
      """)
    #expect(lines == ["0 down 1,2 @0", "0 move 7,2 @24"])
  }

  @Test func `axes alone begin no contact`() {
    #expect(contacts(.slots, "0: MX 1, MY 2\n8: MX 2, X 2\n16: ID -1\n24: TOUCH 1") == [])
  }

  @Test func `a report without movement counts as a report`() {
    #expect(
      contacts(.slots, "0: ID 5, MX 1, MY 2, MP 30\n8: MP 31\n16: MAJOR 7\n24: X 9") == [
        "0 down 1,2 @0 pressure 30", "0 move 1,2 @8 pressure 31", "0 move 1,2 @16 pressure 31",
      ])
    #expect(
      contacts(.slots, "0: ID 5, MX 1, MY 2\n8: ID 5") == ["0 down 1,2 @0", "0 move 1,2 @8"])
  }

  @Test func `palms and hovering contacts are reported and marked`() {
    #expect(
      contacts(
        .slots,
        """
        0: ID 5, MX 1, MY 2, MD 4
        8: MD 0
        16: MT 2
        24: MT 0
        32: ID -1
        """) == [
          "0 down 1,2 @0 hovering", "0 move 1,2 @8", "0 move 1,2 @16 palm", "0 move 1,2 @24",
          "0 up 1,2 @32",
        ])
  }

  @Test func `a panel without ABS_X and ABS_Y is read`() {
    #expect(
      contacts(.slotsOnly, "0: SLOT 9, ID 5, MX 1, MY 2\n8: ID -1") == [
        "0 down 1,2 @0 slot 9", "0 up 1,2 @8 slot 9",
      ])
  }

  @Test func `a storm of contacts in one frame is counted and does not disturb the others`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    let storm = (0..<500).map { "ID \($0 + 10)" }.joined(separator: ", ")
    let lines = contacts(&decoder, "0: SLOT 1, ID 1, MX 5, MY 6\n8: SLOT 0, MX 1, MY 2, \(storm)")
    #expect(lines.first == "0 down 5,6 @0 slot 1")
    #expect(lines.last == "500 down 1,2 @8")
    #expect(decoder.contactsDropped == 499 - 64)
  }
}
