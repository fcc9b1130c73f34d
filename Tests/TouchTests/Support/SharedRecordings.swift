import CLinux
import Linux
import Testing

/// Recordings of real devices, which are not part of the project: they lie beside it, or nowhere.
enum SharedRecordings {
  static let folder = "../shared/recordings"

  /// The path of one, or nil; the test then says what it skipped.
  static func path(_ name: String) -> String? {
    var root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    root += "/\(folder)/\(name)"
    return access(root, R_OK) == 0 ? root : nil
  }

  static func text(_ name: String) throws -> String? {
    guard let path = path(name) else {
      print("skipped: \(folder)/\(name) is not there")
      return nil
    }
    let bytes = try FileDescriptor(opening: path, O_RDONLY).readAll(limit: 1 << 24)
    return String(decoding: try #require(bytes), as: UTF8.self)
  }
}
