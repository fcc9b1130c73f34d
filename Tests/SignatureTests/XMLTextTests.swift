import Testing

@testable import Signature

@Suite struct XMLTextTests {
  private func written(_ string: String) -> String {
    var bytes: [UInt8] = []
    XMLText.append(string, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `characters that XML 1.0 forbids become blanks, and all others stay`() throws {
    #expect(written("a\u{FFFE}b\u{FFFF}c\u{0}\u{1F}\t") == "a b c   ")
    let fine = "\u{7F}\u{BE}\u{FFFD}\u{FFBF}\u{10FFFE}ﾾÿ\u{1F1E9}\u{E000}"
    #expect(written(fine) == fine)
    #expect(written("<&>\"") == "&lt;&amp;&gt;&quot;")
  }

  @Test func `a title of every character is read by an XML parser`() throws {
    // Far more than a title has, in pieces of what is written together.
    for first in stride(from: UInt32(0), through: 0x1FFFF, by: 0x1000) {
      var title = String.UnicodeScalarView()
      for code in first..<first + 0x1000 {
        if let scalar = Unicode.Scalar(code) { title.append(scalar) }
      }
      let ink = XMLReader(InkML.write([], title: String(title)))
      #expect(ink != nil, "from U+\(String(first, radix: 16))")
    }
  }

  @Test func `the tests' parser refuses a document whose elements do not end`() {
    for text in ["<svg><g></svg>", "<svg><g></g>", "<svg></g></svg>", "<svg>"] {
      #expect(XMLReader(Array(text.utf8)) == nil, "\(text)")
    }
    #expect(XMLReader(Array("<svg><g/></svg>".utf8)) != nil)
  }
}
