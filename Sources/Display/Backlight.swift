internal import CLinux
public import Linux

/// A panel's lamp (`/sys/class/backlight`; kernel: ABI/stable/sysfs-class-backlight).
public struct Backlight: Sendable, Equatable {
  /// Its folder, for example `/sys/class/backlight/rpi_backlight`.
  public let path: String
  /// The largest brightness.
  public let maximum: Int

  /// The one of that name; without a name, the only one there is. Nil if there is none: with several and
  /// no name it is not known which is the panel's.
  public init?(named name: String? = nil) { self.init(named: name, in: "/sys/class/backlight") }

  init?(named name: String?, in folder: String) {
    let names = (try? Folder.names(of: folder)) ?? []
    guard let chosen = name ?? (names.count == 1 ? names[0] : nil) else { return nil }
    path = "\(folder)/\(chosen)"
    guard let line = Folder.line(of: "\(path)/max_brightness"), let maximum = Int(line),
      maximum > 0
    else { return nil }
    self.maximum = maximum
  }

  /// As set now, 0…1; nil if it does not tell.
  public var brightness: Float? {
    guard let line = Folder.line(of: "\(path)/brightness"), let value = Int(line) else {
      return nil
    }
    return Float(value) / Float(maximum)
  }

  /// Sets it, 0…1. What is above 0 is at least the dimmest that still shines.
  public func set(brightness: Float) throws(SystemError) {
    let share = min(1, max(0, brightness))
    let value = Int((share * Float(maximum)).rounded())
    try write("\(share > 0 ? max(1, value) : 0)", to: "brightness")
  }

  /// Whether it is switched off: by `power`, or by whoever had the panel before.
  public var isOut: Bool {
    guard let line = Folder.line(of: "\(path)/bl_power") else { return false }
    return Int(line) != 0
  }

  /// Switches the lamp without touching its brightness (`bl_power`, FB_BLANK_UNBLANK or
  /// FB_BLANK_POWERDOWN): for drivers that leave it on when the panel's signal goes.
  public func power(_ isOn: Bool) throws(SystemError) {
    try write(isOn ? "0" : "4", to: "bl_power")
  }

  private func write(_ value: String, to attribute: String) throws(SystemError) {
    let file = "\(path)/\(attribute)"
    do throws(Errno) {
      try FileDescriptor(opening: file, O_WRONLY).writeAll(value)
    } catch {
      throw SystemError("write", file, error)
    }
  }
}
