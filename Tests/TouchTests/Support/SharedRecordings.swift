import CLinux
import Linux
import Testing

/// Recordings of real devices, which are not part of the project: they lie beside it, or nowhere.
enum SharedRecordings {
  static let folder = "../shared/recordings"

  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/\(folder)"

  /// The path of one, or nil; the test then says what it skipped.
  static func path(_ name: String) -> String? {
    let path = "\(root)/\(name)"
    return access(path, R_OK) == 0 ? path : nil
  }

  /// The paths of all recordings of devices, and of those in the folder that PARAPH_RECORDINGS names.
  static var all: [String] {
    var folders = ["\(root)/evemu"]
    if let more = unsafe getenv("PARAPH_RECORDINGS") {
      unsafe folders.append(String(cString: more))
    }
    let paths = folders.flatMap { folder in
      let names = (try? Folder.names(of: folder)) ?? []
      return names.filter { $0 != "LICENSE" }.sorted().map { "\(folder)/\($0)" }
    }
    if paths.isEmpty { print("skipped: \(folder)/evemu is not there") }
    return paths
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
