/// What the kernel knows of an absolute axis: `struct input_absinfo` without the value.
public struct AxisRange: BitwiseCopyable, Sendable, Equatable {
  /// The smallest value.
  public var minimum: Int32
  /// The largest value; it belongs to the range.
  public var maximum: Int32
  /// Changes below it are noise: the kernel drops or dampens them.
  public var fuzz: Int32
  /// The dead zone of a joystick.
  public var flat: Int32
  /// Units per millimetre; 0 where the device does not know its size.
  public var resolution: Int32

  /// An axis.
  public init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }

  /// How many values the axis has, at least 1: both ends belong to the range, as in libinput's
  /// `absinfo_range`.
  public var span: Int64 { max(1, Int64(maximum) - Int64(minimum) + 1) }

  /// A value inside the range: panels do report others.
  public func clamp(_ value: Int32) -> Int32 { min(max(value, minimum), max(minimum, maximum)) }
}
