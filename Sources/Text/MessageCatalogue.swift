/// The translations of a GNU .mo file in either byte order.
///
/// msgfmt(1) writes these files (gettext manual, 10.3, "The Format of GNU MO Files").
public struct MessageCatalogue: Sendable {
  /// The reason why a file is not a valid catalogue.
  public struct Refusal: Error, Equatable, Sendable {
    /// A predicate, such as "is truncated".
    public let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The maximum size of a file; the pad's own have 2 kB.
  public static let sizeLimit = 1 << 20
  static let messageLimit = 10_000

  private let messages: [(key: [UInt8], text: [UInt8])]

  /// Parses a file and checks all its offsets.
  public init(_ bytes: [UInt8]) throws(Refusal) {
    let reader = try Reader(bytes)
    let count = try reader.word(at: 8)
    guard count <= MessageCatalogue.messageLimit else { throw Refusal("has too many messages") }
    let (keys, texts) = (try reader.word(at: 12), try reader.word(at: 16))
    var messages: [(key: [UInt8], text: [UInt8])] = []
    var total = 0
    for index in 0..<count {
      let key = try reader.string(at: keys + 8 * index)
      let text = try reader.string(at: texts + 8 * index)
      // Overlapping texts could expand a small file to a large catalogue.
      total += key.count + text.count
      guard total <= bytes.count else { throw Refusal("has overlapping texts") }
      messages.append((key, text))
    }
    // The header is the translation of the empty text.
    guard let header = messages.first(where: { $0.key.isEmpty })?.text,
      MessageCatalogue.isUTF8(header)
    else { throw Refusal("is not in UTF-8") }
    self.messages = messages
  }

  /// The translation of a text; nil if it has none.
  public subscript(key: String) -> String? {
    guard !key.isEmpty, let found = messages.first(where: { $0.key.elementsEqual(key.utf8) }),
      !found.text.isEmpty
    else { return nil }
    return String(decoding: found.text, as: UTF8.self)
  }

  private static func isUTF8(_ header: [UInt8]) -> Bool {
    let field = "charset=utf-8".utf8
    let lower = header.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return lower.indices.contains { lower[$0...].starts(with: field) }
  }

  /// Reads integers and texts at offsets of a file.
  private struct Reader {
    let bytes: [UInt8]
    let isBigEndian: Bool

    init(_ bytes: [UInt8]) throws(Refusal) {
      self.bytes = bytes
      switch bytes.prefix(4) {
      case [0xDE, 0x12, 0x04, 0x95]: isBigEndian = false
      case [0x95, 0x04, 0x12, 0xDE]: isBigEndian = true
      default: throw Refusal("is not a message catalogue")
      }
      // The major revisions 0 and 1 have the same format here.
      guard try word(at: 4) >> 16 <= 1 else { throw Refusal("has an unknown revision") }
    }

    func word(at place: Int) throws(Refusal) -> Int {
      guard place >= 0, place <= bytes.count - 4 else { throw Refusal("is truncated") }
      var value: UInt32 = 0
      for index in 0..<4 {
        let byte = UInt32(bytes[place + (isBigEndian ? index : 3 - index)])
        value = value << 8 | byte
      }
      // Larger values exceed the file's size limit, and Int on 32-bit machines.
      guard value <= UInt32(Int32.max) else { throw Refusal("is truncated") }
      return Int(value)
    }

    /// Reads a text whose table entry has its length and offset; a NUL follows the text.
    func string(at entry: Int) throws(Refusal) -> [UInt8] {
      let length = try word(at: entry)
      let place = try word(at: entry + 4)
      guard place <= bytes.count, length < bytes.count - place, bytes[place + length] == 0 else {
        throw Refusal("is truncated")
      }
      return Array(bytes[place..<(place + length)])
    }
  }
}
