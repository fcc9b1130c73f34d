import Foundation
import JSON
import Testing

/// `paraph sign --document` with texts and PNGs: what reaches the pad, and what is refused before.
@Suite struct DocumentTests {
  /// No PNG, but the tool leaves that to the pad.
  private let png =
    [UInt8]([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Array("picture".utf8)

  private func write(_ bytes: [UInt8], _ name: String, in folder: Folder) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  @Test func `a text loses its byte order mark and carriage returns, and the digest is the file's`()
    throws
  {
    let (pad, folder) = (try DocumentPad(), try Folder())
    let path = try folder.file("terms.txt", "\u{FEFF}Größe\r\n\tzwei\r\n\nἕξ")
    let result = try Tool.run("sign", "--socket", pad.socket, "--document", path)
    #expect(result.isMistake(1), "\(result)")
    #expect(pad.pages == [1: Array("Größe\n\tzwei\n\nἕξ".utf8)])
    let document = try #require(pad.requests.first?["document"])
    #expect(document["name"]?.text == "terms.txt" && document["pages"]?.integer == 1)
    #expect(document["early"]?.flag == false)
    let digest = try Tool.run(program: "sha256sum", path).output.prefix(64)
    #expect(document["digest"]?.text == String(digest))
  }

  @Test func `a request that the pad still has resumes without another upload`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    let path = try folder.file("terms.txt", "the terms")
    let arguments = ["sign", "--socket", pad.socket, "--document", path]
    #expect(try Tool.run(arguments + ["--reference", "7"]).isMistake(1))
    #expect(pad.requests.count == 1 && pad.pages.isEmpty)
    // Without a reference there is nothing to resume.
    #expect(try Tool.run(arguments).isMistake(1))
    #expect(pad.requests.count == 2 && pad.pages.count == 1)
  }

  @Test func `a page that cannot be shown is not uploaded again`() throws {
    let unusable = DocumentPad.Reply.error(
      "org.paraph.Pad.BadDocument",
      [("page", .integer(2)), ("reason", .text("it takes more than 5.8 MiB"))])
    let (pad, folder) = (try DocumentPad([unusable]), try Folder())
    let path = try folder.file("terms.txt", "the terms")
    let result = try Tool.run(
      "sign", "--socket", pad.socket, "--document", path, "--reference", "7")
    #expect(result.isMistake(65) && result.error.contains("page 2: it takes more"), "\(result)")
    #expect(pad.requests.count == 1 && pad.pages.isEmpty)
  }

  /// The pad does not have all of the document.
  private static var missing: DocumentPad.Reply {
    .error(
      "org.paraph.Pad.BadDocument",
      [("page", .integer(1)), ("reason", .text("the page has not arrived")), ("lost", .flag(true))])
  }

  @Test func `a request that the pad does not have uploads its document, at most twice`() throws {
    let (pad, folder) = (try DocumentPad([Self.missing]), try Folder())
    let path = try folder.file("terms.txt", "the terms")
    let arguments = ["sign", "--socket", pad.socket, "--document", path]
    let result = try Tool.run(arguments + ["--reference", "7"])
    #expect(result.isMistake(65), "\(result)")
    #expect(pad.requests.count == 3 && pad.pages == [1: Array("the terms".utf8)])
    #expect(try Tool.run(arguments).isMistake(65) && pad.requests.count == 5)
  }

  @Test func `a document that the pad loses while it arrives is uploaded once more`() throws {
    // The second part of the first upload finds no first one.
    var replies: [DocumentPad.Reply] = [Self.missing, .result([])]
    let pad = try DocumentPad { _ in replies.popLast() ?? DocumentPad.Reply.result([]) }
    let folder = try Folder()
    let text = String(repeating: "x", count: 30_000)
    let path = try folder.file("terms.txt", text)
    let result = try Tool.run("sign", "--socket", pad.socket, "--document", path)
    #expect(result.isMistake(1), "\(result)")
    #expect(pad.requests.count == 1 && pad.pages == [1: Array(text.utf8)])
  }

  @Test func `a long text arrives whole in parts of at most 24000 bytes`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    let text = String(repeating: "ſo lang wie das Leben\n", count: 2500)
    let path = try folder.file("long.txt", text)
    _ = try Tool.run("sign", "--socket", pad.socket, "--document", path)
    #expect(pad.pages == [1: Array(text.utf8)])
    #expect(pad.longestPart == 24_000)
  }

