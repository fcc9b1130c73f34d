internal import CLibevdev
internal import CLinux
public import Linux

/// An event of an event device: `struct input_event` with the time as one number.
public struct InputEvent: BitwiseCopyable, Sendable, Equatable {
  /// Nanoseconds of the clock that the device was set to.
  public var time: Int64
  /// The type, for example EV_ABS.
  public var type: UInt16
  /// The code, for example ABS_MT_SLOT.
  public var code: UInt16
  /// The value.
  public var value: Int32

  /// An event from the kernel's numbers.
  @inlinable public init(time: Int64, type: UInt16, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }

  /// An event from the constants of `linux/input-event-codes.h`.
  public init(time: Int64, _ type: Int32, _ code: Int32, _ value: Int32) {
    self.init(
      time: time, type: UInt16(truncatingIfNeeded: type), code: UInt16(truncatingIfNeeded: code),
      value: value)
  }
}

/// An event device opened for reading, by libevdev, which resynchronises after lost events.
@safe public struct EventDevice: ~Copyable {
  /// The result of a read.
  public enum Reading: Sendable {
    /// An event.
    case event(InputEvent)
    /// Events were lost at this time; the next events bring the device's state up to date.
    case gap(at: Int64)
    /// No event is queued.
    case empty
    /// The device was unplugged or revoked.
    case gone(Errno)
  }

  private let descriptor: FileDescriptor
  private let device: OpaquePointer
  private var isSynchronising = false
  private var mustSynchronise = false

  /// Opens a node, and sets its clock to CLOCK_MONOTONIC.
  public init(opening path: String) throws(SystemError) {
    let descriptor: FileDescriptor
    do throws(Errno) {
      descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    } catch { throw SystemError("open", path, error) }
    do throws(Errno) {
      // First: changing the clock of a queue that is not empty causes a SYN_DROPPED (kernel: evdev.c).
      let number = descriptor.number
      _ = try Errno.check { CLinux_setEventClock(number, CLOCK_MONOTONIC) }
    } catch { throw SystemError("EVIOCSCLOCKID", path, error) }
    EventDevice.drain(descriptor)
    var device: OpaquePointer?
    let result = unsafe libevdev_new_from_fd(descriptor.number, &device)
    guard result == 0, let device = unsafe device else {
      throw SystemError("libevdev_new_from_fd", path, Errno(-result))
    }
    // Silences libevdev's messages about events that it corrects: a slot that does not exist becomes the last one, a
    // contact that follows another without its end continues that one (libevdev.c, sanitize_event).
    libevdev_set_log_priority(libevdev_log_priority(rawValue: 0))
    // Tells libevdev about the clock set above.
    unsafe libevdev_set_clock_id(device, CLOCK_MONOTONIC)
    self.descriptor = descriptor
    unsafe self.device = device
  }

  deinit { unsafe libevdev_free(device) }

  /// For poll(2).
  public var number: Int32 { descriptor.number }

  /// Grabs the device until it is closed. EBUSY: another program has grabbed it.
  public borrowing func grab() throws(Errno) {
    let result = unsafe libevdev_grab(device, LIBEVDEV_GRAB)
    if result != 0 { throw Errno(-result) }
  }

  /// Releases the grab.
  public borrowing func ungrab() { unsafe libevdev_grab(device, LIBEVDEV_UNGRAB) }

  /// Masks the events that do not affect contacts, so that the kernel's queue holds more reports.
  ///
  /// Kernels before 4.4 have no mask (kernel: evdev.c, EVIOCSMASK).
  public borrowing func setEventMask() {
    _ = CLinux_setEventMask(number, UInt32(EV_ABS), DeviceProtocol(description).axes)
    _ = CLinux_setEventMask(number, UInt32(EV_MSC), 1 << UInt64(MSC_TIMESTAMP))
  }

  /// Whether the axes' ranges have changed since the device was opened.
  ///
  /// udev applies its hardware database (EVDEV_ABS_…) after the node can be opened (systemd: 60-evdev.rules).
  public var hasChangedRanges: Bool {
    for axis in 0..<UInt32(ABS_CNT) {
      var now = input_absinfo()
      guard let before = unsafe libevdev_get_abs_info(device, axis),
        unsafe CLinux_readAxis(number, axis, &now) >= 0
      else { continue }
      if unsafe before.pointee.minimum != now.minimum || before.pointee.maximum != now.maximum
        || before.pointee.resolution != now.resolution
      {
        return true
      }
    }
    return false
  }

  /// Makes `next()` report a gap and then the device's state, as after lost events.
  public mutating func resynchronise() { mustSynchronise = true }

