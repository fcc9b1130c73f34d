internal import CLinux
internal import Ink

/// From the events of a device to its contacts. It has no descriptor and makes no call: a recording, a
/// test and the kernel drive the same code (after mtdev). Nothing is allocated after `init`.
///
/// Put the events in one by one; whenever `put` answers true a frame is whole, and `frame` says what it
/// told about each contact: all of them, also palms, hovering ones and ghosts. Which of them draws is
/// decided elsewhere (`TouchArbitration`).
public struct ContactDecoder: ~Copyable {
  /// Never changed; but beside a constant Swift 6.2 lets an initialiser of a noncopyable type call
  /// nothing that mutates.
  private var plan: DeviceProtocol
  private var ledger: SlotTable
  private var slots: ProtocolBReader
  private var lists: ProtocolAReader
  private var point: PointReader
  private var clock = DeviceClock()
  /// Whether the frame that is being read says something about the point, and about slots.
  private var isPointStated = false, isSlotStated = false
  /// BTN_TOUCH became 0 in the frame that is being read.
  private var isTouchReleased = false
  /// MSC_TIMESTAMP of the frame that is being read.
  private var stamp: UInt32?
  /// Events were lost: until the next SYN_REPORT everything belongs to a frame that is not whole.
  private var isDropping = false
  /// What follows is not the device's but the state that it was asked for, up to the next SYN_REPORT.
  private var isStating = false
  /// When that was whole: its axes were read one after the other, so that what the device itself says is
  /// preferred if it is there already.
  private var stated: Int64?
  /// The kernel split a frame here, with SYN_REPORT 1 between the parts.
  private var split: Int64?

  /// A decoder for a device, from what the kernel knew of it when it was opened. Contacts that are in
  /// `state` are there already, and marked as resting.
  public init(_ device: DeviceDescription, state: DeviceState = DeviceState()) {
    plan = DeviceProtocol(device)
    let count: Int
    switch plan.multitouch {
    case .none: count = 0
    case .slots(let slots): count = slots
    case .lists: count = ProtocolAReader.limit
    }
    ledger = SlotTable(count: count + 1)
    // The place of the point behind the slots has their number nowhere else: it is slot 0.
    ledger[count].slot = 0
    ledger[count].isPoint = plan.multitouch != .none
    slots = ProtocolBReader(count: count, current: state.slot)
    lists = ProtocolAReader(reach: ContactDecoder.reach(device))
    point = PointReader(plan, index: count, keys: state.keys)
    seed(state, count: count)
  }

  /// What the last whole frame said, in the order of slots; empty where it did not concern a contact.
  public var frame: Span<ContactEvent> {
    @_lifetime(borrow self)
    borrowing get { ledger.frame }
  }

  /// Whether a stylus is near the glass.
  public var isPenNear: Bool { point.isPenNear }

  /// Whether the last whole frame was the pen's: on nodes that carry fingers too, those report in frames of
  /// their own, with axes of slots.
  public private(set) var isPenReporting = false

  /// How often a contact was beyond the ends of an axis.
  public private(set) var placesOutOfRange: UInt64 = 0

  /// Contacts that were more than a frame can have.
  public var contactsLeftOut: UInt64 { ledger.forgotten + lists.leftOut }

  /// Takes in one event. True when a frame is whole.
  public mutating func put(_ event: InputEvent) -> Bool {
    let isEarlierWhole = finishSplit(before: event)
    switch Int32(event.type) {
    // Nothing was said since the split: to finish again would forget the frame that it ended.
    case EV_SYN where isEarlierWhole && Int32(event.code) == SYN_REPORT: return true
    case EV_SYN: return synchronise(event) || isEarlierWhole
    case EV_ABS: readAxis(Int32(event.code), event.value)
    case EV_KEY: readKey(Int32(event.code), event.value)
    case EV_MSC where Int32(event.code) == MSC_TIMESTAMP:
      stamp = UInt32(bitPattern: event.value)
    default: break
    }
    return isEarlierWhole
  }

  /// Events were lost, and those that follow bring the decoder back to what the device says now: no
  /// ink may be drawn between the places before and after.
  ///
  /// - Parameter isStated: The state that the device was asked for follows as a frame; it counts only
  ///   when the next frame is whole, or `settle()` is called.
  public mutating func markGap(isStated: Bool = false) {
    lists.discard()
    ledger.markGap()
    (isPointStated, isSlotStated, isTouchReleased) = (false, false, false)
    isStating = isStated
  }

  /// Nothing waits: if the state was asked for, that is what the device says. True if `frame` says so.
  public mutating func settle() -> Bool {
    guard let time = stated else { return false }
    stated = nil
    finish(at: time)
    return true
  }

