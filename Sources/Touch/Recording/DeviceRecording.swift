/// The events of one device, with what is known of it.
public struct DeviceRecording: Sendable, Equatable {
  /// What the device says of itself; where the recording says nothing, what its events let guess.
  public var device = DeviceDescription()
  /// What the recording states of the time before its first event.
  public var state = DeviceState()
  /// The udev properties that were recorded.
  public var properties = UdevProperties()
  /// In the order in which the kernel sent them.
  public var events: [InputEvent] = []

  /// Nothing.
  public init() {}
}
