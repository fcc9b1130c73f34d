import SyntheticHand
import Testing

@testable import Configuration

@Suite struct DocumentTests {
  func parse(_ text: String) -> Document { Document.parse(Array(text.utf8), file: "f") }

  func values(_ text: String) -> [String] {
    parse(text).blocks.flatMap { block in
      block.entries.map { "\(block.name)/\($0.key)=\($0.text)@\($0.line)" }
    }
  }

  @Test func `sections, keys and lines are read from the file`() {
    let text = "# head\n\n[a]\nx = 1\n; note\ny=2 3\n[sink out]\r\nx = http://h:80/?a=b\r\n"
    #expect(values(text) == ["a/x=1@4", "a/y=2 3@6", "sink out/x=http://h:80/?a=b@8"])
    #expect(parse(text).problems.isEmpty)
  }

  @Test func `a last line without an end, a byte order mark and an indented comment are accepted`()
  {
    #expect(values("\u{FEFF}[a]\n  # note\nx = 1") == ["a/x=1@3"])
  }

  @Test func `an empty value stays empty`() {
    #expect(values("[a]\nx =\ny = ") == ["a/x=@2", "a/y=@3"])
  }

  @Test(arguments: [150, 196, 197, 198, 199, 200, 201, 393, 394, 395, 396, 397, 1000, 4096])
  func `a long value arrives whole`(length: Int) {
    let words = (0..<length).map { "\($0) #;a" }.joined()
    let value = String(words.prefix(length - 1)) + "z"
    #expect(values("[a]\nkey = \(value)\nz = 1") == ["a/key=\(value)@2", "a/z=1@3"])
  }

  @Test(arguments: [180, 195, 196, 197, 198, 199, 200, 201, 250, 393, 394, 395, 420, 4000])
  func `a long run of blanks in a value arrives whole`(length: Int) {
    for blank in [" ", "\t"] {
      let value = "a" + String(repeating: blank, count: length) + "b"
      #expect(values("[a]\nkey = \(value)\nz = 1") == ["a/key=\(value)@2", "a/z=1@3"])
      #expect(parse("[a]\nkey = \(value)").problems.isEmpty)
    }
  }

  @Test(arguments: ["é", "語", "𝄞"])
  func `no letter of a long value is cut`(letter: String) {
    for shift in 0..<4 {
      let value = String(repeating: "x", count: shift) + String(repeating: letter, count: 250)
      #expect(values("[a]\nkey = \(value)") == ["a/key=\(value)@2"])
    }
  }

  @Test(arguments: [
    (" x = 1", "f:2: [a] indented lines are not allowed; a value cannot continue on the next line"),
    ("x = 1 ; one", "f:2: [a] x: a comment must be on its own line"),
    ("x = ; one", "f:2: [a] x: a comment must be on its own line"),
    ("x = 1 # one", "f:2: [a] x: a comment must be on its own line"),
    ("x = \"1\"", "f:2: [a] x: values are not quoted"),
    ("x: 1", "f:2: [a] must be [SECTION] or key = value"),
    ("x y = 1", "f:2: [a] x y: a key consists of letters, digits and hyphens"),
    ("= 1", "f:2: [a] a key consists of letters, digits and hyphens"),
    ("x = 1\nx = 2", "f:3: [a] x: duplicate key; the first is on line 2"),
    ("[a]", "f:2: [a] duplicate section; the first is on line 1"),
    ("[b] # c", "f:2: [a] a section is [NAME] alone on its line"),
    ("[]", "f:2: [a] a section is [NAME] alone on its line"),
  ])
  func `syntax that other readers of such files interpret differently is refused`(
    line: String, expected: String
  ) {
    #expect(parse("[a]\n" + line).problems.map { $0.text } == [expected])
  }

  @Test func `a key before the first section is refused`() {
    #expect(
      parse("x = 1").problems.map { $0.text } == ["f:1: x: key before the first [SECTION]"])
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    let document = Document.parse(Array("[a]\nx = ".utf8) + [0xff, 0xfe], file: "f")
    #expect(document.problems.map { $0.text } == ["f:2: [a] is not UTF-8"])
  }

  @Test(arguments: [UInt8(0), 1, 11, 27, 127])
  func `control characters are refused`(byte: UInt8) {
    let document = Document.parse(Array("[a]\nx = 1".utf8) + [byte], file: "f")
    #expect(document.problems.map { $0.text } == ["f:2: [a] control characters are not allowed"])
  }

  @Test func `long names are refused, not cut`() {
    let long = String(repeating: "n", count: 50)
    #expect(parse("[\(long)]\nx = 1").problems.count == 1)
    #expect(parse("[a]\n\(long) = 1").problems.count == 1)
    let fits = String(repeating: "n", count: 49)
    #expect(values("[\(fits)]\n\(fits) = 1") == ["\(fits)/\(fits)=1@2"])
  }

  @Test func `random bytes are refused or read, and never crash the reader`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    let alphabet = Array("[]=:;# \t\n\r\"abz09-\u{e9}\u{0}x".utf8)
    for _ in 0..<3000 {
      let count = Int.random(in: 0...400, using: &generator)
      let bytes = (0..<count).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let document = Document.parse(bytes, file: "f")
      let lines = bytes.count { $0 == 10 } + 1
      for block in document.blocks {
        #expect((1...lines).contains(block.line), "seed \(seed)")
        for entry in block.entries {
          #expect(!entry.key.isEmpty && (1...lines).contains(entry.line), "seed \(seed)")
        }
      }
    }
  }
}
