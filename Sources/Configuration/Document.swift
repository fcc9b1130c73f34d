internal import CLinux
internal import Linux

/// A configuration file as its syntax has it: sections of keys and texts, each with its line.
struct Document: Sendable {
  struct Entry: Sendable {
    let key: String
    let value: [UInt8]
    let line: Int

    var text: String { String(decoding: value, as: UTF8.self) }
  }

  struct Block: Sendable {
    let name: String
    let line: Int
    var entries: [Entry] = []
  }

  let file: String
  var blocks: [Block] = []
  var problems: [ConfigurationProblem] = []

  /// More than any configuration needs, and less than hurts.
  static let sizeLimit = 1 << 20

  init(file: String) { self.file = file }

  /// Parses the bytes of a file; what is wrong is kept in `problems`.
  static func parse(_ bytes: [UInt8], file: String) -> Document {
    var parser = DocumentParser(Document(file: file))
    parser.parse(bytes)
    return parser.document
  }

  /// Reads and parses a file.
  static func read(_ path: String) throws(ConfigurationError) -> Document {
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try FileDescriptor(opening: path, O_RDONLY).readAll(limit: sizeLimit)
    } catch {
      throw ConfigurationError([problem(path, "cannot be read: \(error.text)")])
    }
    guard let bytes else {
      throw ConfigurationError([problem(path, "is larger than \(sizeLimit) bytes")])
    }
    return parse(bytes, file: path)
  }

  private static func problem(_ path: String, _ reason: String) -> ConfigurationProblem {
    ConfigurationProblem(file: path, line: 0, section: "", key: "", reason: reason)
  }

  mutating func add(_ line: Int, key: String = "", _ reason: String) {
    problems.append(
      ConfigurationProblem(
        file: file, line: line, section: blocks.last?.name ?? "", key: key, reason: reason))
  }
}
