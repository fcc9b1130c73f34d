internal import CLinux
internal import Linux

/// The file with the notes of `[text] notes`, such as an address. It may appear, change and vanish at any time.
struct NotesFile: ~Copyable {
  private let path: String
  private let name: [UInt8]
  private var inotify: Inotify
  private var isRead = false

  static let maximumLines = 8
  static let maximumSize = 4096

  /// What the file has.
  enum Content: Equatable {
    /// What happened in the folder was about other files.
    case unchanged
    /// Its lines; a missing file has none.
    case lines([String])
    /// It cannot be read.
    case failed(String)
  }

  /// Watches the folder of the file: an editor replaces the file. The folder must exist.
  init(_ path: String) throws(SystemError) {
    self.path = path
    let bytes = Array(path.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
    name = Array(bytes.dropFirst(slash + 1))
    let folder = slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
    inotify = try SystemError.naming("inotify_add_watch", folder) { () throws(Errno) in
      let inotify = try Inotify()
      _ = try inotify.watch(folder, mask)
      return inotify
    }
  }

  /// For poll(2).
  var number: Int32 { inotify.number }

  /// Reads the notes, the first time and after each change of the file.
  mutating func read() -> Content {
    let name = name
    var hasChanged = !isRead
    do throws(Errno) {
      try inotify.read { notice, changed in
        if notice.has(IN_Q_OVERFLOW) || changed.elementsEqual(name) { hasChanged = true }
      }
      guard hasChanged else { return .unchanged }
      isRead = true
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard let bytes = try file.readAll(limit: NotesFile.maximumSize) else {
        return .failed("\(path): is larger than \(NotesFile.maximumSize) bytes")
      }
      return .lines(NotesFile.lines(of: bytes))
    } catch {
      return error.rawValue == ENOENT ? .lines([]) : .failed("\(path): \(error.text)")
    }
  }

  /// The lines of a text, without empty ones; ASCII's control characters become blanks.
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

extension Span<UInt8> {
  fileprivate func elementsEqual(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}
