import CLinux
import Configuration
import Display
import Linux
import Pad
import Touch

/// An event device that no program has grabbed.
struct LiveDevice: ~Copyable {
  let path: String
  var device: EventDevice

  /// Opens a node.
  init(_ path: String) throws(ToolError) {
    let device: EventDevice
    do throws(SystemError) {
      device = try EventDevice(opening: path)
    } catch { throw LiveDevice.refusal(error) }
    let label = "\(path) (\(device.description.name))"
    if let reason = DeviceSuitability.incompatibility(of: device.description) {
      throw ToolError(.unavailable, "\(label): \(reason)")
    }
    try LiveDevice.checkFree(device, label)
    self.path = path
    self.device = device
  }

  consuming func takeDevice() -> EventDevice { device }

  /// The node of the device that the pad would use: a touchscreen before a pen.
  static func path(by settings: PadConfiguration) throws(ToolError) -> String {
    let displays = DisplaySurvey(OutputSelector(settings.display))
    let panel = PanelLocation(in: displays, settings.display)
    let survey = TouchSurvey(DeviceChoice(settings.touch.device), on: panel)
    let entries = survey.entries.filter { $0.unused == nil }
    if let entry = entries.first(where: { $0.kind == .touchscreen }) ?? entries.first {
      return entry.path
    }
    throw ToolError(
      .unavailable, "no touchscreen is usable; paraph devices shows why")
  }

  private static func refusal(_ error: SystemError) -> ToolError {
    switch error.errno.rawValue {
    case EACCES, EPERM: ToolError(.noPermission, error.text + " (the group input may)")
    case ENOTTY, EINVAL: ToolError(.unavailable, "\(error.subject): not an event device")
    case ENOENT, ENODEV, ENXIO: ToolError(.unavailable, error.text)
    default: ToolError(.io, error.text)
    }
  }

  /// A grabbed device reports to one program only.
  private static func checkFree(_ device: borrowing EventDevice, _ label: String) throws(ToolError)
  {
    do throws(Errno) {
      try device.grab()
      device.ungrab()
    } catch {
      throw ToolError(
        .tempfail,
        "\(label): in use by another program, probably the pad; \(ToolError.freeIt)")
    }
  }
}

extension ToolError {
  /// How to stop a running pad.
  static let freeIt = "stop it with systemctl stop paraphd"
}
