internal import CLinux

/// What an event device says of itself: a plain value, so that a recording, a test and the kernel
/// describe a device alike.
public struct DeviceDescription: Sendable, Equatable {
  /// Bus, vendor, product and version: `struct input_id`.
  public struct Identity: Sendable, Equatable {
    /// For example BUS_USB.
    public var bus: UInt16 = 0
    /// USB's or the bus's number of the maker.
    public var vendor: UInt16 = 0
    /// The maker's number of the device.
    public var product: UInt16 = 0
    /// The device's version.
    public var version: UInt16 = 0

    /// All zero, as most i2c panels say.
    public init() {}
  }

  /// The name that the kernel gives the device; may be empty.
  public var name = ""
  /// Who made it.
  public var identity = Identity()
  /// INPUT_PROP_….
  public var properties = CodeSet()
  /// The codes of each event type, by type.
  private var events: [CodeSet] = []
  /// The absolute axes, by code.
  private var axes: [AxisRange?] = []

  /// A device that can do nothing.
  public init() {}

  /// The event types that it has.
  public var types: [Int32] { events.indices.filter { !events[$0].isEmpty }.map { Int32($0) } }

  /// The codes of a type that it has.
  public func codes(of type: Int32) -> CodeSet {
    type >= 0 && type < events.count ? events[Int(type)] : CodeSet()
  }

  /// Whether it has a code.
  public func has(_ type: Int32, _ code: Int32) -> Bool {
    type >= 0 && type < events.count && events[Int(type)].contains(code)
  }

  /// Whether it has a key or button.
  public func hasKey(_ code: Int32) -> Bool { has(EV_KEY, code) }

  /// Whether it has an absolute axis.
  public func hasAxis(_ code: Int32) -> Bool { has(EV_ABS, code) }

  /// Adds a code; a type or code that no kernel knows is left out.
  public mutating func add(_ type: Int32, _ code: Int32) {
    guard type >= 0, type < EV_CNT else { return }
    while events.count <= Int(type) { events.append(CodeSet()) }
    events[Int(type)].insert(code)
  }

  /// What is known of an axis; nil where nothing was said.
  public func range(of axis: Int32) -> AxisRange? {
    axis >= 0 && axis < axes.count ? axes[Int(axis)] : nil
  }

  /// Describes an axis, and adds it.
  public mutating func describe(_ axis: Int32, as range: AxisRange) {
    guard axis >= 0, axis < ABS_CNT else { return }
    add(EV_ABS, axis)
    while axes.count <= Int(axis) { axes.append(nil) }
    axes[Int(axis)] = range
  }
}
