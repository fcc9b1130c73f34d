import JSON
import Testing

@testable import Spool

/// The document in the manifest of a signature.
@Suite struct ShownDocumentTests {
  /// A document whose first page was shown for a second and a half.
  static func document(pages: Int) -> ShownDocument {
    ShownDocument(
      name: "Vertrag „7“.pdf", digest: digest("d"),
      pages: (0..<pages).map { .init(digest: digest("\($0 % 10)"), milliseconds: 1500 + Int64($0)) }
    )
  }

  /// A digest of one digit.
  private static func digest(_ digit: String) -> String { String(repeating: digit, count: 64) }

  /// Replacements in the text of a manifest with a document of one page, each of which breaks the document.
  static let damages: [(old: String, new: String)] = [
    ("\"name\": \"Vertrag „7“.pdf\",", ""), ("\"Vertrag „7“.pdf\"", "\"\""),
    ("\"Vertrag „7“.pdf\"", "7"),
    ("\"Vertrag „7“.pdf\"", "\"\(String(repeating: "v", count: 256))\""),
    (digest("d"), digest("D")), (digest("d"), digest("d") + "d"), (digest("d"), ""),
    (digest("0"), digest("g")), ("\"seconds\": 1.5", "\"seconds\": -1"),
    ("\"seconds\": 1.5", "\"seconds\": 2678401"), ("\"seconds\": 1.5", "\"seconds\": \"1\""),
    ("\"seconds\": 1.5", "\"second\": 1.5"), ("\"seconds\": 1.5", "\"seconds\": null"),
    ("\"pages\": [", "\"pages\": [7, "), ("\"pages\"", "\"page\""),
    ("\"document\": {", "\"document\": [], \"late\": {"),
    ("\"document\": {", "\"document\": \"Vertrag.pdf\", \"late\": {"),
  ]

  @Test(arguments: [1, 2, 50, ShownDocument.pageLimit])
  func `a manifest with a document reads back`(pages: Int) throws {
    var manifest = ManifestTests().manifest
    manifest.document = Self.document(pages: pages)
    #expect(try Manifest(manifest.bytes) == manifest)
    #expect(try Manifest(manifest.bytes).document?.pages.count == pages)
  }

  @Test func `a manifest has a document only if one was shown`() {
    let text = String(decoding: ManifestTests().manifest.bytes, as: UTF8.self)
    #expect(!text.contains("document"))
  }

  @Test(arguments: [0, 1, 16, 999, 60_001, 2_678_400_000] as [Int64])
  func `times are exact to a millisecond`(milliseconds: Int64) {
    var document = Self.document(pages: 1)
    document.pages[0].milliseconds = milliseconds
    #expect(ShownDocument(document.json) == document)
  }

  @Test(arguments: damages)
  func `a broken document is refused, and never quoted`(_ damage: (old: String, new: String)) {
    var manifest = ManifestTests().manifest
    manifest.document = Self.document(pages: 1)
    let text = String(decoding: manifest.bytes, as: UTF8.self)
    #expect(text.contains(damage.old))
    let broken = text.replacing(damage.old, with: damage.new)
    let error = #expect(throws: ValidationError.self) { try Manifest(Array(broken.utf8)) }
    #expect(error?.reason == "signature.json: document is not a document with its pages")
  }

  @Test func `a document has at least one page, and not more than the limit`() {
    #expect(ShownDocument(Self.document(pages: 0).json) == nil)
    #expect(ShownDocument(Self.document(pages: ShownDocument.pageLimit).json) != nil)
    #expect(ShownDocument(Self.document(pages: ShownDocument.pageLimit + 1).json) == nil)
  }

  @Test(arguments: [50, ShownDocument.pageLimit])
  func `the manifest with the most pages and the longest texts can be read`(pages: Int) throws {
    var manifest = ManifestTests().manifest
    // Each of these bytes takes six in JSON.
    func longest(_ limit: Int) -> String { String(repeating: "\u{1}", count: limit) }
    (manifest.title, manifest.prompt) = (
      longest(Manifest.shownTextLimit), longest(Manifest.shownTextLimit)
    )
    manifest.reference = longest(Manifest.textLimit)
    (manifest.device, manifest.panel) = (longest(Manifest.textLimit), longest(Manifest.textLimit))
    var document = Self.document(pages: pages)
    document.name = longest(ShownDocument.nameLimit)
    // The longest decimals.
    for page in document.pages.indices { document.pages[page].milliseconds = 2_678_399_999 }
    manifest.document = document
    manifest.files += [ItemFile.svg, .inkml, .strokes].map {
      Manifest.File(file: $0, sha256: Self.digest("0"))
    }
    let bytes = manifest.bytes
    #expect(bytes.count <= Manifest.sizeLimit, "\(bytes.count) bytes")
    #expect(try Manifest(bytes) == manifest)
  }
}