  @Test func `a text that is none is refused with its line, before the pad gets a part`() throws {
    let flaws: [([UInt8], String)] = [
      (Array("a\nb\u{7}\n".utf8), "line 2: control character U+0007"),
      (Array("a\n\n\u{85}".utf8), "line 3: control character U+0085"),
      (Array("a\rb".utf8), "line 1: control character U+000D"),
      (Array("a\n\0".utf8), "line 2: control character U+0000"),
      ([0x61, 0x0A, 0xC3, 0x28], "line 2: invalid UTF-8"),
      ([0xEF, 0xBB, 0xBF], "line 1: the text is empty"),
    ]
    let (pad, folder) = (try DocumentPad(), try Folder())
    for (bytes, reason) in flaws {
      let path = try write(bytes, "a.txt", in: folder)
      let result = try Tool.run("sign", "--socket", pad.socket, "--document", path)
      #expect(result.isMistake(65) && result.error == "paraph: \(path): \(reason)\n", "\(result)")
    }
    #expect(pad.pages.isEmpty && pad.requests.isEmpty)
  }

  @Test func `a PNG is one page as it is, and the content decides rather than the name`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    let path = try write(png, "scan.txt", in: folder)
    _ = try Tool.run(
      "sign", "--socket", pad.socket, "--document", path, "--document-name", "Vertrag 7", "--early")
    #expect(pad.pages == [1: png])
    let document = try #require(pad.requests.first?["document"])
    #expect(document["name"]?.text == "Vertrag 7" && document["early"]?.flag == true)
  }

  @Test func `a file that is neither of the three, or missing, is refused by its name`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    for name in ["letter.docx", "letter.pdf", "letter.png", "txt"] {
      let path = try folder.file(name, "PK")
      let result = try Tool.run("sign", "--socket", pad.socket, "--document", path)
      #expect(result.isMistake(65) && result.error.contains("neither a PDF nor a PNG"), "\(result)")
    }
    let missing = try Tool.run(
      "sign", "--socket", pad.socket, "--document", folder.path("none.pdf"))
    #expect(missing.isMistake(66) && missing.error.contains("none.pdf"), "\(missing)")
    #expect(try Tool.run("sign", "--document", folder.path("")).isMistake(66))
  }

  @Test func `a file that is not a regular one is refused, and a pipe is not waited for`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    try #require(mkfifo(folder.path("a.pdf"), 0o600) == 0)
    for path in [folder.path("a.pdf"), "/dev/zero", folder.path("")] {
      let result = try Tool.run("sign", "--socket", pad.socket, "--document", path)
      #expect(
        result.isMistake(66) && result.error == "paraph: \(path): not a regular file\n", "\(result)"
      )
    }
    #expect(pad.requests.isEmpty)
  }

  @Test func `options of a document need one, and its name is a name`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    #expect(try Tool.run("sign", "--socket", pad.socket, "--early").isMistake(64))
    #expect(try Tool.run("sign", "--socket", pad.socket, "--document-name", "x").isMistake(64))
    let path = try folder.file("a.txt", "a")
    let flaws = [
      ("", "is blank"), ("  ", "is blank"), ("\u{A0}\u{3000}\u{200B}", "is blank"),
      ("\t", "is blank"),
      ("a\tb", "has a control character"), ("a\u{85}", "has a control character"),
      (String(repeating: "x", count: 256), "has more than 255 bytes"),
      (String(repeating: "é", count: 128), "has more than 255 bytes"),
    ]
    for (name, flaw) in flaws {
      let result = try Tool.run(
        "sign", "--socket", pad.socket, "--document", path, "--document-name", name)
      #expect(
        result.isMistake(64)
          && result.error
            == "paraph: \(path): the document's name \(flaw); set another one by --document-name\n",
        "\(result)")
    }
    // The file's own name.
    let blank = try folder.file("\u{3000}", "%PDF-1.4")
    let result = try Tool.run("sign", "--socket", pad.socket, "--document", blank)
    #expect(result.isMistake(64) && result.error.contains("name is blank"), "\(result)")
    #expect(pad.requests.isEmpty)
  }

  @Test func `what the pad finds in a page is one line with the file and the page`() throws {
    let pad = try DocumentPad { page in
      .error(
        "org.paraph.Pad.BadDocument",
        [("page", .integer(page)), ("reason", .text("the PNG is damaged"))])
    }
    let folder = try Folder()
    let path = try write(png, "scan.png", in: folder)
    let result = try Tool.run("sign", "--socket", pad.socket, "--document", path)
    #expect(result.isMistake(65), "\(result)")
    #expect(result.error == "paraph: \(path): page 1: the PNG is damaged\n")
    // And where Sign itself refuses it.
    let refusing = try DocumentPad([
      .error("org.paraph.Pad.BadDocument", [("reason", .text("page 1 was discarded"))])
    ])
    let late = try Tool.run("sign", "--socket", refusing.socket, "--document", path)
    #expect(
      late.isMistake(65) && late.error == "paraph: \(path): page 1 was discarded\n", "\(late)")
  }

  @Test func `the pages that are read are reported, and the description names the document`() throws
  {
    let document = JSONValue.object([
      ("name", .text("a.txt")), ("digest", .text("ab")),
      ("pages", .array([.object([("digest", .text("cd")), ("seconds", .real(2.5))])])),
    ])
    let signature = JSONValue.object([
      ("id", .text("0190c8a4")), ("digest", .text("ef")), ("document", document),
      ("png", .text("AAAA")),
    ])
    let pad = try DocumentPad([
      .result([("state", .text("reading")), ("page", .integer(1))], continues: true),
      .result([("state", .text("reading")), ("page", .integer(2))], continues: true),
      .result([("state", .text("invited"))], continues: true),
      .result([("state", .text("saved")), ("signature", signature)]),
    ])
    let folder = try Folder()
    let path = try folder.file("a.txt", "a")
    let result = try Tool.run(
      "sign", "--socket", pad.socket, "--document", path, "--json", "-v", "--timeout", "60", "-o",
      folder.path("a.png"))
    #expect(result.status == 0)
    #expect(
      result.error
        == "paraph: reading page 1\nparaph: reading page 2\nparaph: invited\nparaph: saved\n")
    let json = try JSONValue.parse(Array(result.output.utf8), limits: .init(size: 1 << 16))
    #expect(json["id"]?.text == "0190c8a4" && json["png"] == nil)
    #expect(json["document"]?["pages"]?[0]?["seconds"]?.real == 2.5)
    #expect(try folder.bytes("a.png") == [0, 0, 0])
    // The time for the upload counts.
    let limit = try #require(pad.requests.first?["time_limit"]?.real)
    #expect(limit > 0 && limit < 60)
  }

  @Test func `the time limit holds while the pad does not answer to a page`() throws {
    let pad = try DocumentPad { _ in nil }
    let folder = try Folder()
    let path = try folder.file("a.txt", "a")
    let result = try Tool.run(
      "sign", "--socket", pad.socket, "--document", path, "--timeout", "0.3")
    #expect(result.isMistake(2), "\(result)")
    #expect(pad.requests.isEmpty)
  }
}
