internal import CLibdrm
internal import Linux

/// The argument of DRM_IOCTL_MODE_ATOMIC, kept and refilled: libdrm's own request allocates and sorts
/// for each frame. Properties must come grouped by object.
struct AtomicRequest {
  private var objects: [UInt32] = []
  private var counts: [UInt32] = []
  private var properties: [UInt32] = []
  private var values: [UInt64] = []

  /// Room for so many properties, so that filling it again does not allocate.
  init(capacity: Int) {
    objects.reserveCapacity(capacity)
    counts.reserveCapacity(capacity)
    properties.reserveCapacity(capacity)
    values.reserveCapacity(capacity)
  }

  /// Nothing asked.
  mutating func clear() {
    objects.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    properties.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  /// Asks for a value. A property that the driver lacks (nil) is not asked for.
  mutating func set(_ property: UInt32?, of object: UInt32, to value: UInt64) {
    guard let property else { return }
    if !objects.isEmpty, objects[objects.count - 1] == object {
      counts[counts.count - 1] += 1
    } else {
      objects.append(object)
      counts.append(1)
    }
    properties.append(property)
    values.append(value)
  }

  /// Hands it to the driver. `serial` comes back in the flip's event.
  mutating func commit(
    to card: Card, flags: UInt32, serial: UInt64 = 0, _ call: DisplayCall = .commit
  ) throws(DisplayError) {
    var command = drm_mode_atomic()
    command.flags = flags
    command.count_objs = UInt32(objects.count)
    command.user_data = serial
    var result: Int32 = 0
    unsafe objects.withUnsafeBufferPointer { objects in
      unsafe counts.withUnsafeBufferPointer { counts in
        unsafe properties.withUnsafeBufferPointer { properties in
          unsafe values.withUnsafeBufferPointer { values in
            command.objs_ptr = UInt64(UInt(bitPattern: objects.baseAddress))
            command.count_props_ptr = UInt64(UInt(bitPattern: counts.baseAddress))
            command.props_ptr = UInt64(UInt(bitPattern: properties.baseAddress))
            command.prop_values_ptr = UInt64(UInt(bitPattern: values.baseAddress))
            result = unsafe drmIoctl(card.fd, CLibdrm_ATOMIC, &command)
          }
        }
      }
    }
    let errno = Errno.current
    if result != 0 { throw DisplayError(call, errno, card: card.path) }
  }
}
