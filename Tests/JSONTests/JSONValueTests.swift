import SyntheticHand
import Testing

@testable import JSON

@Suite struct JSONValueTests {
  func parse(_ text: String, size: Int = 10_000, depth: Int = 16) throws(JSONError) -> JSONValue {
    try JSONValue.parse(Array(text.utf8), limits: .init(size: size, depth: depth))
  }

  func text(_ value: JSONValue, sorted: Bool = false, digits: Int = 17) -> String {
    String(decoding: value.bytes(sorted: sorted, digits: digits), as: UTF8.self)
  }

  @Test func `what is missing is written as null`() {
    let (some, none): (String?, String?) = ("a", nil)
    #expect(text(.array([.text(some), .text(none)])) == #"["a",null]"#)
    let (number, nothing): (Double?, Double?) = (0.5, nil)
    #expect(text(.array([.real(number), .real(nothing)])) == "[0.5,null]")
    let (count, zero): (Int64?, Int64?) = (7, nil)
    #expect(text(.array([.integer(count), .integer(zero)])) == "[7,null]")
  }

  @Test func `a built value reads back after writing`() throws {
    let value = JSONValue.object([
      ("z", .integer(Int64.min)), ("a", .text("ä\"\n\u{0}b")), ("n", .null), ("t", .flag(true)),
      ("r", .real(0.5)), ("l", .array([.integer(1), .array([]), .object([])])),
    ])
    #expect(
      text(value)
        == #"{"z":-9223372036854775808,"a":"ä\"\n\u0000b","n":null,"t":true,"r":0.5,"l":[1,[],{}]}"#
    )
    #expect(text(value, sorted: true).hasPrefix(#"{"a":"#))
    let plain = JSONValue.object([("z", .integer(Int64.min)), ("l", .array([.integer(1)]))])
    let read = try parse(text(plain))
    #expect(read["z"]?.integer == .min)
    #expect(read["l"]?[0]?.integer == 1)
    #expect(read["l"]?[1] == nil)
    #expect(read["l"]?[-1] == nil)
    #expect(read["none"] == nil)
    #expect(read.members?.map { $0.name } == ["z", "l"])
  }

  @Test func `a value is read only as its own type`() throws {
    let value = try parse(#"[1, 1.5, "x", true, null, {}]"#)
    let elements = try #require(value.elements)
    #expect(elements.map { $0.integer } == [1, nil, nil, nil, nil, nil])
    #expect(elements.map { $0.real } == [1, 1.5, nil, nil, nil, nil])
    #expect(elements.map { $0.text } == [nil, nil, "x", nil, nil, nil])
    #expect(elements.map { $0.flag } == [nil, nil, nil, true, nil, nil])
    #expect(elements.map { $0.isNull } == [false, false, false, false, true, false])
    #expect(elements.map { $0.isObject } == [false, false, false, false, false, true])
    #expect(elements[2].count == nil && elements[2].members == nil && elements[0]["a"] == nil)
  }

  @Test func `NaN and infinity become null`() {
    #expect(text(.array([.real(.nan), .real(.infinity)])) == "[null,null]")
  }

  @Test func `nine digits give every Float back`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    for _ in 0..<20_000 {
      let value = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
      guard value.isFinite else { continue }
      let written = text(.array([.real(Double(value))]), digits: 9)
      let read = try #require(try parse(written)[0]?.real)
      #expect(Float(read).bitPattern == value.bitPattern, "seed \(seed): \(written)")
    }
  }

  @Test(arguments: [
    ("", "line 1: '[' or '{' expected"),
    ("{\"a\": 1,\n\"a\": 2}", "line 2: duplicate object key"),
    ("[1] x", "line 1: end of file expected"),
    ("[\"\\u0000\"]", "line 1: NUL character in a string"),
    ("[99999999999999999999]", "line 1: too big integer"),
    ("[1e999]", "line 1: real number overflow"),
    ("[NaN]", "line 1: invalid token"),
  ])
  func `hostile JSON is refused with its line, and not quoted`(input: String, expected: String) {
    let error = #expect(throws: JSONError.self) { try parse(input) }
    #expect(error?.text == expected)
  }

  @Test func `size and depth are limited`() throws {
    let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
    #expect(throws: JSONError("nested too deeply")) { try parse(deep) }
    #expect(throws: JSONError("larger than 9 bytes")) { try parse("[1,2,3,4,5]", size: 9) }
    _ = try parse(#"["[[[[[[[[[[[[[[[[[[[[[[[\"[[["]"#)
    let unbalanced = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try parse(unbalanced, size: 1_000_000) }
  }

  @Test func `random bytes are refused or read, and never crash the reader`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    let alphabet = Array("[]{}\",:0123456789.eE+-truefalsn\\u \u{e9}".utf8)
    var read = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let bytes =
        [UInt8(ascii: "[")]
        + (0..<count).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        } + [UInt8(ascii: "]")]
      if let value = try? JSONValue.parse(bytes, limits: .init(size: 100)) {
        read += 1
        #expect(value.count != nil, "seed \(seed)")
      }
    }
    #expect(read > 0)
  }
}
