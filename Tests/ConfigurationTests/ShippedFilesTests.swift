import CLinux
import Linux
import Testing

@testable import Configuration

/// The files in config/ are what is installed, and the only manual of their keys.
@Suite struct ShippedFilesTests {
  let models = ["uberSignature"]

  func text(_ name: String) throws -> String {
    let here = #filePath.split(separator: "/").dropLast(3)
    let path = "/" + here.joined(separator: "/") + "/config/" + name
    let bytes = try #require(
      try FileDescriptor(opening: path, O_RDONLY).readAll(limit: 1 << 20), "\(path)")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// With every commented `#key = value` line taken in.
  func uncommented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      let key = line.dropFirst().prefix { $0.isLetter || $0 == "-" }
      let rest = line.dropFirst(1 + key.count)
      return line.hasPrefix("#") && !key.isEmpty && rest.hasPrefix(" =")
        ? String(line.dropFirst()) : String(line)
    }.joined(separator: "\n")
  }

  func keys(_ text: String) -> Set<String> {
    let document = Document.parse(Array(uncommented(text).utf8), file: "f")
    return Set(document.blocks.flatMap { block in block.entries.map { "\(block.name)/\($0.key)" } })
  }

  @Test func `paraphd's file parses, shows the defaults, and names every key`() throws {
    let text = try text("paraphd.conf")
    let defaults = try PadConfiguration("", file: "f", models: models)
    #expect(try PadConfiguration(text, file: "f", models: models) == defaults)
    #expect(try PadConfiguration(uncommented(text), file: "f", models: models) == defaults)
    let reader = ConfigurationReader(Document(file: "f"))
    _ = try PadConfiguration(reader, models: models)
    #expect(keys(text) == Set(reader.declared.map { "\($0.section)/\($0.key)" }))
  }

  @Test func `paraph-handoff's file parses, shows the defaults, and names every key`() throws {
    let text = try text("paraph-handoff.conf")
    let shipped = try HandoffConfiguration(text, file: "f")
    #expect(try HandoffConfiguration(uncommented(text), file: "f") == shipped)
    let bare = "[sink outbox]\ntype = directory\npath = /var/lib/paraph/outbox"
    #expect(shipped == (try HandoffConfiguration(bare, file: "f")))
    let reader = ConfigurationReader(Document.parse(Array(text.utf8), file: "f"))
    _ = try HandoffConfiguration(reader)
    #expect(keys(text) == Set(reader.declared.map { "\($0.section)/\($0.key)" }))
  }
}
