internal import Ink

/// The report on one contact in one frame of a device.
public struct ContactEvent: BitwiseCopyable, Sendable, Equatable {
  /// The phase of a contact; `paraph contacts` prints the raw value.
  public enum Phase: String, CaseIterable, BitwiseCopyable, Sendable {
    /// The contact began, and its position is known.
    case down
    /// The device reported on the contact.
    case move
    /// The contact was lifted.
    case up
    /// The contact ended without a lift: the device was unplugged, or grabbed by another program.
    case cancel
  }

  /// The tool on the glass; `paraph watch` prints the raw value.
  public enum Tool: String, CaseIterable, BitwiseCopyable, Sendable {
    /// A finger, or anything the device cannot tell from one.
    case finger
    /// A stylus.
    case pen
    /// A stylus's eraser.
    case eraser
    /// A palm.
    case palm
    /// A dial or another object.
    case other
  }

  /// The phase.
  public var phase: Phase
  /// The tool.
  public var tool: Tool
  /// The tool is above the glass (ABS_MT_DISTANCE).
  public var isHovering = false
  /// The contact began before the device was opened.
  public var isResting = false
  /// Events were lost before this frame: the path from the last position is unknown.
  public var isAfterGap = false
  /// Only for `down`: the frame has no axis, so the position is the previous contact's.
  ///
  /// Some single touch panels send the button one frame before the position.
  public var isStale = false
  /// The number of the contact, from 0, in the order in which contacts began.
  public var contact: Int32
  /// The slot; 0 for single touch and pens.
  public var slot: Int32
  /// The index in the `SlotTable`; a pen's differs from that of the finger in slot 0.
  var tableIndex: Int32 = 0
  /// The kernel's time of the frame, in nanoseconds.
  public var time: Int64
  /// When the device measured (MSC_TIMESTAMP); `time` if it does not say or the clocks disagree.
  public var measured: Int64
  /// The position in device units; nil only for `up` and `cancel` of a contact without one.
  public var position: RawPosition?
  /// The pressure in device units; nil if the device has none.
  public var pressure: Int32?
  /// The pen's pressure while hovering, in device units: above 0 if it is worn. Nil for fingers.
  public var restPressure: Int32?
  /// ABS_MT_TOUCH_MAJOR, the contact's size in device units; nil if the device has none.
  public var size: Int32?
  /// Reported on ABS_X, ABS_Y and ABS_PRESSURE by a device that has ABS_MT axes too.
  ///
  /// The ranges of the two sets of axes may differ.
  public var isPoint = false

  /// Whether the contact ended.
  public var isEnd: Bool { phase == .up || phase == .cancel }
}

/// A position in device units.
public struct RawPosition: BitwiseCopyable, Sendable, Equatable {
  /// A coordinate in device units.
  public var x: Int32, y: Int32

  /// A position in device units.
  public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// The last known values of one slot.
///
/// The kernel drops unchanged values, so they outlive the contact: the next `down` may have no axis.
struct SlotState: BitwiseCopyable {
  var slot: Int32
  /// The contact's number; negative while the slot is empty.
  var number: Int32 = -1
  /// ABS_MT_TRACKING_ID; negative if the device has none.
  var trackingID: Int32 = -1
  /// The tracking id of a contact that a suspend ended; negative if none.
  ///
  /// The device may resume the contact, and the kernel does not repeat the id.
  var suspendedID: Int32 = -1
  var x: Int32?
  var y: Int32?
  var pressure: Int32?
  /// The pen's least pressure while hovering, since it came near.
  var restPressure: Int32?
  /// ABS_MT_TOUCH_MAJOR.
  var size: Int32?
  /// ABS_MT_DISTANCE; 0 on the glass.
  var distance: Int32 = 0
  var tool = ContactEvent.Tool.finger
  /// `down` was reported.
  var isDown = false
  /// The contact began in the current frame.
  var isNew = false
  /// The current frame says something about the contact.
  var isUpdated = false
  /// An axis changed since the last report.
  var isFresh = false
  var isResting = false
  var isAfterGap = false
  /// See `ContactEvent.isPoint`.
  var isPoint = false

  init(slot: Int32) { self.slot = slot }

  /// Whether there is a contact.
  var isActive: Bool { number >= 0 }

  /// The position; nil until both axes are known.
  var position: RawPosition? {
    guard let x, let y else { return nil }
    return RawPosition(x: x, y: y)
  }

