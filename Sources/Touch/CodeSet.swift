/// A set of event codes, as the kernel's EVIOCGBIT answers it: one bit for each.
public struct CodeSet: Sendable, Equatable {
  private var words: [UInt64] = []

  /// The largest number of any event code, KEY_MAX, plus one.
  public static let limit = 0x300

  /// No code.
  public init() {}

  /// Whether nothing is in it.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Whether a code is in it.
  public func contains(_ code: Int32) -> Bool {
    let word = Int(code) >> 6
    guard code >= 0, word < words.count else { return false }
    return words[word] & (1 << UInt64(code & 63)) != 0
  }

  /// Puts a code in; one that no kernel knows is left out.
  public mutating func insert(_ code: Int32) {
    guard code >= 0, code < CodeSet.limit else { return }
    let word = Int(code) >> 6
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(code & 63)
  }

  /// Takes a code out.
  public mutating func remove(_ code: Int32) {
    guard contains(code) else { return }
    words[Int(code) >> 6] &= ~(1 << UInt64(code & 63))
  }

  /// All codes in it, ascending.
  public var codes: [Int32] {
    (0..<Int32(words.count * 64)).filter(contains)
  }

  /// Equal where the same codes are in both.
  public static func == (a: CodeSet, b: CodeSet) -> Bool {
    let shorter = min(a.words.count, b.words.count)
    return a.words[..<shorter] == b.words[..<shorter]
      && a.words[shorter...].allSatisfy { $0 == 0 } && b.words[shorter...].allSatisfy { $0 == 0 }
  }
}
