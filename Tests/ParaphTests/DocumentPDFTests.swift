import Foundation
import JSON
import Linux
import Testing

/// `paraph sign --document` with PDFs, by the real pdftoppm, and by a silent one.
@Suite struct DocumentPDFTests {
  static let hasPoppler = CommandLineTests.isInstalled("pdftoppm")

  private func sign(_ pad: DocumentPad, _ path: String, _ more: String...) throws -> Tool.Result {
    try Tool.run(["sign", "--socket", pad.socket, "--document", path] + more)
  }

  /// The width and height of a PNG in pixels.
  private func size(of png: [UInt8]?) throws -> [Int] {
    let header = try #require(png).dropFirst(16).prefix(8)
    let bytes = Array(header).map { Int($0) }
    try #require(bytes.count == 8)
    return [bytes[..<4], bytes[4...]].map { part in part.reduce(0) { $0 << 8 | $1 } }
  }

  @Test(.enabled(if: hasPoppler, "needs poppler-utils"))
  func `the pages of a PDF are uploaded as pdftoppm renders the file in the panel's width`() throws
  {
    let (pad, folder) = (try DocumentPad(), try Folder())
    let path = try folder.file("-contract", TinyPDF(pages: 3).text)
    #expect(try sign(pad, path).isMistake(1))
    for page in 1...3 {
      let pixels = try Tool.run(
        program: "pdftoppm", "-png", "-singlefile", "-cropbox", "-f", "\(page)", "-l", "\(page)",
        "-scale-to-x", "\(DocumentPad.width)", "-scale-to-y", "-1", path, folder.path("\(page)"))
      #expect(pixels.status == 0, "\(pixels)")
      #expect(try folder.bytes("\(page).png") == pad.pages[Int64(page)])
    }
    #expect(try size(of: pad.pages[1])[0] == DocumentPad.width)
    let document = try #require(pad.requests.first?["document"])
    let digest = try Tool.run(program: "sha256sum", path).output.prefix(64)
    #expect(document["digest"]?.text == String(digest) && document["pages"]?.integer == 3)
    #expect(document["name"]?.text == "-contract" && pad.pages.count == 3)
  }

