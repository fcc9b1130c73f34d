public import Configuration
public import Touch

extension DeviceChoice {
  /// What the configuration names.
  public init(_ device: TouchConfiguration.Device) {
    self =
      switch device {
      case .automatic: .automatic
      case .path(let path): .path(path)
      case .name(let name): .name(name)
      case .property(let name, let value): .property(name, value)
      }
  }
}
