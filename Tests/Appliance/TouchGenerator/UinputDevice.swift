import CLibevdev
import CLinux
import Linux

/// A touchscreen of /dev/uinput, whose events this program writes
/// (Documentation/input/multi-touch-protocol.rst).
@safe struct UinputDevice: TouchDevice, ~Copyable {
  private let device: OpaquePointer
  private let dialect: Dialect
  /// One report; a write per event would be too slow on an emulated machine.
  private var events: [input_event] = []

  var requests: Int32 { -1 }
  var isReady: Bool { true }
  var repeats: Bool { false }
  mutating func answer() {}

  init(_ panel: Panel, _ dialect: Dialect) throws(Failure) {
    guard let model = unsafe libevdev_new() else { throw Failure("out of memory") }
    defer { unsafe libevdev_free(model) }
    unsafe Self.describe(panel, dialect, model)
    var made: OpaquePointer?
    let managed = LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue
    let result = unsafe libevdev_uinput_create_from_device(model, managed, &made)
    guard result == 0, let made = unsafe made else {
      throw Failure("/dev/uinput: \(Errno(-result).text)")
    }
    unsafe device = made
    self.dialect = dialect
  }

  deinit { unsafe libevdev_uinput_destroy(device) }

  private static func describe(_ panel: Panel, _ dialect: Dialect, _ model: OpaquePointer) {
    unsafe libevdev_set_name(model, panel.name)
    unsafe libevdev_set_id_bustype(model, BUS_VIRTUAL)
    unsafe libevdev_set_id_vendor(model, 0x1209)
    unsafe libevdev_set_id_product(model, 0x0001)
    if dialect.isDirect { unsafe libevdev_enable_property(model, UInt32(INPUT_PROP_DIRECT)) }
    if let button = dialect.button {
      unsafe libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(button), nil)
    }
    let resolution = Int32(panel.resolution)
    if dialect.hasFirstFinger {
      unsafe axis(model, ABS_X, panel.maximumX, resolution, panel.fuzz)
      unsafe axis(model, ABS_Y, panel.maximumY, resolution, panel.fuzz)
    }
    if dialect == .pressure { unsafe axis(model, ABS_PRESSURE, 255, 0) }
    guard dialect.hasFingers else { return }
    if dialect.hasSlots {
      unsafe axis(model, ABS_MT_SLOT, Int32(panel.slots - 1), 0)
      unsafe axis(model, ABS_MT_TRACKING_ID, 0xFFFF, 0)
    }
    unsafe axis(model, ABS_MT_POSITION_X, panel.maximumX, resolution, panel.fuzz)
    unsafe axis(model, ABS_MT_POSITION_Y, panel.maximumY, resolution, panel.fuzz)
  }

  private static func axis(
    _ model: OpaquePointer, _ code: Int32, _ maximum: Int32, _ resolution: Int32,
    _ fuzz: Int32 = 0
  ) {
    var axis = input_absinfo()
    axis.maximum = maximum
    axis.resolution = resolution
    axis.fuzz = fuzz
    unsafe libevdev_enable_event_code(model, UInt32(EV_ABS), UInt32(code), &axis)
  }

  mutating func report(_ fingers: borrowing Fingers) throws(Failure) {
    events.removeAll(keepingCapacity: true)
    if dialect.hasSlots { addSlots(fingers) }
    if dialect == .lists { addList(fingers) }
    if let button = dialect.button { add(EV_KEY, button, fingers.oldest == nil ? 0 : 1) }
    if dialect.hasFirstFinger, let finger = fingers.oldest {
      add(EV_ABS, ABS_X, finger.x)
      add(EV_ABS, ABS_Y, finger.y)
    }
    if dialect == .pressure { add(EV_ABS, ABS_PRESSURE, fingers.oldest == nil ? 0 : 90) }
    add(EV_SYN, SYN_REPORT, 0)
    let count = events.count * MemoryLayout<input_event>.stride
    let written = unsafe write(descriptor, events, count)
    if written != count { throw Failure("/dev/uinput: \(Errno.current.text)") }
  }

  private var descriptor: Int32 { unsafe libevdev_uinput_get_fd(device) }

  private mutating func addSlots(_ fingers: borrowing Fingers) {
    for slot in fingers.now.indices where fingers.now[slot] != fingers.before[slot] {
      add(EV_ABS, ABS_MT_SLOT, Int32(slot))
      addSlot(fingers.now[slot], after: fingers.before[slot])
    }
  }

  /// A new tracking id ends the contact that was in the slot.
  private mutating func addSlot(_ finger: Finger?, after before: Finger?) {
    guard let finger else { return add(EV_ABS, ABS_MT_TRACKING_ID, -1) }
    if finger.trackingID != before?.trackingID {
      add(EV_ABS, ABS_MT_TRACKING_ID, finger.trackingID)
    }
    add(EV_ABS, ABS_MT_POSITION_X, finger.x)
    add(EV_ABS, ABS_MT_POSITION_Y, finger.y)
  }

  /// Adds the list of fingers, which may be empty.
  private mutating func addList(_ fingers: borrowing Fingers) {
    for case let finger? in fingers.now {
      add(EV_ABS, ABS_MT_POSITION_X, finger.x)
      add(EV_ABS, ABS_MT_POSITION_Y, finger.y)
      add(EV_SYN, SYN_MT_REPORT, 0)
    }
    if fingers.oldest == nil { add(EV_SYN, SYN_MT_REPORT, 0) }
  }

  /// Adds an event. The kernel drops unchanged values.
  private mutating func add(_ type: Int32, _ code: Int32, _ value: Int32) {
    var event = input_event()
    (event.type, event.code, event.value) = (UInt16(type), UInt16(code), value)
    events.append(event)
  }
}

/// How a uinput touchscreen reports its fingers (kernel: multi-touch-protocol, event-codes).
enum Dialect: String {
  /// Multi-touch protocol B, with the first finger on ABS_X and ABS_Y too.
  case uinput
  /// Protocol B without ABS_X and ABS_Y, as drivers written for Android.
  case bare
  /// Protocol A: every report lists all fingers.
  case lists
  /// One finger: ABS_X, ABS_Y and BTN_TOUCH.
  case single
  /// One finger and BTN_LEFT: a point-of-sale screen that reports as a mouse.
  case mouse
  /// One finger and ABS_PRESSURE, without a button.
  case pressure

  var hasFirstFinger: Bool { self != .bare }
  var hasFingers: Bool { self == .uinput || self == .bare || self == .lists }
  var hasSlots: Bool { self == .uinput || self == .bare }

  /// The button that tells of a touch.
  var button: Int32? {
    switch self {
    case .uinput, .lists, .single: BTN_TOUCH
    case .mouse: BTN_LEFT
    case .bare, .pressure: nil
    }
  }

  /// Whether the device has INPUT_PROP_DIRECT.
  var isDirect: Bool { self != .mouse }
}
