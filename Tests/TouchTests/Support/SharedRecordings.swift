import CLinux
import Linux
import Testing

/// Recordings of real devices. They are not part of the project, but may lie beside it.
enum SharedRecordings {
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    + "/../shared/recordings"

  /// Whether the recordings are there.
  static let areThere = access("\(root)/evemu", R_OK) == 0

  /// The paths of all recordings of devices, and of those in the folder that PARAPH_RECORDINGS names.
  static var all: [String] {
    var folders = ["\(root)/evemu"]
    if let more = unsafe getenv("PARAPH_RECORDINGS") {
      unsafe folders.append(String(cString: more))
    }
    return folders.flatMap { folder in
      let names = (try? Folder.names(of: folder)) ?? []
      return names.filter { $0 != "LICENSE" }.sorted().map { "\(folder)/\($0)" }
    }
  }

  /// The content of one.
  static func text(_ name: String) throws -> String {
    let bytes = try FileDescriptor(opening: "\(root)/\(name)", O_RDONLY).readAll(limit: 1 << 24)
    return String(decoding: try #require(bytes), as: UTF8.self)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where the recordings are not there.
  static var needsRecordings: Self {
    .enabled(if: SharedRecordings.areThere, "there is no ../shared/recordings")
  }
}
