internal import CLinux
internal import Linux

/// Checks files and folders that a configuration names, as this process sees them; nil: no problem.
public enum PathCheck {
  /// Of a file or device that must be there.
  public static func missing(_ path: String) -> String? {
    do throws(SystemError) {
      _ = try FileStatus(of: path)
      return nil
    } catch { return "\(path): \(error.errno.text)" }
  }

  /// Of a folder that must be there.
  public static func folder(_ path: String) -> String? {
    do throws(SystemError) {
      return try FileStatus(of: path).kind == .folder ? nil : "\(path) is not a folder"
    } catch { return "\(path): \(error.errno.text)" }
  }

  /// Of the folder that a file is written into.
  public static func folder(of path: String) -> String? { folder(parent(of: path)) }

  /// Of a program that is run.
  static func program(_ path: String) -> String? {
    do throws(SystemError) {
      if try FileStatus(of: path).kind != .file { return "\(path) is not a program" }
    } catch { return "\(path): \(error.errno.text)" }
    return unsafe access(path, X_OK) == 0 ? nil : "\(path): \(Errno.current.text)"
  }

  /// Of a file that is read.
  static func readable(_ path: String) -> String? {
    unsafe access(path, R_OK) == 0 ? nil : "\(path): \(Errno.current.text)"
  }

  /// Of a folder that is made where it is missing, in one that must be there. What this process may not
  /// look at is not judged.
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
      default: return (.error, "\(path) cannot be made: \(error.errno.text)")
      }
    }
    let parent = parent(of: path)
    // It may come: a disk that is mounted later, a folder of systemd-tmpfiles.
    if let reason = folder(parent) { return (.warning, "\(path) cannot be made: \(reason)") }
    if unsafe access(parent, W_OK) == 0 { return nil }
    return (.warning, "\(path) cannot be made: \(parent): \(Errno.current.text)")
  }

  private static func parent(of path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return "/" }
    return String(decoding: bytes[..<slash], as: UTF8.self)
  }
}
