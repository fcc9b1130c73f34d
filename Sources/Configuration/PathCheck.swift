internal import CLinux
internal import Linux

/// Checks configured files and folders with this process's permissions; nil: no problem.
public enum PathCheck {
  /// Checks that a file or device exists.
  public static func missing(_ path: String) -> String? {
    do throws(SystemError) {
      _ = try FileStatus(of: path)
      return nil
    } catch { return "\(path): \(error.errno.text)" }
  }

  /// Checks that a folder exists.
  public static func folder(_ path: String) -> String? {
    do throws(SystemError) {
      return try FileStatus(of: path).kind == .folder ? nil : "\(path) is not a folder"
    } catch { return "\(path): \(error.errno.text)" }
  }

  /// Checks that the folder of a file to write exists.
  public static func folder(of path: String) -> String? { folder(parent(of: path)) }

  /// Checks that a program is executable.
  static func program(_ path: String) -> String? {
    do throws(SystemError) {
      if try FileStatus(of: path).kind != .file { return "\(path) is not a program" }
    } catch { return "\(path): \(error.errno.text)" }
    return unsafe access(path, X_OK) == 0 ? nil : "\(path): \(Errno.current.text)"
  }

  /// Checks that a file is readable.
  static func readable(_ path: String) -> String? {
    unsafe access(path, R_OK) == 0 ? nil : "\(path): \(Errno.current.text)"
  }

  /// Checks that a folder exists or can be created. Ignores folders that this process cannot access.
  public static func makeable(
    _ path: String
  ) -> (severity: ConfigurationProblem.Severity, reason: String)? {
    do throws(SystemError) {
      if try FileStatus(of: path).kind == .folder { return nil }
      return (.error, "\(path) is not a folder")
    } catch {
      switch error.errno.rawValue {
      case ENOENT: break
      case EACCES: return nil
      default: return (.error, "\(path) cannot be created: \(error.errno.text)")
      }
    }
    let parent = parent(of: path)
    // The parent may appear later: a disk that is mounted, or a folder of systemd-tmpfiles.
    if let reason = folder(parent) { return (.warning, "\(path) cannot be created: \(reason)") }
    if unsafe access(parent, W_OK) == 0 { return nil }
    return (.warning, "\(path) cannot be created: \(parent): \(Errno.current.text)")
  }

  private static func parent(of path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > bytes.startIndex else {
      return "/"
    }
    return String(Substring(bytes[..<slash]))
  }
}
