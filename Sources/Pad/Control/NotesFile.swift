internal import CLinux
internal import Linux

/// The file of `[text] notes`: lines for the operator, such as an address. It may appear, change and vanish at any
/// time; its folder must stay.
struct NotesFile: ~Copyable {
  private let path: String
  private let name: [UInt8]
  private var inotify: Inotify
  /// The last result of `read()`; nil: the file was not read.
  private var last: Content?

  static let maximumLines = 8
  static let maximumSize = 4096

  /// The result of reading the file.
  enum Content: Equatable {
    /// The lines; none if there is no file.
    case lines([String])
    /// Why the file cannot be read.
    case failed(String)
  }

  /// Watches the folder, because an editor replaces the file.
  init(_ path: String) throws(SystemError) {
    self.path = path
    let bytes = Array(path.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
    name = Array(bytes.dropFirst(slash + 1))
    let folder = slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    let mask = UInt32(
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_ONLYDIR)
    inotify = try SystemError.naming("inotify_add_watch", folder) { () throws(Errno) in
      let inotify = try Inotify()
      _ = try inotify.watch(folder, mask)
      return inotify
    }
  }

  /// For poll(2).
  var number: Int32 { inotify.number }

  /// Reads the file if it may have changed. Returns nil if the content is that of the last call.
  mutating func read() -> Content? {
    let name = name
    var (mayHaveChanged, isFolderGone) = (last == nil, false)
    let content: Content
    do throws(Errno) {
      try inotify.read { notice, changed in
        if notice.has(IN_MOVE_SELF | IN_IGNORED) {
          isFolderGone = true
        } else if notice.has(IN_Q_OVERFLOW) || changed.elementsEqual(name) {
          mayHaveChanged = true
        }
      }
      if isFolderGone {
        content = .failed(
          "\(path): the folder was moved or removed; restart paraphd to read a new one")
      } else if mayHaveChanged {
        content = try file()
      } else {
        return nil
      }
    } catch {
      content = error.rawValue == ENOENT ? .lines([]) : .failed("\(path): \(error.text)")
    }
    defer { last = content }
    return content == last ? nil : content
  }

  private borrowing func file() throws(Errno) -> Content {
    let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    guard let bytes = try file.readAll(limit: NotesFile.maximumSize) else {
      return .failed("\(path): is larger than \(NotesFile.maximumSize) bytes")
    }
    return .lines(NotesFile.lines(of: bytes))
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
