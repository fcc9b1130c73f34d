/// One report of the touchscreen about the contact that draws.
public struct Sample: BitwiseCopyable, Sendable, Equatable {
  /// Nanoseconds of CLOCK_MONOTONIC, as the kernel stamped the frame.
  public var time: Int64
  /// Millimetres on the glass.
  public var position: Point
  /// 0…1, or negative where the device has no pressure.
  public var pressure: Float

  /// A sample; without `pressure` the device is taken to have none.
  @inlinable public init(time: Int64, position: Point, pressure: Float = -1) {
    self.time = time
    self.position = position
    self.pressure = pressure
  }
}
