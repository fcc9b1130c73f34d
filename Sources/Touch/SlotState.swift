/// What is known of one slot. The kernel drops what does not change, so the values outlive the contact:
/// the next `down` in the slot may come without an axis.
struct SlotState: BitwiseCopyable {
  var slot: Int32
  /// The contact's number; negative while the slot is empty.
  var number: Int32 = -1
  /// The device's own number, where it gives one.
  var trackingID: Int32 = -1
  /// The number of a contact that a suspend ended; negative if none. The device may go on with it, and then
  /// the kernel does not repeat the number.
  var suspendedID: Int32 = -1
  var x: Int32?
  var y: Int32?
  var pressure: Int32?
  /// The least pressure of a pen since it came near, while nothing pressed it.
  var restPressure: Int32?
  /// ABS_MT_TOUCH_MAJOR.
  var size: Int32?
  /// ABS_MT_DISTANCE; 0 on the glass.
  var distance: Int32 = 0
  var tool = ContactEvent.Tool.finger
  /// `down` was reported.
  var isDown = false
  /// It began in the frame that is being read.
  var isNew = false
  /// The frame that is being read says something about it.
  var isTouched = false
  /// An axis was stated that no report has passed on yet.
  var isFresh = false
  var isResting = false
  var isAfterGap = false

  /// See `ContactEvent.isPoint`.
  var isPoint = false

  init(slot: Int32) { self.slot = slot }

  /// Whether there is a contact.
  var isActive: Bool { number >= 0 }

  /// The place, where both axes are known.
  var position: RawPosition? {
    guard let x, let y else { return nil }
    return RawPosition(x: x, y: y)
  }

  /// What a frame says about it.
  func event(_ phase: ContactEvent.Phase) -> ContactEvent {
    ContactEvent(
      phase: phase, tool: tool, isHovering: distance > 0, isResting: isResting,
      isAfterGap: isAfterGap, isStale: phase == .down && !isFresh, contact: number, slot: slot,
      time: 0, measured: 0, position: position, pressure: pressure,
      restPressure: restPressure, size: size, isPoint: isPoint)
  }
}
