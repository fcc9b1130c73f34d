/// A catalogue of translations as msgfmt(1) writes it: a GNU .mo file (gettext manual, 10.3, "The
/// Format of GNU MO Files"), of either byte order.
public struct MessageCatalogue: Sendable {
  /// Why bytes are no catalogue.
  public struct Refusal: Error, Equatable, Sendable {
    /// What is wrong with them.
    public let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The largest file that is read; the pad's own have 2 kB.
  public static let sizeLimit = 1 << 20
  static let messageLimit = 10_000

  private let messages: [(key: [UInt8], text: [UInt8])]

  /// Reads a whole file. Everything is checked here; nothing points outside of it.
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
      // Texts may lie upon one another, so that a small file could stand for many large ones.
      total += key.count + text.count
      guard total <= bytes.count else { throw Refusal("has texts that overlap") }
      messages.append((key, text))
    }
    // The translation of the empty text is the header.
    guard let header = messages.first(where: { $0.key.isEmpty })?.text,
      MessageCatalogue.isUTF8(header)
    else { throw Refusal("is not in UTF-8") }
    self.messages = messages
  }

  /// The translation of a text; nil if there is none.
  public subscript(key: String) -> String? {
    let key = Array(key.utf8)
    guard !key.isEmpty, let found = messages.first(where: { $0.key == key }), !found.text.isEmpty
    else { return nil }
    return String(decoding: found.text, as: UTF8.self)
  }

  private static func isUTF8(_ header: [UInt8]) -> Bool {
    let field = Array("charset=utf-8".utf8)
    let lower = header.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return lower.indices.contains { lower[$0...].starts(with: field) }
  }

  /// Numbers and texts at places that a file names.
  private struct Reader {
    let bytes: [UInt8]
    let isBigEndian: Bool

    init(_ bytes: [UInt8]) throws(Refusal) {
      self.bytes = bytes
      switch bytes.prefix(4) {
      case [0xDE, 0x12, 0x04, 0x95]: isBigEndian = false
      case [0x95, 0x04, 0x12, 0xDE]: isBigEndian = true
      default: throw Refusal("is no message catalogue")
      }
      // The major revision says how the file is read; 0 and 1 are alike in what is used here.
      guard try word(at: 4) >> 16 <= 1 else { throw Refusal("has an unknown revision") }
    }

    func word(at place: Int) throws(Refusal) -> Int {
      guard place >= 0, place <= bytes.count - 4 else { throw Refusal("is cut off") }
      var value: UInt32 = 0
      for index in 0..<4 {
        let byte = UInt32(bytes[place + (isBigEndian ? index : 3 - index)])
        value = value << 8 | byte
      }
      // Above 2³¹ nothing can lie within the limit of size; Int has 32 bits on small boards.
      guard value <= UInt32(Int32.max) else { throw Refusal("is cut off") }
      return Int(value)
    }

    /// Length and place are two words in a table; a NUL follows the text.
    func string(at entry: Int) throws(Refusal) -> [UInt8] {
      let length = try word(at: entry)
      let place = try word(at: entry + 4)
      guard place <= bytes.count, length < bytes.count - place, bytes[place + length] == 0 else {
        throw Refusal("is cut off")
      }
      return Array(bytes[place..<(place + length)])
    }
  }
}
