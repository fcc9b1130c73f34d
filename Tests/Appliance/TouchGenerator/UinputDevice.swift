import CLibevdev
import CLinux
import Linux

/// A protocol-B touchscreen made through /dev/uinput: the events are what this program writes
/// (Documentation/input/multi-touch-protocol.rst).
@safe struct UinputDevice: TouchDevice, ~Copyable {
  private let device: OpaquePointer

  var questions: Int32 { -1 }
  var isReady: Bool { true }
  var repeats: Bool { false }
  mutating func answer() {}

  init(_ panel: Panel) throws(Failure) {
    guard let model = unsafe libevdev_new() else { throw Failure("out of memory") }
    defer { unsafe libevdev_free(model) }
    unsafe Self.describe(panel, model)
    var made: OpaquePointer?
    let managed = LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue
    let result = unsafe libevdev_uinput_create_from_device(model, managed, &made)
    guard result == 0, let made = unsafe made else {
      throw Failure("/dev/uinput: \(Errno(-result).text)")
    }
    unsafe device = made
  }

  deinit { unsafe libevdev_uinput_destroy(device) }

  private static func describe(_ panel: Panel, _ model: OpaquePointer) {
    unsafe libevdev_set_name(model, panel.name)
    unsafe libevdev_set_id_bustype(model, BUS_VIRTUAL)
    unsafe libevdev_set_id_vendor(model, 0x1209)
    unsafe libevdev_set_id_product(model, 0x0001)
    unsafe libevdev_enable_property(model, UInt32(INPUT_PROP_DIRECT))
    unsafe libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(BTN_TOUCH), nil)
    let resolution = Int32(panel.resolution)
    unsafe axis(model, ABS_X, panel.maximumX, resolution, panel.fuzz)
    unsafe axis(model, ABS_Y, panel.maximumY, resolution, panel.fuzz)
    unsafe axis(model, ABS_MT_SLOT, Int32(panel.slots - 1), 0)
    unsafe axis(model, ABS_MT_POSITION_X, panel.maximumX, resolution, panel.fuzz)
    unsafe axis(model, ABS_MT_POSITION_Y, panel.maximumY, resolution, panel.fuzz)
    unsafe axis(model, ABS_MT_TRACKING_ID, 0xFFFF, 0)
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
    for slot in fingers.now.indices where fingers.now[slot] != fingers.before[slot] {
      try send(EV_ABS, ABS_MT_SLOT, Int32(slot))
      try report(fingers.now[slot], after: fingers.before[slot])
    }
    try send(EV_KEY, BTN_TOUCH, fingers.oldest == nil ? 0 : 1)
    if let finger = fingers.oldest {
      try send(EV_ABS, ABS_X, finger.x)
      try send(EV_ABS, ABS_Y, finger.y)
    }
    try send(EV_SYN, SYN_REPORT, 0)
  }

  /// Within a slot. Another contact in the place of one that was there ends that one too.
  private func report(_ finger: Finger?, after before: Finger?) throws(Failure) {
    guard let finger else { return try send(EV_ABS, ABS_MT_TRACKING_ID, -1) }
    if finger.trackingID != before?.trackingID {
      try send(EV_ABS, ABS_MT_TRACKING_ID, finger.trackingID)
    }
    try send(EV_ABS, ABS_MT_POSITION_X, finger.x)
    try send(EV_ABS, ABS_MT_POSITION_Y, finger.y)
  }

  /// What the kernel already knows it drops by itself.
  private func send(_ type: Int32, _ code: Int32, _ value: Int32) throws(Failure) {
    let result = unsafe libevdev_uinput_write_event(device, UInt32(type), UInt32(code), value)
    if result != 0 { throw Failure("/dev/uinput: \(Errno(-result).text)") }
  }
}
