internal import Linux

/// Which device draws.
public enum DeviceChoice: Sendable, Equatable {
  /// Every pen on a screen, and the touchscreen that fits the panel best (`PanelLocation`); a pointer with absolute places only where there is
  /// neither.
  case automatic
  /// A node, or a link to one such as those in `/dev/input/by-path`.
  case path(String)
  /// Those that the kernel gives this name.
  case name(String)
  /// Those to which udev gave a property this value.
  case property(String, String)

  /// Whether a device is one that was chosen by more than its kind.
  func names(_ found: FoundDevice) -> Bool {
    switch self {
    case .automatic: false
    case .path(let path): found.path.isSame(as: path) || found.leadsHere(path)
    case .name(let name): found.description.name.isSame(as: name)
    case .property(let name, let value): found.properties[name]?.isSame(as: value) ?? false
    }
  }
}