  /// Reads the next event without allocating.
  public mutating func next() -> Reading {
    while true {
      var event = input_event()
      let flag =
        mustSynchronise
        ? LIBEVDEV_READ_FLAG_FORCE_SYNC
        : isSynchronising ? LIBEVDEV_READ_FLAG_SYNC : LIBEVDEV_READ_FLAG_NORMAL
      if mustSynchronise { (mustSynchronise, isSynchronising) = (false, false) }
      let result = unsafe libevdev_next_event(device, flag.rawValue, &event)
      if result == LIBEVDEV_READ_STATUS_SUCCESS.rawValue {
        return .event(EventDevice.event(event))
      }
      if result == LIBEVDEV_READ_STATUS_SYNC.rawValue {
        // The first event is the SYN_DROPPED itself.
        if isSynchronising { return .event(EventDevice.event(event)) }
        isSynchronising = true
        return .gap(at: EventDevice.event(event).time)
      }
      switch -result {
      case EAGAIN where isSynchronising: isSynchronising = false
      case EAGAIN: return .empty
      case EINTR: continue
      default: return .gone(Errno(-result))
      }
    }
  }

  private static func event(_ event: input_event) -> InputEvent {
    var event = event
    let time = unsafe CLinux_eventNanoseconds(&event)
    return InputEvent(time: time, type: event.type, code: event.code, value: event.value)
  }

  /// Discards queued events: libevdev reads the state that includes them.
  private static func drain(_ descriptor: borrowing FileDescriptor) {
    var events = [UInt8](repeating: 0, count: 64 * MemoryLayout<input_event>.size)
    while true {
      var span = events.mutableSpan
      var bytes = unsafe span.mutableBytes
      do throws(Errno) {
        if try descriptor.read(into: &bytes) == 0 { return }
      } catch { return }
    }
  }

  /// The device's description.
  public var description: DeviceDescription {
    var description = DeviceDescription()
    if let name = unsafe libevdev_get_name(device) {
      description.name = unsafe String(cString: name)
    }
    description.identity.bus = unsafe UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device))
    description.identity.vendor = unsafe UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device))
    description.identity.product = unsafe UInt16(
      truncatingIfNeeded: libevdev_get_id_product(device))
    description.identity.version = unsafe UInt16(
      truncatingIfNeeded: libevdev_get_id_version(device))
    for property in 0..<INPUT_PROP_CNT
    where unsafe libevdev_has_property(device, UInt32(property)) == 1 {
      description.properties.insert(property)
    }
    for type in 1..<EV_CNT where unsafe libevdev_has_event_type(device, UInt32(type)) == 1 {
      addCodes(of: type, to: &description)
    }
    return description
  }

  private func addCodes(of type: Int32, to description: inout DeviceDescription) {
    let last = libevdev_event_type_get_max(UInt32(type))
    guard last >= 0 else { return }
    for code in 0...last
    where unsafe libevdev_has_event_code(device, UInt32(type), UInt32(code)) == 1 {
      description.add(type, code)
      guard type == EV_ABS, let info = unsafe libevdev_get_abs_info(device, UInt32(code)) else {
        continue
      }
      let range = unsafe info.pointee
      description.describe(
        code,
        as: AxisRange(
          minimum: range.minimum, maximum: range.maximum, fuzz: range.fuzz, flat: range.flat,
          resolution: range.resolution))
    }
  }

  /// The device's current state.
  public var state: DeviceState {
    var state = DeviceState()
    state.x = axis(ABS_X)
    state.y = axis(ABS_Y)
    state.pressure = axis(ABS_PRESSURE)
    for key in BTN_MOUSE...BTN_TOOL_QUADTAP
    where unsafe libevdev_get_event_value(device, UInt32(EV_KEY), UInt32(key)) == 1 {
      state.keys.insert(key)
    }
    let count = unsafe libevdev_get_num_slots(device)
    guard count > 0 else { return state }
    state.slot = unsafe libevdev_get_current_slot(device)
    state.slots = (0..<count).map { slot($0) }
    return state
  }

  private func axis(_ code: Int32) -> Int32? {
    guard unsafe libevdev_has_event_code(device, UInt32(EV_ABS), UInt32(code)) == 1 else {
      return nil
    }
    return unsafe libevdev_get_event_value(device, UInt32(EV_ABS), UInt32(code))
  }

  private func slot(_ index: Int32) -> DeviceState.Slot {
    func value(_ code: Int32) -> Int32? {
      var value: Int32 = 0
      let isKnown = unsafe libevdev_fetch_slot_value(device, UInt32(index), UInt32(code), &value)
      return isKnown == 1 ? value : nil
    }
    var slot = DeviceState.Slot()
    slot.trackingID = value(ABS_MT_TRACKING_ID) ?? -1
    slot.x = value(ABS_MT_POSITION_X)
    slot.y = value(ABS_MT_POSITION_Y)
    slot.pressure = value(ABS_MT_PRESSURE)
    slot.size = value(ABS_MT_TOUCH_MAJOR)
    slot.distance = value(ABS_MT_DISTANCE) ?? 0
    slot.toolType = value(ABS_MT_TOOL_TYPE) ?? 0
    return slot
  }
}
