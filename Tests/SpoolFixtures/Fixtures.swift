import CLinux
import Linux
import Spool

/// Items and files for tests.
public enum Fixtures {
  /// The path of the project.
  public static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// A PNG with valid chunks and the given size. Its pixels are invalid.
  public static func png(width: UInt32 = 40, height: UInt32 = 20, padding: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      number(UInt32(content.count)) + Array(type.utf8) + content + [0, 0, 0, 0]
    }
    bytes += chunk("IHDR", number(width) + number(height) + [8, 0, 0, 0, 0])
    bytes += chunk("IDAT", [UInt8](repeating: 7, count: 10 + padding)) + chunk("IEND", [])
    return bytes
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// The description of a signature with that picture.
  public static let description = Draft.Description(
    reference: "parcel 17", device: "locker", panel: "DSI-1", width: 40, height: 20, dpi: 300,
    strokes: 2)

  /// Publishes a signature with one file.
  public static func publish(_ publisher: inout Publisher) throws -> Manifest {
    var draft = try publisher.begin()
    try draft.write(.png, png())
    return try draft.publish(description)
  }

  /// Puts an item with this manifest and the picture of `publish` into `new` of a spool.
  public static func add(_ manifest: Manifest, to spool: String) throws {
    let new = try Folder(spool + "/new")
    let item = try new.makeFolder(manifest.id.text, mode: 0o2770)
    try item.makeFile("signature.json", mode: 0o640).writeAll(manifest.bytes)
    try item.makeFile("signature.png", mode: 0o640).writeAll(png())
  }

  /// Replaces a file's content.
  public static func write(_ path: String, _ bytes: [UInt8]) throws {
    try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).writeAll(bytes)
  }

  /// A file's content.
  public static func read(_ path: String) throws -> [UInt8] {
    try FileDescriptor(opening: path, O_RDONLY).readAll(limit: 1 << 28) ?? []
  }

  /// A file's content as text; empty if there is no file.
  public static func text(_ path: String) throws -> String {
    exists(path) ? String(decoding: try read(path), as: UTF8.self) : ""
  }

  /// Whether the path exists.
  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
