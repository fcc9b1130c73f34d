import SyntheticHand
import Testing

@testable import Text

@Suite struct MessageCatalogueTests {
  static let header = "Content-Type: text/plain; charset=UTF-8\n"

  /// A .mo file by hand, of either byte order.
  func file(_ messages: [(String, String)], bigEndian: Bool = false) -> [UInt8] {
    let all = [("", Self.header)] + messages
    var texts: [UInt8] = []
    func word(_ value: Int) -> [UInt8] {
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return bigEndian ? bytes.reversed() : bytes
    }
    let start = 28 + 16 * all.count
    var (keys, values): ([UInt8], [UInt8]) = ([], [])
    for (key, value) in all {
      keys += word(key.utf8.count) + word(start + texts.count)
      texts += Array(key.utf8) + [0]
      values += word(value.utf8.count) + word(start + texts.count)
      texts += Array(value.utf8) + [0]
    }
    return word(0x9504_12DE) + word(0) + word(all.count) + word(28) + word(28 + 8 * all.count)
      + word(0) + word(0) + keys + values + texts
  }

  @Test(arguments: [false, true]) func `both byte orders are read`(_ bigEndian: Bool) throws {
    let catalogue = try MessageCatalogue(
      file([("Done", "Fertig"), ("Clear", "Löschen")], bigEndian: bigEndian))
    #expect(catalogue["Done"] == "Fertig")
    #expect(catalogue["Clear"] == "Löschen")
    #expect(catalogue["Cancel"] == nil && catalogue[""] == nil)
  }

  @Test func `a file that ends too early is refused wherever it ends`() {
    let whole = file([("Done", "Fertig"), ("Clear", "Löschen")])
    for length in 0..<whole.count {
      #expect(throws: MessageCatalogue.Refusal.self) {
        try MessageCatalogue(Array(whole[..<length]))
      }
    }
  }

  @Test func `a file in another character set is refused`() {
    var bytes = file([])
    for index in bytes.indices where bytes[index...].starts(with: Array("UTF-8".utf8)) {
      bytes.replaceSubrange(index..<(index + 5), with: Array("LATIN".utf8))
    }
    #expect(throws: MessageCatalogue.Refusal("is not in UTF-8")) { try MessageCatalogue(bytes) }
  }

  @Test func `a small file cannot stand for many large texts`() {
    // Ten thousand messages, all the same 600 kB.
    var bytes = file([])
    let (count, place) = (10_000, 28)
    func put(_ value: Int, _ at: Int) {
      for shift in 0..<4 { bytes[at + shift] = UInt8(truncatingIfNeeded: value >> (8 * shift)) }
    }
    bytes += [UInt8](repeating: 0, count: 600_000)
    put(count, 8)
    put(place, 12)
    put(place, 16)
    for index in 0..<count {
      put(590_000, place + 8 * index)
      put(1000, place + 8 * index + 4)
    }
    #expect(throws: MessageCatalogue.Refusal("has overlapping texts")) {
      try MessageCatalogue(bytes)
    }
  }

  @Test(arguments: 1...50) func `a damaged file is refused, or read within its bounds`(
    _ seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    let whole = file([("Done", "Fertig"), ("Clear", "Löschen"), ("Cancel", "Abbrechen")])
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if let catalogue = try? MessageCatalogue(bytes) { _ = catalogue["Done"] }
    }
  }
}
