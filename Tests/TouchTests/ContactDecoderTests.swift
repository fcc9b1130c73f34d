import CLinux
import Testing

@testable import Touch

@Suite struct ContactDecoderTests {
  @Test func `a frame with nothing but the pen's key is the pen's`() {
    var decoder = ContactDecoder(TestDevice.slotsAndPen.description)
    for event in Script.events("0: PEN 1") { _ = decoder.put(event) }
    #expect(decoder.isPenNear && decoder.isPenReporting)
    for event in Script.events("8: ID 5, MX 10, MY 20") { _ = decoder.put(event) }
    #expect(decoder.isPenNear && !decoder.isPenReporting)
  }

  @Test func `a frame after a gap is the pen's by its own events alone`() {
    var decoder = ContactDecoder(TestDevice.slotsAndPen.description)
    for event in Script.events("0: PEN 1") { _ = decoder.put(event) }
    decoder.markGap()
    for event in Script.events("8: X 10") { _ = decoder.put(event) }
    #expect(decoder.isPenNear && decoder.isPenReporting)
    decoder.markGap()
    for event in Script.events("16:") { _ = decoder.put(event) }
    #expect(decoder.isPenNear && !decoder.isPenReporting)
  }

  @Test func `a split frame after a gap suspends no contact`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    #expect(contacts(&decoder, "0: ID 5, MX 10, MY 20") == ["0 down 10,20 @0"])
    decoder.markGap()
    #expect(contacts(&decoder, "8: MX 11, SPLIT\n8: MY 21") == ["0 move 11,21 @8 gap"])
  }

  @Test func `events are skipped until the next report after a loss, and the gap is marked`() {
    #expect(
      contacts(
        .slots,
        """
        0: ID 5, MX 10, MY 20
        8: MX 11
        16: DROPPED, MX 400, ID 9
        24: MX 12
        32: MX 13
        """) == [
          "0 down 10,20 @0", "0 move 11,20 @8", "0 move 12,20 @24 gap", "0 move 13,20 @32",
        ])
  }

  @Test func `the slot is followed while frames are dropped`() {
    #expect(
      contacts(
        .slots,
        """
        0: SLOT 0, ID 5, MX 10, MY 20, SLOT 1, ID 6, MX 30, MY 40
        16: DROPPED, SLOT 0
        24: MX 12
        """
      ).last == "0 move 12,20 @24 gap")
  }

  @Test func `moved slots without a contact begin no stroke after a gap`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    decoder.markGap()
    #expect(contacts(&decoder, "0: SLOT 2, MX 10, MY 20\n8: MX 11, TOUCH 1") == [])
  }

  @Test func `a queried state yields to a frame that arrived meanwhile`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    #expect(contacts(&decoder, "0: ID 5, MX 10, MY 20") == ["0 down 10,20 @0"])
    decoder.markGap(isResync: true)
    #expect(contacts(&decoder, "16: MX 50, MY 60") == [])
    #expect(contacts(&decoder, "17: MX 51, MY 62") == ["0 move 51,62 @17 gap"])
    let isMore = decoder.finishResync()
    #expect(!isMore)
  }

  @Test func `a queried state counts if the device is silent`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    #expect(contacts(&decoder, "0: ID 5, MX 10, MY 20") == ["0 down 10,20 @0"])
    decoder.markGap(isResync: true)
    #expect(contacts(&decoder, "16: MX 50, MY 60, SLOT 1, ID 6, MX 1, MY 2") == [])
    let isMore = decoder.finishResync()
    #expect(isMore)
    #expect(decoder.lines == ["0 move 50,60 @16 gap", "1 down 1,2 @16 slot 1"])
    #expect(contacts(&decoder, "24: SLOT 0, MX 52") == ["0 move 52,60 @24"])
  }

  @Test func `a contact that begins where the last one ended has no place of its own yet`() {
    #expect(
      contacts(.slots, "0: ID 5, MX 10, MY 20\n8: MX 11, ID -1\n16: ID 6\n24: MX 12") == [
        "0 down 10,20 @0", "0 up 11,20 @8", "1 down 11,20 @16 stale", "1 move 12,20 @24",
      ])
  }

  @Test func `a contact that begins after the gap has none before it`() {
    #expect(
      contacts(.slots, "0: ID 5, MX 10, MY 20\n8: DROPPED\n16: ID 6, MX 30\n24: MX 31") == [
        "0 down 10,20 @0", "0 up 10,20 @16 gap", "1 down 30,20 @16", "1 move 31,20 @24",
      ])
  }

  @Test func `a list of contacts is forgotten with the gap`() {
    #expect(
      contacts(
        .lists, "0: MX 1, MY 2, MREPORT\n8: MX 90, OPEN\n8: DROPPED\n16: MX 3, MY 2, MREPORT") == [
          "0 down 1,2 @0", "0 move 3,2 @16 gap",
        ])
    #expect(
      contacts(
        .lists,
        "0: MX 1, MY 2, MREPORT\n8: MX 90, MY 9, MREPORT, OPEN\n8: DROPPED\n16: MX 3, MY 2, MREPORT"
      ) == ["0 down 1,2 @0", "0 move 3,2 @16 gap"])
  }

  @Test func `the parts of a frame that the kernel split are one`() {
    #expect(
      contacts(
        .slots,
        """
        0: ID 5, MX 10, MY 20
        8: ID -1
        100: ID 6, SPLIT
        100: MX 300, MY 400
        """) == ["0 down 10,20 @0", "0 up 10,20 @8", "1 down 300,400 @100"])
  }

  @Test func `SYN_REPORT 1 ends a frame where time goes on`() {
    #expect(
      contacts(.slots, "0: ID 5, MX 10, MY 20, SPLIT\n8: MX 11, SPLIT\n16: MX 12, SPLIT\n24: MX 13")
        == [
          "0 down 10,20 @0", "0 move 11,20 @8", "0 move 12,20 @16", "0 move 13,20 @24",
        ])
  }

  @Test func `a frame that SYN_REPORT 1 ended is not lost to an empty one`() {
    #expect(
      contacts(.slots, "0: ID 5, MX 10, MY 20, SPLIT\n8:\n16: ID -1") == [
        "0 down 10,20 @0", "0 up 10,20 @16",
      ])
  }

  @Test(arguments: [
    (TestDevice.slots, "0: ID 5, MX 10, MY 20", "8: ID -1, SPLIT"),
    (.slots, "0: ID 5, MX 10, MY 20, TOUCH 1", "8: TOUCH 0, ID -1, SPLIT"),
    (.singleTouch, "0: X 10, Y 20, TOUCH 1", "8: TOUCH 0, SPLIT"),
    (.lists, "0: MX 10, MY 20, MREPORT, TOUCH 1", "8: TOUCH 0, SPLIT"),
  ]) func `a device that is suspended or inhibited ends its contacts without another event`(
    device: TestDevice, touch: String, release: String
  ) {
    var decoder = ContactDecoder(device.description)
    #expect(contacts(&decoder, touch) == ["0 down 10,20 @0"])
    #expect(contacts(&decoder, release) == ["0 up 10,20 @8"])
  }

  @Test func `no line leads from before a suspend to a contact of the same number after it`() {
    // CLOCK_MONOTONIC stands still meanwhile: the events lie a microsecond apart.
    #expect(
      contacts(
        .slots, "0: ID 5, MX 10, MY 20\n8: ID -1, SPLIT\n8.001: ID 5, MX 900, MY 800\n16: MX 901")
        == ["0 down 10,20 @0", "0 up 10,20 @8", "1 down 900,800 @8", "1 move 901,800 @16"])
  }

  @Test func `a suspend that releases the keys alone ends the contacts in slots`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    let touch = "0: SLOT 0, ID 5, MX 10, MY 20, SLOT 1, ID 6, MX 30, MY 40, TOUCH 1"
    #expect(contacts(&decoder, touch) == ["0 down 10,20 @0", "1 down 30,40 @0 slot 1"])
    #expect(contacts(&decoder, "8: TOUCH 0, SPLIT") == ["0 up 10,20 @8", "1 up 30,40 @8 slot 1"])
    // The driver goes on with the one number, and ends the other one.
    #expect(
      contacts(&decoder, "8.001: ID -1, SLOT 0, MX 900, MY 800, TOUCH 1\n16: MX 901\n24: ID -1")
        == [
          "2 down 900,800 @8", "2 move 901,800 @16", "2 up 901,800 @24",
        ])
    #expect(contacts(&decoder, "32: MX 7\n40: SLOT 1, MX 8") == [])
  }

  @Test func `a split frame in which one of two contacts ends stays one frame`() {
    #expect(
      contacts(
        .slots,
        """
        0: SLOT 0, ID 5, MX 10, MY 20, SLOT 1, ID 6, MX 30, MY 40
        8: ID -1, SPLIT
        8: SLOT 0, MX 11
        """
      ).suffix(2) == ["0 move 11,20 @8", "1 up 30,40 @8 slot 1"])
  }

  @Test func `a finger that rests on the glass at the start is marked`() {
    var state = DeviceState()
    state.slot = 1
    state.slots = [DeviceState.Slot(), DeviceState.Slot()]
    state.slots[1].trackingID = 77
    (state.slots[1].x, state.slots[1].y) = (10, 20)
    (state.slots[0].x, state.slots[0].y) = (30, 40)
    #expect(
      contacts(.slots, state: state, "0: MX 11\n8: ID -1\n16: SLOT 0, ID 78\n24: SLOT 1, ID 79")
        == [
          "0 down 11,20 @0 slot 1 resting", "0 up 11,20 @8 slot 1 resting",
          "1 down 30,40 @16 stale", "2 down 11,20 @24 slot 1 stale",
        ])
  }

  @Test func `a finger that rests is not reported until it reports itself`() {
    var state = DeviceState()
    state.slots = [DeviceState.Slot(), DeviceState.Slot()]
    state.slots[1].trackingID = 77
    (state.slots[1].x, state.slots[1].y) = (10, 20)
    #expect(
      contacts(.slots, state: state, "0: SLOT 0, ID 78, MX 30, MY 40\n8: SLOT 1, MX 11") == [
        "1 down 30,40 @0", "0 down 11,20 @8 slot 1 resting",
      ])
  }

  @Test(arguments: [
    (TestDevice.slots, "0: SLOT 4, ID 5, MX 10, MY 20", "8: ID -1"),
    (.slotsAndPen, "0: PEN 1, TOUCH 1, X 10, Y 20", "8: TOUCH 0"),
    (.singleTouch, "0: TOUCH 1, X 10, Y 20", "8: TOUCH 0"),
  ])
  func `a device is touched by a contact of any of its slots, or by its pen`(
    device: TestDevice, down: String, up: String
  ) {
    var decoder = ContactDecoder(device.description)
    var touched = [decoder.isTouched]
    for script in [down, up] {
      #expect(contacts(&decoder, script).count == 1)
      touched.append(decoder.isTouched)
    }
    #expect(touched == [false, true, false])
  }

  @Test func `a tool above the glass at the start does not touch it`() {
    var state = DeviceState()
    state.slots = [DeviceState.Slot()]
    (state.slots[0].trackingID, state.slots[0].distance) = (77, 1)
    (state.slots[0].x, state.slots[0].y) = (10, 20)
    var decoder = ContactDecoder(TestDevice.slots.description, state: state)
    let isMoved = decoder.put(InputEvent(time: 0, EV_ABS, ABS_MT_POSITION_X, 11))
    let isComplete = decoder.put(InputEvent(time: 0, EV_SYN, SYN_REPORT, 0))
    #expect(!isMoved && isComplete && decoder.frame.count == 1)
    #expect(decoder.frame[0].isHovering && !decoder.isTouched)
    _ = decoder.put(InputEvent(time: 1, EV_ABS, ABS_MT_DISTANCE, 0))
    _ = decoder.put(InputEvent(time: 1, EV_SYN, SYN_REPORT, 0))
    #expect(!decoder.frame[0].isHovering && decoder.isTouched)
  }

  @Test func `a button that is pressed at the start is a resting contact`() {
    var state = DeviceState()
    (state.x, state.y) = (10, 20)
    state.keys.insert(BTN_TOUCH)
    #expect(
      contacts(.singleTouch, state: state, "0: X 11\n8: TOUCH 0\n16: TOUCH 1, X 12") == [
        "0 down 11,20 @0 resting", "0 up 11,20 @8 resting", "1 down 12,20 @16",
      ])
  }

  @Test func `a panel that is pressed at the start has a resting contact without a button, too`() {
    var state = DeviceState()
    (state.x, state.y, state.pressure) = (10, 20, 40)
    #expect(
      contacts(.pressureOnly, state: state, "0: X 11, P 50\n8: P 0\n16: X 12, P 40") == [
        "0 down 11,20 @0 pressure 50 resting", "0 up 11,20 @8 pressure 0 resting",
        "1 down 12,20 @16 pressure 40",
      ])
    state.pressure = 0
    #expect(
      contacts(.pressureOnly, state: state, "0: X 11, P 50") == ["0 down 11,20 @0 pressure 50"])
  }

  @Test func `contacts of a device that is gone are cancelled`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    _ = contacts(&decoder, "0: ID 5, MX 10, MY 20, SLOT 1, ID 6")
    let hadContacts = decoder.cancelAll(at: 9_000_000)
    #expect(hadContacts)
    #expect(decoder.lines == ["0 cancel 10,20 @9", "1 cancel - @9 slot 1"])
    let hasMore = decoder.cancelAll(at: 9_000_000)
    #expect(!hasMore)
  }

  @Test func `time that stands still or steps back is passed on as it is`() {
    #expect(
      contacts(.slots, "50: ID 5, MX 10, MY 20\n50: MX 11\n8: MX 12") == [
        "0 down 10,20 @50", "0 move 11,20 @50", "0 move 12,20 @8",
      ])
  }

  @Test func `the device's own time is reported beside the kernel's`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    var times: [[Int64]] = []
    let script = """
      100: ID 5, MX 10, MY 20, STAMP 7000
      113: MX 11, STAMP 17000
      120: MX 12, STAMP 27000
      130: MX 13
      """
    for event in Script.events(script) where decoder.put(event) {
      times.append([decoder.frame[0].time / 100_000, decoder.frame[0].measured / 100_000])
    }
    #expect(times == [[1000, 1000], [1130, 1100], [1200, 1200], [1300, 1300]])
  }

  @Test func `positions beyond the range are passed on and counted`() {
    var decoder = ContactDecoder(TestDevice.slots.description)
    let lines = contacts(
      &decoder, "0: ID 5, MX 799, MY 0\n4: MX 798\n8: MX 800\n16: MX 9, MY -7900\n24: ID -1")
    #expect(lines.dropFirst(2).first == "0 move 800,0 @8")
    #expect(decoder.positionsOutOfRange == 3)
  }
}