  @Test(.enabled(if: hasPoppler, "needs poppler-utils"))
  func `a page that viewers turn has the panel's width too`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    let path = try folder.file("turned.pdf", TinyPDF(size: (400, 200), angle: 90).text)
    #expect(try sign(pad, path).isMistake(1))
    #expect(try size(of: pad.pages[1]) == [DocumentPad.width, 2 * DocumentPad.width])
  }

  @Test(.enabled(if: hasPoppler, "needs poppler-utils"))
  func `a PDF that cannot be shown is refused with its reason before the pad gets a page`() throws {
    let flaws: [(String, String)] = [
      (TinyPDF(pages: 51).text, "page 51: the PDF has 51 pages; the pad shows at most 50"),
      (TinyPDF(isEncrypted: true).text, "Incorrect password"),
      (String(TinyPDF().text.prefix(200)), "Couldn't read xref table"),
      (TinyPDF(pages: 2, size: (10, 14_400)).text, "page 1: too tall: 200 × 288000 pixels"),
      (
        TinyPDF(pages: 2, size: (100, 900)).text,
        "page 1: too tall: the page is more than 8 times as high as wide"
      ),
    ]
    let (pad, folder) = (try DocumentPad(), try Folder())
    for (text, reason) in flaws {
      let path = try folder.file("a.pdf", text)
      let result = try sign(pad, path)
      #expect(result.isMistake(65) && result.error.contains("a.pdf: "), "\(result)")
      #expect(result.error.contains(reason), "\(result)")
    }
    #expect(pad.pages.isEmpty && pad.requests.isEmpty)
  }

  @Test(.enabled(if: hasPoppler, "needs poppler-utils"))
  func `fifty pages are uploaded`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    #expect(try sign(pad, try folder.file("a.pdf", TinyPDF(pages: 50).text)).isMistake(1))
    #expect(pad.pages.keys.sorted() == Array(1...50))
  }

  @Test func `without pdftoppm, one line names the package`() throws {
    let (pad, folder) = (try DocumentPad(), try Folder())
    let path = try folder.file("a.pdf", TinyPDF().text)
    let result = try Tool.run(
      program: "PATH=\(folder.path(""))", try Tool.url().path, "sign", "--socket", pad.socket,
      "--document", path)
    #expect(result.isMistake(69) && result.error.contains("poppler-utils"), "\(result)")
    #expect(pad.requests.isEmpty)
  }

  /// A folder with these shell scripts as pdfinfo and pdftoppm.
  private func programs(pdfinfo: String, pdftoppm: String) throws -> Folder {
    let folder = try Folder()
    for (name, body) in [("pdfinfo", pdfinfo), ("pdftoppm", pdftoppm)] {
      let path = try folder.file(name, "#!/bin/sh\n\(body)\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    return folder
  }

  /// A folder with a pdfinfo that names a page and a pdftoppm that writes its process id into `pipe` and stays.
  private func stuck(pipe: ProcessIDPipe) throws -> Folder {
    try programs(
      pdfinfo: "echo 'Pages: 1'; echo 'Page 1 size: 10 x 10 pts'",
      pdftoppm: "exec 3>'\(pipe.path)'; echo $$ >&3; exec /bin/sleep 600")
  }

  @Test(arguments: ["-1", "0", "-9223372036854775808", "x"])
  func `a pdfinfo that names no number of pages is one line`(count: String) throws {
    let pad = try DocumentPad()
    let folder = try programs(
      pdfinfo: "echo 'Pages: \(count)'; echo 'Page 1 size: 10 x 10 pts'", pdftoppm: "exit 1")
    let path = try folder.file("a.pdf", TinyPDF().text)
    let result = try Tool.run(
      program: "PATH=\(folder.path(""))", try Tool.url().path, "sign", "--socket", pad.socket,
      "--document", path)
    #expect(result.isMistake(65) && result.error.contains("pdfinfo names no pages"), "\(result)")
    #expect(pad.requests.isEmpty)
  }

  @Test func `the time limit ends pdftoppm`() throws {
    let (pad, pipe) = (try DocumentPad(), try ProcessIDPipe())
    let folder = try stuck(pipe: pipe)
    let path = try folder.file("a.pdf", TinyPDF().text)
    var pid: Int32?
    // On a loaded machine, pdftoppm may not have begun after 3 s.
    for limit in ["3", "20"] where pid == nil {
      let result = try Tool.run(
        program: "PATH=\(folder.path(""))", try Tool.url().path, "sign", "--socket", pad.socket,
        "--document", path, "--timeout", limit)
      #expect(result.isMistake(2) && pad.requests.isEmpty, "\(result)")
      pid = pipe.processID(within: 0)
    }
    let started = try #require(pid)
    #expect(kill(started, 0) == -1 && errno == ESRCH)
  }

  @Test func `a tool that is killed leaves no pdftoppm behind`() throws {
    let (pad, pipe) = (try DocumentPad(), try ProcessIDPipe())
    let folder = try stuck(pipe: pipe)
    let path = try folder.file("a.pdf", TinyPDF().text)
    var pid: Int32?
    let status = try Tool.killed(
      program: "PATH=\(folder.path(""))", try Tool.url().path, "sign", "--socket", pad.socket,
      "--document", path
    ) {
      let started = try #require(pipe.processID(within: 20))
      pid = started
      pipe.keepReading()
    }
    #expect(status == SIGKILL && pad.requests.isEmpty)
    let isOver = pipe.hasEnded(within: 10)
    #expect(isOver)
    if !isOver, let pid { kill(pid, SIGKILL) }
  }
}
