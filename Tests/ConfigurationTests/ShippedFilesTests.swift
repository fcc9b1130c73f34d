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

  /// With every commented `#key = value` and `#[section]` line taken in.
  func uncommented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      if line.hasPrefix("#[") { return String(line.dropFirst()) }
      let key = line.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "-" }
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

  /// What cannot be left out, of every type of sink.
  let required = """
    [sink outbox]
    type = directory
    path = /var/lib/paraph/outbox
    [sink web]
    type = http
    url = https://example.org/signatures
    [sink store]
    type = s3
    endpoint = https://s3.eu-central-1.amazonaws.com
    bucket = signatures
    access-key = AKIAIOSFODNN7EXAMPLE
    secret-key-file = credential:s3-secret
    [sink program]
    type = command
    command = /usr/local/bin/deliver --quietly
    [sink broker]
    type = mqtt
    host = broker.example.org
    topic = paraph/{device}/signatures
    """

  /// Values that are mostly blanks, of `length` bytes.
  func values(_ length: Int) -> [String] {
    func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
    return [
      "a" + blanks(length - 2) + "b", "/a" + blanks(length / 2) + "/b" + blanks(length / 2) + "1",
      String(repeating: "1" + blanks(9), count: length / 10) + "é",
      String(repeating: "x", count: length / 2) + blanks(length / 2) + "#\t",
      blanks(length), String(repeating: "9", count: length),
    ]
  }

  /// What stands between the values of a file, to join other values with.
  func template(_ text: String) -> [String] {
    var parts = [""]
    for line in uncommented(text).split(separator: "\n") {
      if let sign = line.firstIndex(of: "="), !line.hasPrefix("#"), !line.hasPrefix("type") {
        parts[parts.count - 1] += line[...sign] + " "
        parts.append("\n")
      } else {
        parts[parts.count - 1] += line + "\n"
      }
    }
    return parts
  }

  @Test func `every key accepts or refuses a value of any length, with any number of blanks`()
    throws
  {
    let pad = template(try text("paraphd.conf"))
    let handoff = template(try text("paraph-handoff.conf"))
    #expect(pad.count > 20 && handoff.count > 20)
    for length in [180, 195, 198, 199, 200, 201, 260, 420, 4096, 4097] {
      for value in values(length) {
        // Refused or taken: that it ends is the test.
        _ = try? PadConfiguration(pad.joined(separator: value), file: "f", models: models)
        _ = try? HandoffConfiguration(handoff.joined(separator: value), file: "f")
      }
    }
  }

  @Test func `paraph-handoff's file parses, shows the defaults, and names every key`() throws {
    let text = try text("paraph-handoff.conf")
    let outbox = required.split(separator: "\n").prefix(3).joined(separator: "\n")
    #expect(
      try HandoffConfiguration(text, file: "f") == HandoffConfiguration(outbox, file: "f"))
    let all = uncommented(text)
    let shown = try HandoffConfiguration(all, file: "f")
    #expect(shown == (try HandoffConfiguration(required, file: "f")))
    #expect(shown.sinks.count == SinkConfiguration.types.count)
    let reader = ConfigurationReader(Document.parse(Array(all.utf8), file: "f"))
    _ = try HandoffConfiguration(reader)
    #expect(keys(text) == Set(reader.declared.map { "\($0.section)/\($0.key)" }))
  }

  @Test func `paraph-web's file parses, shows the defaults, and names every key`() throws {
    let text = try text("paraph-web.conf")
    #expect(try WebConfiguration(text, file: "f") == WebConfiguration("", file: "f"))
    let all = uncommented(text)
    let shown = try WebConfiguration(all, file: "f")
    #expect(shown.tokens.map { $0.permissions } == [[.ask]])
    let reader = ConfigurationReader(Document.parse(Array(all.utf8), file: "f"))
    _ = try WebConfiguration(reader)
    #expect(keys(text) == Set(reader.declared.map { "\($0.section)/\($0.key)" }))
  }

  /// The values of a key in a unit.
  private func values(_ key: String, in unit: String) throws -> [String] {
    try text("../systemd/" + unit).split(separator: "\n")
      .filter { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
  }

  @Test(arguments: ["paraphd.service", "paraph-handoff.service", "paraph-web.service"])
  func `an unattended service is started again however often it fails`(_ unit: String) throws {
    #expect(try values("StartLimitIntervalSec", in: unit) == ["0"])
    #expect(try !values("RestartSec", in: unit).isEmpty)
  }

  @Test func `the drop-in for another folder requires the folder's filesystem`() throws {
    let text = try text("examples/paraph-handoff-folder.conf")
    let document = Document.parse(Array(text.utf8), file: "f")
    let settings = document.blocks.flatMap { block in
      block.entries.map { "\(block.name) \($0.key)=\($0.text)" }
    }
    let folder = "/srv/signatures"
    #expect(settings == ["Unit RequiresMountsFor=\(folder)", "Service ReadWritePaths=\(folder)"])
  }

  @Test func `who may connect to paraph-web may not reach the spool`() throws {
    #expect(try values("SocketGroup", in: "paraph-web.socket") == ["paraph-web"])
    #expect(try values("InaccessiblePaths", in: "paraph-web.service") == ["-/var/lib/paraph"])
    let accounts = try text("sysusers.d/paraph.conf")
    #expect(accounts.contains("\ng paraph-web "))
    #expect(!accounts.contains("m paraph-web "))
    #expect(try !text("tmpfiles.d/paraph.conf").contains("paraph-web"))
  }

  @Test func `the packages' changelog begins with the version of the programs`() throws {
    let changelog = try text("debian/changelog")
    #expect(changelog.hasPrefix("paraph (\(DaemonArguments.version)) "))
  }
}
