import Control
import Ink
import Linux
import Nettle
import PNG
import Raster
import ScreenFixtures
import SpoolFixtures
import SyntheticHand
import Testing

@testable import Pad
@testable import Screen

/// The document of the open request, and its pages for the panel.
@Suite struct RequestDocumentsTests {
  let folder = TemporaryFolder()
  let main: Mailbox<MainMessage>
  let render: Mailbox<RenderMessage>
  let documents: RequestDocuments
  let panel = TestPanel.all[1]

  init() throws {
    (main, render) = (try Mailbox(), try Mailbox())
    documents = RequestDocuments(in: folder.path, keeping: nil, main: main, render: render)
  }

  /// Uploads a page; returns why it is refused.
  private func put(_ bytes: [UInt8], page: Int = 1, client: Int = 1) -> DocumentProblem? {
    for part in UploadedPages.parts(of: bytes, page: page, client: client) {
      if let problem = documents.put(part, at: 0) { return problem }
    }
    return nil
  }

  private func put(_ text: String) -> DocumentProblem? { put(Array(text.utf8)) }

  private func request(pages: Int = 1) -> PadRequest {
    var request = PadRequest(.signature, number: 7)
    request.document = UploadedPages.request(pages: pages)
    return request
  }

  /// A request that has taken its document.
  private func opened(pages: Int = 1) throws -> PadRequest {
    var request = request(pages: pages)
    try #require(documents.open(&request) == nil)
    return request
  }

  private func builder(_ panel: TestPanel? = nil) throws -> SceneBuilder {
    try TestWords.builder("en", (panel ?? self.panel).glass)
  }

  private func scene(of request: PadRequest, on panel: TestPanel? = nil) throws -> Scene {
    try builder(panel).typeset(request, documents.content(of: request)).scene
  }

  /// The next page that a thread has prepared.
  private func answer() throws -> RequestDocuments.Answer {
    var poll = Poll()
    poll.add(main.number)
    try #require(try poll.wait(milliseconds: 60_000))
    let messages = main.takeAll()
    guard messages.count == 1, case .sheet(let answer) = messages[0] else { throw Unexpected() }
    return answer
  }

  private struct Unexpected: Error {}

  /// The pages that the render thread has received, and their scenes.
  private func sheets() -> [(scene: Scene, page: Int, sheet: Screen.Sheet)] {
    render.takeAll().compactMap {
      if case .sheet(let scene, let page, let sheet) = $0 { (scene, page, sheet) } else { nil }
    }
  }

  private var files: [String] { (try? Folder.names(of: folder.path + "/documents")) ?? [] }

  // MARK: - Opening

  @Test func `a request without a document has nothing to show`() {
    var request = PadRequest(.signature, number: 7)
    #expect(documents.open(&request) == nil && request == PadRequest(.signature, number: 7))
    #expect(documents.content(of: request) == nil && documents.restore(request))
  }

  @Test func `the pictures of a request are shown in order, until it ends`() throws {
    let pages = try [(60, 80), (50, 70)].map {
      try UploadedPages.picture(width: $0, height: $1)
    }
    for (index, page) in pages.enumerated() { #expect(put(page, page: index + 1) == nil) }
    let request = try opened(pages: 2)
    #expect(
      documents.content(of: request)
        == .pictures([
          .init(digest: SHA256.text(of: pages[0]), width: 60, height: 80),
          .init(digest: SHA256.text(of: pages[1]), width: 50, height: 70),
        ]))
    let scene = try scene(of: request)
    #expect(scene.reading?.pages.map(\.digest) == pages.map { SHA256.text(of: $0) })
    #expect(documents.problem(of: scene) == nil)
    documents.end()
    #expect(files.isEmpty)
  }

  @Test func `a request whose page is missing takes nothing`() throws {
    let page = try UploadedPages.picture()
    #expect(put(page, page: 2) == nil)
    var request = request(pages: 2)
    #expect(documents.open(&request) == .missing(1))
    #expect(request.document?.upload == nil && documents.content(of: request) == nil)
    #expect(put(page) == nil)
    #expect(documents.open(&request) == nil && request.document?.upload?.pages?.count == 2)
  }

  @Test func `a text that cannot be read is refused, and leaves nothing`() {
    var request = request()
    #expect(put([0x41, 0xFF]) == nil)
    #expect(documents.open(&request) == DocumentProblem(page: 1, "the text is not UTF-8"))
    #expect(files.isEmpty && documents.deadline == nil)
  }

  // MARK: - Texts

