internal import CLinux
public import Linux

/// A panel's backlight (`/sys/class/backlight`; kernel: ABI/stable/sysfs-class-backlight).
public struct Backlight: Sendable, Equatable {
  /// The folder of all backlights.
  public static let folder = "/sys/class/backlight"

  /// The folder, for example `/sys/class/backlight/rpi_backlight`.
  public let path: String

  /// Finds a backlight by name, or without a name the only one.
  ///
  /// Nil if there is none; without a name also if there are several.
  public init?(named name: String? = nil, in folder: String = Backlight.folder) {
    let names = (try? Folder.names(of: folder)) ?? []
    guard let chosen = name ?? (names.count == 1 ? names[0] : nil) else { return nil }
    path = "\(folder)/\(chosen)"
    guard exists else { return nil }
  }

  /// Whether its driver is still there.
  public var exists: Bool {
    guard let line = Folder.line(of: "\(path)/max_brightness") else { return false }
    return Int(line) != nil
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
    let file = "\(path)/bl_power"
    do throws(Errno) {
      // FB_BLANK_UNBLANK, FB_BLANK_POWERDOWN
      try FileDescriptor(opening: file, O_WRONLY).writeAll(isOn ? "0" : "4")
    } catch {
      throw SystemError("write", file, error)
    }
  }
}
