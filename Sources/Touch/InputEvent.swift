/// One event of an event device: `struct input_event`, with the time in one number.
public struct InputEvent: BitwiseCopyable, Sendable, Equatable {
  /// Nanoseconds of the clock that the device was set to.
  public var time: Int64
  /// For example EV_ABS.
  public var type: UInt16
  /// For example ABS_MT_SLOT.
  public var code: UInt16
  /// What the device reports.
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
