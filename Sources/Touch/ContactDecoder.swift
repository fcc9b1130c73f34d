internal import CLinux
internal import Ink

/// Decodes the events of a device to contacts.
///
/// It has no descriptor and makes no system call: the kernel, a recording and a test drive the same code (after
/// mtdev). Allocates only in `init`.
///
/// Whenever `put` returns true, a frame is complete and `frame` has its events, including those of palms, hovering
/// contacts and ghosts. `TouchArbitration` selects the contacts that draw.
public struct ContactDecoder: ~Copyable {
  // Variables, although they never change: if a noncopyable type has a constant, Swift 6.2 does not
  // let its initialiser call mutating methods.
  private var deviceProtocol: DeviceProtocol
  private var table: SlotTable
  private var slots: ProtocolBReader
  private var lists: ProtocolAReader
  private var point: PointReader
  private var clock = DeviceClock()
  /// The current frame has events of the point, or of slots.
  private var hasPointEvents = false, hasSlotEvents = false
  /// BTN_TOUCH became 0 in the current frame.
  private var isTouchReleased = false
  /// MSC_TIMESTAMP of the current frame.
  private var timestamp: UInt32?
  /// SYN_DROPPED: everything up to the next SYN_REPORT belongs to an incomplete frame.
  private var isDropping = false
  /// Events up to the next SYN_REPORT are the requested state, not the device's own.
  private var isResyncing = false
  /// When the requested state was complete.
  ///
  /// Its axes were read one after the other, so a frame of the device is preferred if one follows at once.
  private var resyncTime: Int64?
  /// The time of a frame that the kernel split here by SYN_REPORT 1.
  private var splitTime: Int64?

  /// A decoder of a device. The contacts of `state` exist already, and are marked as resting.
  public init(_ device: DeviceDescription, state: DeviceState = DeviceState()) {
    deviceProtocol = DeviceProtocol(device)
    let count = deviceProtocol.slotCount
    table = SlotTable(count: count + 1)
    // The entry behind the slots is the point's, which reports as slot 0.
    table[count].slot = 0
    table[count].isPoint = deviceProtocol.multitouch != .none
    slots = ProtocolBReader(count: count, current: state.slot)
    lists = ProtocolAReader(device)
    point = PointReader(deviceProtocol, index: count, state: state)
    begin(state, point: count)
  }

  /// The events of the last complete frame in the order of slots; empty if it did not concern a contact.
  public var frame: Span<ContactEvent> {
    @_lifetime(borrow self)
    borrowing get { table.frame }
  }

  /// Whether a contact is on the glass.
  public var isTouched: Bool { table.isTouched }

  /// Whether a stylus is near the glass.
  public var isPenNear: Bool { point.isPenNear }

  /// Whether the last complete frame was the pen's.
  ///
  /// On a node that also reports fingers, the fingers have frames of their own, with the axes of
  /// slots.
  public private(set) var isPenReporting = false

  /// The number of events with a position out of range.
  public private(set) var positionsOutOfRange: UInt64 = 0

  /// The number of contacts beyond the limit of a frame.
  public var contactsDropped: UInt64 { table.dropped + lists.dropped }

  /// Reads an event. Returns true when a frame is complete.
  public mutating func put(_ event: InputEvent) -> Bool {
    let isSplitComplete = finishSplit(before: event)
    switch Int32(event.type) {
    // No event followed the split. Finishing again would clear the frame that just ended.
    case EV_SYN where isSplitComplete && Int32(event.code) == SYN_REPORT: return true
    case EV_SYN: return synchronise(event) || isSplitComplete
    case EV_ABS: readAxis(Int32(event.code), event.value)
    case EV_KEY: readKey(Int32(event.code), event.value)
    case EV_MSC where Int32(event.code) == MSC_TIMESTAMP:
      timestamp = UInt32(bitPattern: event.value)
    default: break
    }
    return isSplitComplete
  }

  /// Marks lost events: the next events resynchronise the decoder, and no ink may bridge the gap.
  ///
  /// - Parameter isResync: A frame with the requested state follows. It takes effect when the next frame is
  ///   complete, or by `finishResync()`.
  public mutating func markGap(isResync: Bool = false) {
    lists.discard()
    table.markGap()
    (hasPointEvents, hasSlotEvents, isTouchReleased) = (false, false, false)
    isResyncing = isResync
  }

  /// Applies a requested state that no frame has followed. Returns true if there is one; `frame` has it.
  public mutating func finishResync() -> Bool {
    guard let time = resyncTime else { return false }
    resyncTime = nil
    finish(at: time)
    return true
  }