  /// The device is gone: ends all contacts. True if there were any; `frame` has them.
  public mutating func cancelAll(at time: Int64) -> Bool {
    (isStating, stated) = (false, nil)
    for index in 0..<ledger.count { ledger.end(index, .cancel) }
    ledger.finish(at: time, measured: time)
    return ledger.frame.count > 0
  }

  private mutating func synchronise(_ event: InputEvent) -> Bool {
    switch Int32(event.code) {
    case SYN_MT_REPORT:
      if !isDropping && plan.multitouch == .lists { lists.close() }
      return false
    case SYN_DROPPED:
      isDropping = true
      return false
    case SYN_REPORT:
      if isDropping {
        isDropping = false
        markGap()
        return false
      }
      // A suspend releases the keys and leaves the slots as they are; where they end, the driver says so
      // before BTN_TOUCH changes (kernel: input-mt.c, input_mt_sync_frame).
      if event.value == 1 && isTouchReleased && plan.multitouch != .lists { ledger.suspend() }
      // Not a split but a release, which may be the last event for hours: the device was suspended or
      // inhibited, and the kernel ended what touched it (kernel: input.c, input_dev_release_keys).
      if event.value == 1 && !isReleased {
        split = event.time
        return false
      }
      if isStating {
        (isStating, stated) = (false, event.time)
        return false
      }
      stated = nil
      finish(at: event.time)
      return true
    default: return false
    }
  }

  /// Whether the frame that is being read ends all contacts.
  private var isReleased: Bool {
    plan.multitouch == .lists ? lists.isReleased : ledger.isReleased
  }

  /// The input core splits a frame that is longer than its buffer, and stamps both parts alike (kernel:
  /// input.c, input_handle_event). Where time went on, it was the end of a frame after all.
  private mutating func finishSplit(before event: InputEvent) -> Bool {
    guard let time = split else { return false }
    split = nil
    guard event.time &- time > 1_000_000 else { return false }
    finish(at: time)
    return true
  }

  private mutating func finish(at time: Int64) {
    if plan.multitouch == .lists { lists.finish(into: &ledger) }
    point.finish(into: &ledger)
    isPenReporting = point.isPenNear && isPointStated && !isSlotStated
    (isPointStated, isSlotStated, isTouchReleased) = (false, false, false)
    let measured = stamp.map { clock.time($0, at: time) } ?? time
    stamp = nil
    ledger.finish(at: time, measured: measured)
    for index in 0..<ledger.frame.count where !plan.isInRange(ledger.frame[index]) {
      placesOutOfRange &+= 1
    }
  }

  private mutating func readAxis(_ axis: Int32, _ value: Int32) {
    if axis == ABS_MT_SLOT {
      slots.select(value)
      return
    }
    if isDropping { return }
    if axis < ABS_MT_SLOT {
      isPointStated = true
      if plan.point != .none { point.readAxis(axis, value, into: &ledger) }
      if axis == ABS_PRESSURE && value == 0 { lists.stateList() }
      return
    }
    isSlotStated = true
    switch plan.multitouch {
    case .none: break
    case .slots: slots.read(axis, value, into: &ledger)
    case .lists: lists.read(axis, value)
    }
  }

  private mutating func readKey(_ key: Int32, _ value: Int32) {
    if isDropping { return }
    isPointStated = true
    if plan.point != .none { point.readKey(key, value, into: &ledger) }
    guard key == BTN_TOUCH else { return }
    isTouchReleased = value == 0
    if isTouchReleased { lists.release() }
  }

  private mutating func seed(_ state: DeviceState, count: Int) {
    (ledger[count].x, ledger[count].y) = (state.x, state.y)
    ledger[count].pressure = state.pressure
    if case .slots = plan.multitouch {
      for index in 0..<min(count, state.slots.count) { seed(state.slots[index], index) }
    }
    if plan.point != .none { point.begin(into: &ledger) }
    for index in 0..<ledger.count where ledger[index].isActive {
      ledger[index].isResting = true
      ledger[index].isTouched = false
      ledger[index].isNew = false
    }
  }

  private mutating func seed(_ slot: DeviceState.Slot, _ index: Int) {
    (ledger[index].x, ledger[index].y) = (slot.x, slot.y)
    ledger[index].pressure = slot.pressure
    ledger[index].size = slot.size
    ledger[index].distance = slot.distance
    ledger[index].tool = ContactEvent.Tool(multitouch: slot.toolType)
    if slot.trackingID >= 0 { ledger.begin(index, trackingID: slot.trackingID) }
  }

  /// A third of the longer side. A finger that writes does not cross it within the 26 ms of the slowest
  /// panels (1.2 m/s on one of 4.3 inches); one that is lifted and put down elsewhere often does.
  private static func reach(_ device: DeviceDescription) -> Int64 {
    let span = device.span
    let side = max(span.x, span.y)
    return side > 1 ? side / 3 : .max
  }
}
