import CLinux
import JSON
import Linux
import Testing

@testable import Control

@Suite struct BlankTextTests {
  /// The planes with characters of these kinds, and the last one.
  private let values = [0...UInt32(0x1FFFF), 0xE0000...0xE0FFF, 0x10FF00...0x10FFFF].joined()

  @Test
  func `what shows nothing is blank, and other characters are not`() {
    for value in values {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      let isBlank =
        properties.isWhitespace || properties.isNoncharacterCodePoint
        || properties.isDefaultIgnorableCodePoint || value == 0x2800
        || properties.generalCategory == .control || properties.generalCategory == .format
      guard BlankText.isBlank(String(scalar)) != isBlank else { continue }
      Issue.record("U+\(String(value, radix: 16))")
    }
    #expect(BlankText.isBlank(""))
    #expect(!BlankText.isBlank("\u{200B}a\u{200B}"))
  }

  @Test func `the pattern of the HTTP interface refuses the same choices`() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try FileDescriptor(
      opening: root + "/Sources/web-pages/openapi.json", O_RDONLY
    ).readAll(limit: 1 << 20)
    let description = try JSONValue.parse(
      try #require(file), limits: .init(size: 1 << 20))
    let choice = description["components"]?["schemas"]?["AskRequest"]?["properties"]?["choices"]
    let pattern = try #require(choice?["items"]?["pattern"]?.text)
    let refused = try ranges(ofClass: pattern)
    // Where a range begins or ends.
    for value in values {
      guard let scalar = Unicode.Scalar(value), let next = Unicode.Scalar(value + 1) else {
        continue
      }
      guard BlankText.isBlank(String(scalar)) != BlankText.isBlank(String(next)) else { continue }
      for character in [scalar, next] {
        let isRefused = refused.contains { $0.contains(character.value) }
        #expect(isRefused == BlankText.isBlank(String(character)), "U+\(character.value)")
      }
    }
  }

  /// The ranges of a pattern "[^…]" of letters, `\u` escapes and hyphens.
  private func ranges(ofClass pattern: String) throws -> [ClosedRange<UInt32>] {
    var rest = pattern.unicodeScalars[...]
    try #require(rest.starts(with: "[^".unicodeScalars) && rest.last == "]")
    rest = rest.dropFirst(2).dropLast()
    func next() throws -> UInt32 {
      let letter = rest.popFirst()
      let first = try #require(letter)
      guard first == "\\" else { return first.value }
      let digits = String(String.UnicodeScalarView(rest.dropFirst().prefix(4)))
      rest = rest.dropFirst(5)
      return try #require(UInt32(digits, radix: 16))
    }
    var ranges: [ClosedRange<UInt32>] = []
    while !rest.isEmpty {
      let low = try next()
      guard rest.first == "-" else {
        ranges.append(low...low)
        continue
      }
      rest.removeFirst()
      ranges.append(low...(try next()))
    }
    return ranges
  }
}