  /// Cancels all contacts of a lost device. Returns true if there were any; `frame` has them.
  public mutating func cancelAll(at time: Int64) -> Bool {
    (isResyncing, resyncTime) = (false, nil)
    for index in 0..<table.count { table.end(index, .cancel) }
    table.finish(at: time, measured: time)
    return table.frame.count > 0
  }

  private mutating func synchronise(_ event: InputEvent) -> Bool {
    switch Int32(event.code) {
    case SYN_MT_REPORT:
      if !isDropping && deviceProtocol.multitouch == .lists { lists.close() }
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
      // A suspend releases the keys and keeps the slots. Where contacts really end, the driver says so before
      // BTN_TOUCH changes (kernel: input-mt.c, input_mt_sync_frame).
      if event.value == 1 && isTouchReleased && deviceProtocol.multitouch != .lists {
        table.suspend()
      }
      // If it releases all contacts, SYN_REPORT 1 is not a split but a suspend or an inhibit, which
      // may be the last event for hours (kernel: input.c, input_dev_release_keys).
      if event.value == 1 && !isReleased {
        splitTime = event.time
        return false
      }
      if isResyncing {
        (isResyncing, resyncTime) = (false, event.time)
        return false
      }
      resyncTime = nil
      finish(at: event.time)
      return true
    default: return false
    }
  }

  /// Whether the current frame ends all contacts.
  private var isReleased: Bool {
    deviceProtocol.multitouch == .lists ? lists.isReleased : table.isReleased
  }

  /// Completes a split frame if the next event has a later time.
  ///
  /// The input core splits frames longer than its buffer, and stamps both parts alike (kernel: input.c,
  /// input_handle_event).
  private mutating func finishSplit(before event: InputEvent) -> Bool {
    guard let time = splitTime else { return false }
    splitTime = nil
    guard event.time &- time > 1_000_000 else { return false }
    finish(at: time)
    return true
  }

  private mutating func finish(at time: Int64) {
    if deviceProtocol.multitouch == .lists { lists.finish(into: &table) }
    point.finish(into: &table)
    isPenReporting = point.isPenNear && hasPointEvents && !hasSlotEvents
    (hasPointEvents, hasSlotEvents, isTouchReleased) = (false, false, false)
    let measured = timestamp.map { clock.time($0, at: time) } ?? time
    timestamp = nil
    table.finish(at: time, measured: measured)
    for index in 0..<table.frame.count where !deviceProtocol.isInRange(table.frame[index]) {
      positionsOutOfRange &+= 1
    }
  }

  private mutating func readAxis(_ axis: Int32, _ value: Int32) {
    if axis == ABS_MT_SLOT {
      slots.select(value)
      return
    }
    if isDropping { return }
    if axis < ABS_MT_SLOT {
      hasPointEvents = true
      if deviceProtocol.point != .none { point.readAxis(axis, value, into: &table) }
      if axis == ABS_PRESSURE && value == 0 { lists.markList() }
      return
    }
    hasSlotEvents = true
    switch deviceProtocol.multitouch {
    case .none: break
    case .slots: slots.read(axis, value, into: &table)
    case .lists: lists.read(axis, value)
    }
  }

  private mutating func readKey(_ key: Int32, _ value: Int32) {
    if isDropping { return }
    hasPointEvents = true
    if deviceProtocol.point != .none { point.readKey(key, value, into: &table) }
    guard key == BTN_TOUCH else { return }
    isTouchReleased = value == 0
    if isTouchReleased { lists.release() }
  }

  /// Begins the contacts that were there before the device was opened.
  private mutating func begin(_ state: DeviceState, point index: Int) {
    (table[index].x, table[index].y) = (state.x, state.y)
    table[index].pressure = state.pressure
    if case .slots(let count) = deviceProtocol.multitouch {
      for slot in 0..<min(count, state.slots.count) { begin(state.slots[slot], slot) }
    }
    if deviceProtocol.point != .none { point.begin(into: &table) }
    for index in 0..<table.count where table[index].isActive {
      table[index].isResting = true
      table[index].isUpdated = false
      table[index].isNew = false
    }
  }

  private mutating func begin(_ state: DeviceState.Slot, _ slot: Int) {
    (table[slot].x, table[slot].y) = (state.x, state.y)
    table[slot].pressure = state.pressure
    table[slot].size = state.size
    table[slot].distance = state.distance
    table[slot].tool = ContactEvent.Tool(multitouch: state.toolType)
    if state.trackingID >= 0 { table.begin(slot, trackingID: state.trackingID) }
  }
}