  func event(_ phase: ContactEvent.Phase) -> ContactEvent {
    ContactEvent(
      phase: phase, tool: tool, isHovering: distance > 0, isResting: isResting,
      isAfterGap: isAfterGap, isStale: phase == .down && !isFresh, contact: number, slot: slot,
      time: 0, measured: 0, position: position, pressure: pressure,
      restPressure: restPressure, size: size, isPoint: isPoint)
  }
}

/// The slots of a device, and the events of the frame being read. Allocates only in `init`.
struct SlotTable: ~Copyable {
  /// A contact that ended in the current frame, and its index.
  ///
  /// Not private: Swift 6.3 emits no descriptor for a private argument of a generic noncopyable field.
  struct Ended: BitwiseCopyable {
    var index: Int
    var event: ContactEvent
  }

  /// The limit of contacts that begin and end within one frame.
  private static let briefLimit = 64

  private var states: RigidArray<SlotState>
  private var ended: RigidArray<Ended>
  private var briefCount = 0
  private var nextNumber: Int32 = 0
  private var events: RigidArray<ContactEvent>
  /// Contacts that were dropped because a frame had too many.
  private(set) var dropped: UInt64 = 0

  /// A table of `count` empty slots, numbered from 0.
  init(count: Int) {
    states = RigidArray(capacity: max(count, 1))
    for slot in 0..<Int32(count) { states.append(SlotState(slot: slot)) }
    ended = RigidArray(capacity: count + SlotTable.briefLimit)
    events = RigidArray(capacity: 2 * count + SlotTable.briefLimit)
  }

  /// The events of the last complete frame, in the order of slots.
  var frame: Span<ContactEvent> {
    @_lifetime(borrow self)
    borrowing get { events.span }
  }

  var count: Int { states.count }

  subscript(index: Int) -> SlotState {
    get { states[index] }
    set { states[index] = newValue }
  }

  /// Whether contacts ended in the current frame, and none is left.
  var isReleased: Bool {
    guard ended.count > 0 else { return false }
    for index in 0..<states.count where states[index].isActive { return false }
    return true
  }

  /// Whether a reported contact is on the glass.
  var isTouched: Bool {
    for index in 0..<states.count where states[index].isActive && states[index].isDown {
      if states[index].distance <= 0 { return true }
    }
    return false
  }

  /// Ends all contacts of a suspended device, and remembers their tracking ids.
  mutating func suspend() {
    for index in 0..<states.count where states[index].isActive {
      let trackingID = states[index].trackingID
      end(index)
      states[index].suspendedID = trackingID
    }
  }

  /// Begins a contact; ends the one that was there.
  mutating func begin(_ index: Int, trackingID: Int32 = -1) {
    if states[index].isActive { end(index) }
    states[index].number = nextNumber
    nextNumber = nextNumber == .max ? 0 : nextNumber + 1
    states[index].trackingID = trackingID
    states[index].suspendedID = -1
    states[index].isDown = false
    states[index].isNew = true
    states[index].isUpdated = true
    states[index].isResting = false
    states[index].isAfterGap = false
  }

  /// Ends the contact, if there is one.
  mutating func end(_ index: Int, _ phase: ContactEvent.Phase = .up) {
    let state = states[index]
    guard state.isActive else { return }
    states[index].number = -1
    states[index].trackingID = -1
    if state.isNew {
      guard briefCount < SlotTable.briefLimit else {
        dropped += 1
        return
      }
      briefCount += 1
    }
    ended.append(Ended(index: index, event: state.event(phase)))
  }

  /// Marks all contacts as moved in an unknown way.
  mutating func markGap() {
    for index in 0..<states.count where states[index].isActive { states[index].isAfterGap = true }
  }

  /// Completes the frame: fills `frame`. `measured` is the device's own time.
  mutating func finish(at time: Int64, measured: Int64) {
    events.removeAll()
    for index in 0..<states.count {
      reportEnded(index)
      report(index)
    }
    for index in 0..<events.count {
      events[index].time = time
      events[index].measured = measured
    }
    ended.removeAll()
    briefCount = 0
  }

  private mutating func reportEnded(_ index: Int) {
    for entry in 0..<ended.count where ended[entry].index == index {
      var event = ended[entry].event
      event.tableIndex = Int32(index)
      if !states[index].isActive {
        // A frame may state the last position after the button.
        event.position = states[index].position
        event.pressure = states[index].pressure
        states[index].isFresh = false
      }
      events.append(event)
    }
  }

  private mutating func report(_ index: Int) {
    let state = states[index]
    guard state.isActive, state.isUpdated else { return }
    states[index].isUpdated = false
    states[index].isNew = false
    guard state.position != nil else { return }
    var event = state.event(state.isDown ? .move : .down)
    event.tableIndex = Int32(index)
    events.append(event)
    states[index].isDown = true
    states[index].isFresh = false
    states[index].isAfterGap = false
  }
}
