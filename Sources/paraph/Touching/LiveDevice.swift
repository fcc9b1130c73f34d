import CLinux
import Linux
import Touch

/// The device that `watch` and `record` read: one that nobody holds.
struct LiveDevice: ~Copyable {
  let path: String
  var device: EventDevice

  /// Opens a node; without one, the touchscreen or pen that a pad would take.
  init(_ path: String?) throws {
    let path = try path ?? LiveDevice.automatic()
    let device: EventDevice
    do { device = try EventDevice(opening: path) } catch { throw LiveDevice.refusal(error) }
    let label = "\(path) (\(device.description.name))"
    if let reason = DeviceSuitability.hindrance(device.description) {
      throw ToolError(.unavailable, "\(label): \(reason)")
    }
    try LiveDevice.checkFree(device, label)
    self.path = path
    self.device = device
  }

  private static func automatic() throws -> String {
    let survey = TouchSurvey()
    if let entry = survey.entries.first(where: { $0.unused == nil }) { return entry.path }
    throw ToolError(
      .unavailable, "no touchscreen that can be used: paraph devices says why of each")
  }

  private static func refusal(_ error: SystemError) -> ToolError {
    switch error.errno.rawValue {
    case EACCES, EPERM: ToolError(.noPermission, error.text + " (the group input may)")
    case ENOTTY, EINVAL: ToolError(.unavailable, "\(error.subject) is no event device")
    case ENOENT, ENODEV, ENXIO: ToolError(.unavailable, error.text)
    default: ToolError(.io, error.text)
    }
  }

  /// Who has grabbed a device hears it alone.
  private static func checkFree(_ device: borrowing EventDevice, _ label: String) throws {
    do {
      try device.grab()
      device.ungrab()
    } catch {
      throw ToolError(
        .tempfail,
        "\(label) is held by another program, which is probably the pad: systemctl stop paraphd, "
          + "and start it again afterwards")
    }
  }
}
