import CLinux
import Configuration
import Display
import Linux
import Pad
import Touch

/// A device that nobody holds.
struct LiveDevice: ~Copyable {
  let path: String
  var device: EventDevice

  /// Opens a node; without one, what the pad would take: a touchscreen before a pen.
  init(_ path: String?, _ settings: @autoclosure () throws -> PadConfiguration) throws {
    let path = try path ?? LiveDevice.found(by: try settings())
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

  consuming func takeDevice() -> EventDevice { device }

  private static func found(by settings: PadConfiguration) throws -> String {
    let displays = DisplaySurvey(PanelWishes(settings.display))
    let panel = PanelLocation(in: displays, settings.display)
    let survey = TouchSurvey(DeviceChoice(settings.touch.device), on: panel)
    let entries = survey.entries.filter { $0.unused == nil }
    if let entry = entries.first(where: { $0.kind == .touchscreen }) ?? entries.first {
      return entry.path
    }
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
        "\(label) is held by another program, which is probably the pad: \(ToolError.freeIt)")
    }
  }
}

extension ToolError {
  /// What to do where the pad runs.
  static let freeIt = "systemctl stop paraphd, and start it again afterwards"
}