  @Test func `the pages of a text have all of it`() throws {
    let text = "Vertrag\n\tüber „7“\n" + String(repeating: "Wort für Wort. ", count: 300)
    #expect(put(text) == nil)
    let request = try opened()
    #expect(documents.content(of: request) == .text(text))
    let scene = try scene(of: request)
    let reading = try #require(scene.reading)
    #expect(reading.pages.count > 1 && documents.problem(of: scene) == nil)
    // The first page that is wanted comes first, and at once: there is nothing to decode.
    documents.prepare(
      [1, 0], read: 1, of: scene, for: request, on: panel.screen, by: try builder())
    let sheets = sheets()
    #expect(sheets.map(\.page) == [1, 0] && main.takeAll().isEmpty)
    for sheet in sheets {
      guard case .text = sheet.sheet else { throw Unexpected() }
      #expect(sheet.scene === scene)
    }
  }

  @Test func `the digest of a text is that of what is shown, with spaces for its tabs`() throws {
    #expect(put("Vertrag\n\tüber") == nil)
    let shown = Array("Vertrag\n über".utf8)
    #expect(try opened().document?.upload?.textDigest == SHA256.text(of: shown))
  }

  @Test func `a text with characters that the pad removes is not shown`() throws {
    #expect(put("Vertrag\u{FFFE}") == nil)
    let problem = documents.problem(of: try scene(of: try opened()))
    #expect(
      problem == DocumentProblem(page: 1, "the text has characters that the pad cannot show"))
  }

  @Test func `a text that takes more pages than the manifest has is not shown`() throws {
    #expect(put(String(repeating: "\n", count: DocumentText.limit)) == nil)
    let small = TestPanel.all[0]
    let problem = documents.problem(of: try scene(of: try opened(), on: small))
    #expect(
      problem
        == DocumentProblem(page: 1, "the text takes more than 1000 pages on this panel"))
  }

  @Test func `a text that alternates between scripts is not shown, and the problem has the limit`()
    throws
  {
    #expect(put(String(repeating: "aא", count: DocumentText.limit / 2)) == nil)
    let problem = documents.problem(of: try scene(of: try opened()))
    #expect(
      problem
        == DocumentProblem(
          page: 1, "the text has more than 3000 lines and changes of script or direction"))
  }

  @Test(arguments: [
    "הסכם זה נערך ביום 12.05.2026 בין Acme לבין הלקוח (1,250 ש\"ח).\n",
    "本契約は、甲と乙がサービスの料金について2026年5月12日に締結する。\n",
  ])
  func `an ordinary text of two scripts is shown`(_ paragraph: String) throws {
    #expect(put(String(repeating: paragraph, count: 100)) == nil)
    #expect(documents.problem(of: try scene(of: try opened())) == nil)
  }

  // MARK: - Pictures

  @Test func `pictures are prepared one after another, as wide as their area`() throws {
    for page in 1...3 { #expect(put(try UploadedPages.picture(), page: page) == nil) }
    let request = try opened(pages: 3)
    let scene = try scene(of: request)
    let builder = try builder()
    documents.prepare([1, 2, 0], read: 1, of: scene, for: request, on: panel.screen, by: builder)
    for page in [1, 2, 0] {
      let answer = try answer()
      #expect(answer.page == page && sheets().isEmpty)
      #expect(documents.prepared(answer) == nil)
      let sheet = try #require(sheets().first)
      guard case .picture(let picture) = sheet.sheet else { throw Unexpected() }
      #expect(sheet.page == page && sheet.scene === scene)
      let area = try #require(
        scene.reading?.pixels(panel.scale, width: panel.width, height: panel.height))
      #expect(picture.width == area.width)
      // 60 by 80 pixels.
      #expect(abs(picture.height - picture.width * 4 / 3) <= 1)
    }
    #expect(main.takeAll().isEmpty)
  }

  @Test func `pages that are not wanted any more are not prepared`() throws {
    for page in 1...3 { #expect(put(try UploadedPages.picture(), page: page) == nil) }
    let request = try opened(pages: 3)
    let scene = try scene(of: request)
    for pages in [[0, 1], [2]] {
      documents.prepare(
        pages, read: pages[0], of: scene, for: request, on: panel.screen, by: try builder())
    }
    // The first one had begun.
    for page in [0, 2] {
      let answer = try answer()
      #expect(answer.page == page)
      _ = documents.prepared(answer)
    }
    #expect(main.takeAll().isEmpty && sheets().map(\.page) == [0, 2])
  }

  @Test func `the end of the request ends the preparation of its pages`() throws {
    for page in 1...2 { #expect(put(try UploadedPages.picture(), page: page) == nil) }
    let request = try opened(pages: 2)
    documents.prepare(
      [0, 1], read: 0, of: try scene(of: request), for: request, on: panel.screen, by: try builder()
    )
    let answer = try answer()
    documents.end()
    _ = documents.prepared(answer)
    var poll = Poll()
    poll.add(main.number)
    #expect(try !poll.wait(milliseconds: 0))
  }

  @Test func `a page whose file is gone is named, and the next ones are prepared`() throws {
    for page in 1...2 { #expect(put(try UploadedPages.picture(), page: page) == nil) }
    let request = try opened(pages: 2)
    try Folder(folder.path + "/documents/1").remove("2")
    documents.prepare(
      [1, 0], read: 1, of: try scene(of: request), for: request, on: panel.screen, by: try builder()
    )
    let problem = documents.prepared(try answer())
    #expect(problem?.page == 2 && problem?.reason.contains("No such file") == true)
    #expect(documents.prepared(try answer()) == nil && sheets().map(\.page) == [0])
  }

  @Test func `a page that has crashed the pad three times is refused by its number`() throws {
    for page in 1...2 { #expect(put(try UploadedPages.picture(), page: page) == nil) }
    let request = try opened(pages: 2)
    let scene = try scene(of: request)
    func prepare() throws -> DocumentProblem? {
      documents.prepare([1], read: 1, of: scene, for: request, on: panel.screen, by: try builder())
      return documents.prepared(try answer())
    }
    for crashes in 1...CrashCounter.limit {
      // As a start leaves it that ended meanwhile.
      var counter = CrashCounter(in: folder.path + "/documents/1", "2.crashes")
      counter.begin()
      #expect(counter.count == crashes)
    }
    #expect(
      try prepare()
        == DocumentProblem(page: 2, "preparing it has crashed the pad 3 times"))
    // Twice may have been something else.
    var counter = CrashCounter(in: folder.path + "/documents/1", "2.crashes")
    counter.clear()
    for _ in 1..<CrashCounter.limit { counter.begin() }
    #expect(try prepare() == nil)
    #expect(CrashCounter(in: folder.path + "/documents/1", "2.crashes").count == 0)
    #expect(try Folder.names(of: folder.path + "/documents/1").sorted() == ["1", "2"])
    documents.end()
    #expect(files.isEmpty)
  }

  @Test func `an end of the program is no crash of the page that is being prepared`() throws {
    // Large enough that the thread does not end first.
    let page = try UploadedPages.picture(width: 1200, height: 6000)
    #expect(put(page) == nil)
    let request = try opened()
    documents.prepare(
      [0], read: 0, of: try scene(of: request), for: request, on: panel.screen, by: try builder())
    func crashes() -> Int {
      CrashCounter(in: folder.path + "/documents/1", "1.crashes").count
    }
    #expect(crashes() == 1)
    documents.stop()
    #expect(crashes() == 0)
    _ = documents.prepared(try answer())
    #expect(crashes() == 0)
  }

  @Test func `a page that is asked for twice is attempted once at a time`() throws {
    #expect(put(try UploadedPages.picture(width: 1200, height: 6000)) == nil)
    let request = try opened()
    for _ in 0..<2 {
      // As the scene with icons and the typeset one.
      documents.prepare(
        [0], read: 0, of: try scene(of: request), for: request, on: panel.screen, by: try builder())
    }
    let counter = { CrashCounter(in: folder.path + "/documents/1", "1.crashes").count }
    #expect(counter() == 1)
    for _ in 0..<2 { #expect(documents.prepared(try answer()) == nil) }
    #expect(counter() == 0)
  }

  @Test func `a page that would take too much memory is refused`() throws {
    let noise = try noise(width: 400, height: 3000)
    let page = try PagePicture(noise, width: 400, limit: 16 << 20)
    #expect((3_600_000...3_800_000).contains(page.size) && !page.isGrey)
    do {
      _ = try PagePicture(noise, width: 1000, limit: 16 << 20)
      Issue.record("a page of \(9 * 2_500_000) bytes was accepted")
    } catch {
      #expect(error.reason == "it takes more than 16.0 MiB in the panel's resolution")
    }
  }

  @Test func `the pages that wait and those on the panel take at most 16 MiB together`() throws {
    let area = try readingArea()
    // Some 4 MB in the panel's resolution, whatever its size.
    let noise = try noise(width: area, height: 4_000_000 / 3 / area)
    for page in 1...2 { #expect(put(noise, page: page) == nil) }
    let request = try opened(pages: 2)
    let scene = try scene(of: request)
    documents.prepare(
      [0, 1], read: 0, of: scene, for: request, on: panel.screen, by: try builder())
    #expect(documents.prepared(try answer()) == nil)
    let shown = try #require(sheets().first).sheet.size
    #expect((3_900_000...4_100_000).contains(shown))
    // A page beside it would be dropped. It is prepared again when the person turns to it.
    documents.prepare(
      [1, 0], read: 1, of: scene, for: request, on: panel.screen, by: try builder())
    let beside = try answer()
    #expect(documents.prepared(beside) == nil && sheets().isEmpty)
    #expect(throws: DocumentProblem.self) { try beside.result.get() }
    #expect(documents.prepared(try answer()) == nil)
    #expect(sheets().map(\.page) == [1])
    // The first one is beside it now.
    #expect(documents.prepared(try answer()) == nil && sheets().isEmpty)
    // Other clients have what is left.
    let left = (16 << 20) - 2 * noise.count - shown - (1 << 20)
    let file = try UploadedPages.picture(padding: left - 100_000)
    #expect(put(file, client: 2) == nil)
    let full = put(file, page: 2, client: 2)
    #expect(full?.reason == "the pages of all clients would take more than 11 MiB")
    // When the first request ends, there is room.
    documents.end()
    #expect(put(file, page: 2, client: 2) == nil)
  }

  @Test func `a page has the room that the files leave`() throws {
    let area = try readingArea()
    let noise = try noise(width: area, height: 4_000_000 / 3 / area)
    #expect(put(noise) == nil)
    #expect(put(try UploadedPages.picture(padding: 7_900_000), page: 2) == nil)
    let request = try opened(pages: 2)
    let size = noise.count + (try UploadedPages.picture(padding: 7_900_000).count)
    let room = (16 << 20) - size - (1 << 20)
    #expect(room < noise.count)
    let tenths = (room * 10) >> 20
    documents.prepare(
      [0], read: 0, of: try scene(of: request), for: request, on: panel.screen, by: try builder())
    #expect(
      documents.prepared(try answer())
        == DocumentProblem(
          page: 1,
          "it takes more than \(tenths / 10).\(tenths % 10) MiB in the panel's resolution"))
  }

  @Test func `a page that is prepared after the end of its request takes no memory on the panel`()
    throws
  {
    let area = try readingArea()
    #expect(put(try noise(width: area, height: 4_000_000 / 3 / area)) == nil)
    let request = try opened()
    let scene = try scene(of: request)
    documents.prepare([0], read: 0, of: scene, for: request, on: panel.screen, by: try builder())
    let answer = try answer()
    documents.end()
    #expect(documents.prepared(answer) == nil && sheets().isEmpty)
    #expect(put(try UploadedPages.picture(padding: 12_000_000)) == nil)
  }

  @Test func `the document that is read comes before those that wait`() throws {
    let area = try readingArea()
    #expect(put(try noise(width: area, height: 4_000_000 / 3 / area)) == nil)
    let request = try opened()
    #expect(put(try UploadedPages.picture(padding: 7_900_000), client: 2) == nil)
    let scene = try scene(of: request)
    documents.prepare([0], read: 0, of: scene, for: request, on: panel.screen, by: try builder())
    #expect(documents.prepared(try answer()) == nil && sheets().isEmpty)
    #expect(files == ["1"])
    #expect(documents.prepared(try answer()) == nil)
    #expect(sheets().map(\.page) == [0])
  }

  /// A file of coloured noise, which cannot be compressed: three bytes a pixel.
  private func noise(width: Int, height: Int) throws -> [UInt8] {
    var random = SeededRandom(seed: .random(in: 0 ... .max))
    let pixels = random.words(width * height)
    return try PNGFile.encode(
      pixels.span.bytes, as: PNGHeader(width: width, height: height, pixels: .xrgb))
  }

  /// The width of the panel's area of pages, in pixels.
  private func readingArea() throws -> Int {
    var request = request()
    request.document?.upload = DocumentUpload(
      folder: 1,
      pages: [DocumentUpload.Page(digest: "", width: 60, height: 80)])
    let scene = try scene(of: request)
    return try #require(
      scene.reading?.pixels(panel.scale, width: panel.width, height: panel.height)
    ).width
  }

  // MARK: - Restart

  @Test func `the document of a request is there after a restart, or known to be gone`() throws {
    for page in 1...2 { #expect(put(try UploadedPages.picture(), page: page) == nil) }
    let request = try opened(pages: 2)
    func next(keeping upload: DocumentUpload?) -> RequestDocuments {
      RequestDocuments(in: folder.path, keeping: upload, main: main, render: render)
    }
    let upload = request.document?.upload
    #expect(next(keeping: upload).restore(request))
    try Folder(folder.path + "/documents/1").remove("2")
    #expect(!next(keeping: upload).restore(request))
    var other = request
    other.document?.upload = nil
    #expect(!next(keeping: nil).restore(other))
  }

  @Test func `the text of a request is there after a restart, or known to be gone`() throws {
    #expect(put("Vertrag") == nil)
    let request = try opened()
    let upload = request.document?.upload
    let next = RequestDocuments(in: folder.path, keeping: upload, main: main, render: render)
    #expect(next.restore(request) && next.content(of: request) == .text("Vertrag"))
    try Folder(folder.path).removeTree("documents")
    #expect(
      !RequestDocuments(in: folder.path, keeping: upload, main: main, render: render)
        .restore(request))
  }
}
