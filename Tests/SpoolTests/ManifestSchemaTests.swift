import Linux
import SpoolFixtures
import Testing

@testable import Spool

/// config/examples/signature.schema.json, read by an independent validator.
@Suite struct ManifestSchemaTests {
  let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let folder = TemporaryFolder()

  /// The validator's verdict on each text.
  private func verdicts(_ texts: [String]) throws -> [String] {
    let paths = texts.indices.map { "\(folder.path)/\($0).json" }
    for (path, text) in zip(paths, texts) { try Fixtures.write(path, Array(text.utf8)) }
    let result = try Programs.run(
      path: root + "/Tests/with-python.sh",
      [
        "jsonschema==4.23.0", root + "/Tests/SpoolTests/Programs/schema_test.py",
        root + "/config/examples/signature.schema.json",
      ] + paths)
    #expect(result.end == .exit(0), "\(result.error)")
    return result.output.split(separator: "\n").map { String($0) }
  }

  @Test func `every written manifest is valid`() throws {
    var shown = ManifestTests().manifest
    (shown.reference, shown.title, shown.prompt) = (
      "4711", "Päckchen", "For \"Ms Brinkmann\"\nBox 3"
    )
    shown.clockSynchronized = true
    shown.files += [ItemFile.svg, .inkml, .strokes].map {
      Manifest.File(file: $0, sha256: String(repeating: "0", count: 64))
    }
    var largest = shown
    (largest.sequence, largest.strokes) = (1 << 53, 1_000_000)
    (largest.width, largest.height, largest.dpi) = (100_000, 100_000, 100_000)
    largest.prompt = String(repeating: "p", count: Manifest.shownTextLimit)
    largest.document = ShownDocumentTests.document(pages: ShownDocument.pageLimit)
    var read = shown
    read.document = ShownDocumentTests.document(pages: 2)
    var sealed = shown
    sealed.files = sealed.files.map { .init(file: $0.file.sealed, sha256: $0.sha256) }
    var first = ManifestTests.chained
    first.previous = PreviousManifest.none
    let manifests = [
      ManifestTests().manifest, shown, largest, read, sealed, ManifestTests.chained, first,
    ]
    for manifest in manifests { #expect(try Manifest(manifest.bytes) == manifest) }
    let texts = manifests.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(try verdicts(texts) == Array(repeating: "valid", count: 7))
  }

  @Test func `chains and requesters that paraph-handoff refuses are invalid`() throws {
    let text = String(decoding: ManifestTests.chained.bytes, as: UTF8.self)
    let refused = ManifestTests.damages.map { text.replacing($0.old, with: $0.new) }
    #expect(!refused.contains(text))
    for manifest in refused {
      #expect(throws: ValidationError.self, "\(manifest)") { try Manifest(Array(manifest.utf8)) }
    }
    let verdicts = try verdicts(refused)
    #expect(verdicts.count == refused.count && !verdicts.contains("valid"), "\(verdicts)")
  }

  @Test func `documents that paraph-handoff refuses are invalid`() throws {
    var manifest = ManifestTests().manifest
    manifest.document = ShownDocumentTests.document(pages: 1)
    let text = String(decoding: manifest.bytes, as: UTF8.self)
    let refused = ShownDocumentTests.damages.map { text.replacing($0.old, with: $0.new) }
    for manifest in refused {
      #expect(throws: ValidationError.self) { try Manifest(Array(manifest.utf8)) }
    }
    let later = text.replacing("\"seconds\"", with: "\"shown\": true, \"seconds\"")
    let none = String(decoding: ManifestTests().manifest.bytes, as: UTF8.self)
      .replacing("\"device\"", with: "\"document\": null, \"device\"")
    for manifest in [later, none] {
      #expect(throws: Never.self) { try Manifest(Array(manifest.utf8)) }
    }
    let verdicts = try verdicts(refused + [later, none])
    #expect(verdicts.count == refused.count + 2 && verdicts.suffix(2) == ["valid", "valid"])
    #expect(!verdicts.dropLast(2).contains("valid"), "\(verdicts)")
  }

  @Test func `manifests that paraph-handoff refuses are invalid, and later members are valid`()
    throws
  {
    let text = String(decoding: ManifestTests().manifest.bytes, as: UTF8.self)
    let refused = [
      ("\"sequence\": 42", "\"sequence\": 0"), ("\"sequence\": 42", "\"sequence\": 1.5"),
      ("2026-11", "2026/11"), ("-7a4b-", "-4a4b-"),
      ("\"clock_synchronized\": false", "\"clock_synchronized\": 0"),
      ("\"width\": 40", "\"width\": -1"), ("\"dpi\": 299.", "\"dpi\": 0."),
      ("signature.png", "../signature.png"), ("signature.png", "signature.svg"), ("aaaa", "AAAA"),
      ("\"device\": \"locker\"", "\"device\": 7"), ("\"panel\"", "\"pane\""),
      ("\"reference\": null", "\"reference\": 7"),
    ].map { text.replacing($0, with: $1) }
    #expect(!refused.contains(text))
    for manifest in refused {
      #expect(throws: ValidationError.self) { try Manifest(Array(manifest.utf8)) }
    }
    let later = text.replacing("\"sequence\"", with: "\"new\": [1], \"sequence\"")
    let verdicts = try verdicts(refused + [later])
    #expect(verdicts.count == refused.count + 1 && verdicts.last == "valid")
    #expect(!verdicts.dropLast().contains("valid"), "\(verdicts)")
  }
}
