internal import CLinux
public import Linux

/// A panel's backlight (`/sys/class/backlight`; kernel: ABI/stable/sysfs-class-backlight).
public struct Backlight: Sendable, Equatable {
  /// The folder, for example `/sys/class/backlight/rpi_backlight`.
  public let path: String
  /// The largest brightness.
  public let maximum: Int

  /// Finds a backlight by name, or without a name the only one.
  ///
  /// Nil if there is none; without a name also if there are several.
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

  /// The brightness, 0…1; nil if it cannot be read.
  public var brightness: Float? {
    guard let line = Folder.line(of: "\(path)/brightness"), let value = Int(line) else {
      return nil
    }
    return Float(value) / Float(maximum)
  }

  /// Sets the brightness, 0…1; values above 0 set at least the lowest step.
  public func set(brightness: Float) throws(SystemError) {
    let share = min(1, max(0, brightness))
    let value = Int((share * Float(maximum)).rounded())
    try write("\(share > 0 ? max(1, value) : 0)", to: "brightness")
  }

  /// Whether it is switched off, by `setPower` or another program.
  public var isOff: Bool {
    guard let line = Folder.line(of: "\(path)/bl_power") else { return false }
    return Int(line) != 0
  }

  /// Switches the backlight on or off without changing its brightness (`bl_power`).
  ///
  /// Needed for drivers that leave it on when the panel is switched off.
  public func setPower(_ isOn: Bool) throws(SystemError) {
    // FB_BLANK_UNBLANK, FB_BLANK_POWERDOWN
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
