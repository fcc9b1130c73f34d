/// How the pad behaves and what it calls itself.
public struct AppearanceConfiguration: Equatable, Sendable {
  /// What the manifests of signatures name as the device; nil: the machine's host name.
  public var deviceName: String?
  /// Less ink than this, in millimetres of line, is no signature.
  public var minimumLength: Float

  init(_ section: Section) {
    deviceName = section.value("device-name", .text)
    minimumLength = section.value("minimum-length", .decimal(0...1000), default: 5)
  }
}
