/// What the kernel knows of a device when it is opened: the events that told it are gone.
public struct DeviceState: Sendable, Equatable {
  /// One slot of protocol B.
  public struct Slot: Sendable, Equatable {
    /// Negative where there is no contact.
    public var trackingID: Int32 = -1
    /// Nil where it is not known.
    public var x: Int32?
    /// Nil where it is not known.
    public var y: Int32?
    /// Nil where the device has none.
    public var pressure: Int32?
    /// ABS_MT_TOUCH_MAJOR, nil where the device has none.
    public var size: Int32?
    /// ABS_MT_DISTANCE.
    public var distance: Int32 = 0
    /// ABS_MT_TOOL_TYPE.
    public var toolType: Int32 = 0

    /// An empty slot.
    public init() {}
  }

  /// The slot that the next values belong to.
  public var slot: Int32 = 0
  /// ABS_X, nil where it is not known.
  public var x: Int32?
  /// ABS_Y, nil where it is not known.
  public var y: Int32?
  /// ABS_PRESSURE, nil where it is not known.
  public var pressure: Int32?
  /// The keys that are pressed.
  public var keys = CodeSet()
  /// The slots, from 0.
  public var slots: [Slot] = []

  /// Nothing is known.
  public init() {}
}
