internal import CLinux

/// Protocol B: the device says which slot it speaks of, and the kernel passes on what changed
/// (kernel: multi-touch-protocol, "Protocol Example B").
struct ProtocolBReader {
  private let count: Int32
  /// The slot that the next values belong to; nil after one that the device does not have, as only a
  /// recording tells it: libevdev makes it the last one.
  private var current: Int32?

  init(count: Int, current: Int32) {
    self.count = Int32(count)
    self.current = current >= 0 && current < self.count ? current : nil
  }

  /// ABS_MT_SLOT; it is sent only when it changes, so it is followed even while frames are dropped.
  mutating func select(_ slot: Int32) {
    current = slot >= 0 && slot < count ? slot : nil
  }

  /// Any other ABS_MT axis.
  func read(_ axis: Int32, _ value: Int32, into ledger: inout SlotTable) {
    guard let current else { return }
    let slot = Int(current)
    if axis == ABS_MT_TRACKING_ID {
      ledger[slot].suspendedID = -1
      track(value, in: slot, &ledger)
    } else {
      if ledger[slot].suspendedID >= 0 {
        ledger.begin(slot, trackingID: ledger[slot].suspendedID)
      }
      ledger[slot].read(axis, value)
      ledger[slot].isTouched = true
    }
  }

  /// Another number without −1 in between: one contact ended and another began. A recording may have it, and
  /// a device after lost events; at other times libevdev drops it (sanitize_event).
  private func track(_ id: Int32, in slot: Int, _ ledger: inout SlotTable) {
    if id < 0 {
      ledger.end(slot)
    } else if !ledger[slot].isActive || ledger[slot].trackingID != id {
      ledger.begin(slot, trackingID: id)
    } else {
      ledger[slot].isTouched = true
    }
  }
}

extension SlotState {
  /// Takes in the value of an ABS_MT axis.
  mutating func read(_ axis: Int32, _ value: Int32) {
    switch axis {
    case ABS_MT_POSITION_X:
      x = value
      isFresh = true
    case ABS_MT_POSITION_Y:
      y = value
      isFresh = true
    case ABS_MT_PRESSURE: pressure = value
    case ABS_MT_TOUCH_MAJOR: size = value
    case ABS_MT_DISTANCE: distance = value
    case ABS_MT_TOOL_TYPE: tool = ContactEvent.Tool(multitouch: value)
    default: break
    }
  }
}

extension ContactEvent.Tool {
  /// MT_TOOL_….
  init(multitouch value: Int32) {
    switch value {
    case MT_TOOL_FINGER: self = .finger
    case MT_TOOL_PEN: self = .pen
    case MT_TOOL_PALM: self = .palm
    default: self = .other
    }
  }
}
