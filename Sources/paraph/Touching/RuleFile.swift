import CLinux
import Linux
import Touch

/// The file that `paraph calibrate` writes. It is checked before the calibration starts.
struct RuleFile {
  private let path: String
  private let former: [UInt8]?

  init(_ path: String) throws(ToolError) {
    self.path = path
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
    guard unsafe access(folder.isEmpty ? "/" : folder, W_OK) == 0 else {
      let error = Errno.current
      throw ToolError(
        .cannotCreate,
        error.rawValue == ENOENT
          ? "\(folder): no such folder; create it, or choose another one with --output"
          : SystemError("write", path, error).text
            + "; run this as root, or choose another file with --output")
    }
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      former = try file.readAll(limit: 1 << 20)
    } catch {
      guard error.rawValue == ENOENT else {
        throw ToolError(.cannotCreate, SystemError("read", path, error).text)
      }
      former = nil
    }
    let anything = CalibrationRule(.identity, for: DeviceDescription())
    guard anything.file(after: former) != nil else {
      throw ToolError(
        .cannotCreate, "\(path): not written by paraph calibrate; choose another file with --output"
      )
    }
  }

  /// Adds the rule of a device, or replaces its former one.
  func add(_ rule: CalibrationRule) throws(ToolError) {
    guard let text = rule.file(after: former) else { return }
    try OutputFile.write(Array(text.utf8), to: path)
  }
}
