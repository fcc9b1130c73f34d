internal import CLinux
internal import Linux

/// The file with the notes of `[text] notes`, such as an address. It may appear, change and vanish at any time.
struct NotesFile: ~Copyable {
  private let path: String
  private var inotify: Inotify

  /// What fits a small panel in small letters.
  static let maximumLines = 8
  private static let maximumSize = 4096

  /// Watches the folder of the file: an editor replaces the file.
  init(_ path: String) throws(SystemError) {
    self.path = path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
    inotify = try SystemError.naming("inotify_add_watch", folder) { () throws(Errno) in
      let inotify = try Inotify()
      _ = try inotify.watch(folder, mask)
      return inotify
    }
  }

  /// For poll(2).
  var number: Int32 { inotify.number }

  /// Reads the notes after a change in the folder. A missing file has none.
  mutating func read() -> [String] {
    do throws(Errno) {
      try inotify.read { _, _ in }
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard let bytes = try file.readAll(limit: NotesFile.maximumSize) else {
        return ["\(path): longer than \(NotesFile.maximumSize) bytes"]
      }
      return NotesFile.lines(of: bytes)
    } catch { return [] }
  }

  /// The lines of a text, without empty ones; control characters become blanks.
  static func lines(of bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    var lines: [String] = []
    var line = ""
    for scalar in text.unicodeScalars {
      if scalar != "\n" {
        line.unicodeScalars.append(scalar.value < 32 || scalar.value == 127 ? " " : scalar)
        continue
      }
      lines.append(line)
      line = ""
    }
    lines.append(line)
    let filled = lines.filter { line in line.utf8.contains { $0 != UInt8(ascii: " ") } }
    return Array(filled.prefix(maximumLines))
  }
}
