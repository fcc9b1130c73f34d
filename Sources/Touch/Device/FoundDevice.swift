internal import CLinux
internal import Linux

/// A node below `/dev/input` and what it is.
public struct FoundDevice: Sendable {
  /// For example "/dev/input/event5".
  public let path: String
  /// What the device says of itself.
  public let description: DeviceDescription
  /// What udev's rules found; empty where there is no udev.
  public let properties: UdevProperties

  /// Whether a path is a link that leads to this node.
  func leadsHere(_ link: String) -> Bool {
    EventNodes.identity(of: link).map { $0 == EventNodes.identity(of: path) } ?? false
  }
}
