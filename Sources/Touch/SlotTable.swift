internal import Ink

/// The contacts of a device, and what the frame that is being read says about them. All room is
/// allocated at the start.
struct SlotTable: ~Copyable {
  /// A contact that ended in this frame, with the place in the ledger where it was. Not private: Swift
  /// 6.3 emits no descriptor for a private argument of a generic noncopyable field.
  struct Ended: BitwiseCopyable {
    var index: Int
    var event: ContactEvent
  }

  /// Contacts that begin and end within one frame: more are forgotten, and counted.
  private static let briefLimit = 64

  private var states: RigidArray<SlotState>
  private var ended: RigidArray<Ended>
  private var briefCount = 0
  private var nextNumber: Int32 = 0
  /// What the last whole frame said, in the order of slots.
  private var reported: RigidArray<ContactEvent>
  /// Contacts that were forgotten because one frame had too many.
  private(set) var forgotten: UInt64 = 0

  /// Room for `count` slots, numbered from 0.
  init(count: Int) {
    states = RigidArray(capacity: max(count, 1))
    for slot in 0..<Int32(count) { states.append(SlotState(slot: slot)) }
    ended = RigidArray(capacity: count + SlotTable.briefLimit)
    reported = RigidArray(capacity: 2 * count + SlotTable.briefLimit)
  }

  var frame: Span<ContactEvent> {
    @_lifetime(borrow self)
    borrowing get { reported.span }
  }

  var count: Int { states.count }

  subscript(index: Int) -> SlotState {
    get { states[index] }
    set { states[index] = newValue }
  }

  /// Whether contacts ended in the frame that is being read, and none is left.
  var isReleased: Bool {
    guard ended.count > 0 else { return false }
    for index in 0..<states.count where states[index].isActive { return false }
    return true
  }

  /// Ends all contacts of a device that is suspended.
  mutating func suspend() {
    for index in 0..<states.count where states[index].isActive {
      let trackingID = states[index].trackingID
      end(index)
      states[index].suspendedID = trackingID
    }
  }

  /// A contact begins; one that was there has ended.
  mutating func begin(_ index: Int, trackingID: Int32 = -1) {
    if states[index].isActive { end(index) }
    states[index].number = nextNumber
    nextNumber = nextNumber == .max ? 0 : nextNumber + 1
    states[index].trackingID = trackingID
    states[index].suspendedID = -1
    states[index].isDown = false
    states[index].isNew = true
    states[index].isTouched = true
    states[index].isResting = false
    states[index].isAfterGap = false
  }

  /// The contact is gone.
  mutating func end(_ index: Int, _ phase: ContactEvent.Phase = .up) {
    let state = states[index]
    guard state.isActive else { return }
    states[index].number = -1
    states[index].trackingID = -1
    if state.isNew {
      guard briefCount < SlotTable.briefLimit else {
        forgotten += 1
        return
      }
      briefCount += 1
    }
    ended.append(Ended(index: index, event: state.event(phase)))
  }

  /// Nothing is known of how the contacts that are there moved until now.
  mutating func markGap() {
    for index in 0..<states.count where states[index].isActive { states[index].isAfterGap = true }
  }

  /// The frame is whole: `frame` is what it said. `measured` is the device's own time.
  mutating func finish(at time: Int64, measured: Int64) {
    reported.removeAll()
    for index in 0..<states.count {
      reportEnded(index)
      report(index)
    }
    for index in 0..<reported.count {
      reported[index].time = time
      reported[index].measured = measured
    }
    ended.removeAll()
    briefCount = 0
  }

  private mutating func reportEnded(_ index: Int) {
    for place in 0..<ended.count where ended[place].index == index {
      var event = ended[place].event
      event.place = Int32(index)
      if !states[index].isActive {
        // The last place may be stated after the button in the frame.
        event.position = states[index].position
        event.pressure = states[index].pressure
        states[index].isFresh = false
      }
      reported.append(event)
    }
  }

  private mutating func report(_ index: Int) {
    let state = states[index]
    guard state.isActive, state.isTouched else { return }
    states[index].isTouched = false
    states[index].isNew = false
    guard state.position != nil else { return }
    var event = state.event(state.isDown ? .move : .down)
    event.place = Int32(index)
    reported.append(event)
    states[index].isDown = true
    states[index].isFresh = false
    states[index].isAfterGap = false
  }
}
