import CLinux
import Control
import Linux
import Nettle
import SpoolFixtures
import Testing

@testable import Pad

/// The files of documents that clients upload.
@Suite struct DocumentStoreTests {
  let second: Int64 = 1_000_000_000
  let folder = TemporaryFolder()
  let store: DocumentStore

  init() { store = DocumentStore(in: folder.path) }

  /// Uploads a page.
  private func put(
    _ bytes: [UInt8], page: Int = 1, document: String = "contract", client: Int = 1,
    size: Int = PagePart.sizeLimit, at now: Int64 = 0
  ) throws {
    let parts = UploadedPages.parts(
      of: bytes, page: page, document: document, client: client, size: size)
    for part in parts { try store.put(part, at: now) }
  }

  private func put(
    _ text: String, page: Int = 1, size: Int = PagePart.sizeLimit
  ) throws { try put(Array(text.utf8), page: page, size: size) }

  /// Why the store refuses something; nil: it does not.
  private func problem(_ body: () throws -> Void) throws -> DocumentProblem? {
    do {
      try body()
      return nil
    } catch let problem as DocumentProblem { return problem }
  }

  /// Why a document of this size is not taken.
  private func refusal(
    pages: Int, document: String = "contract", client: Int = 1
  ) throws -> DocumentProblem? {
    try problem {
      _ = try store.take(
        UploadedPages.request(pages: pages, document: document, client: client))
    }
  }

  /// The text of a document that is taken now.
  private func takeText() throws -> String {
    try store.text(of: try store.take(UploadedPages.request(pages: 1)))
  }

  private var documents: String { folder.path + "/documents" }

  /// The paths of all files below the folder of documents.
  private var files: [String] {
    let folders = (try? Folder.names(of: documents)) ?? []
    return folders.flatMap { name in
      ((try? Folder.names(of: "\(documents)/\(name)")) ?? []).map { "\(name)/\($0)" }
    }
  }

  /// The bytes of all files.
  private var size: Int {
    get throws {
      try files.reduce(0) { $0 + Int(try FileStatus(of: "\(documents)/\($1)").size) }
    }
  }

  // MARK: - Uploads

  @Test(arguments: [1, 100, PagePart.sizeLimit])
  func `pages are taken in order, with their sizes and digests, however they arrive`(size: Int)
    throws
  {
    let pages = try [(60, 80), (50, 70), (10, 10)].map {
      try UploadedPages.picture(width: $0, height: $1)
    }
    for number in [3, 1, 2] { try put(pages[number - 1], page: number, size: size) }
    let upload = try store.take(UploadedPages.request(pages: 3))
    #expect(
      upload.pages == [
        .init(digest: SHA256.text(of: pages[0]), width: 60, height: 80),
        .init(digest: SHA256.text(of: pages[1]), width: 50, height: 70),
        .init(digest: SHA256.text(of: pages[2]), width: 10, height: 10),
      ])
    for (index, page) in pages.enumerated() {
      #expect(try Fixtures.read(store.file(index + 1, in: upload.folder)) == page)
    }
  }

  @Test func `parts of several pages and clients may alternate`() throws {
    let page = try UploadedPages.picture()
    let uploads = [(1, 1), (1, 2), (2, 1)].map { client, number in
      UploadedPages.parts(of: page, page: number, client: client, size: 99)
    }
    for index in uploads[0].indices {
      for upload in uploads { try store.put(upload[index], at: 0) }
    }
    #expect(try store.take(UploadedPages.request(pages: 2)).pages?.count == 2)
    store.endRequest()
    #expect(try store.take(UploadedPages.request(pages: 1, client: 2)).pages?.count == 1)
  }

  /// The problem of a part of page 2 whose page has no parts: the client may upload it again.
  private static let lost = DocumentProblem(
    page: 2, "the pad does not have the parts before this one", isLost: true)

  @Test func `a part that is not the next one is refused, and its page is gone`() throws {
    let parts = UploadedPages.parts(of: try UploadedPages.picture(), page: 2, size: 300)
    #expect(parts.count > 3)
    let wrong = DocumentProblem(page: 2, "the part does not follow the last one")
    #expect(throws: Self.lost) { try store.put(parts[1], at: 0) }
    try store.put(parts[0], at: 0)
    #expect(throws: wrong) { try store.put(parts[2], at: 0) }
    #expect(files.isEmpty)
    #expect(throws: Self.lost) { try store.put(parts[1], at: 0) }
    // The same part again is not the next one.
    try store.put(parts[0], at: 0)
    try store.put(parts[1], at: 0)
    #expect(throws: wrong) { try store.put(parts[1], at: 0) }
    #expect(try refusal(pages: 2)?.page == 1)
  }

  @Test func `a page that begins anew replaces the one before, whole or not`() throws {
    let (old, new) = (
      try UploadedPages.picture(width: 90, height: 90),
      try UploadedPages.picture(width: 20, height: 20)
    )
    for count in [1, 3, Int.max] {
      for part in UploadedPages.parts(of: old, size: 1000).prefix(count) {
        try store.put(part, at: 0)
      }
      try put(new)
      #expect(try size == new.count)
    }
    #expect(
      try store.take(UploadedPages.request(pages: 1)).pages == [
        .init(digest: SHA256.text(of: new), width: 20, height: 20)
      ])
  }

  @Test func `another document of a client replaces the first one, and others keep theirs`() throws
  {
    let page = try UploadedPages.picture()
    try put(page)
    try put(page, client: 2)
    try put(page, document: "other")
    #expect(files.count == 2)
    #expect(
      try refusal(pages: 1) == .missing(1))
    #expect(try refusal(pages: 1, document: "other", client: 2)?.page == 1)
    #expect(try refusal(pages: 1, document: "other") == nil)
  }

  @Test func `a damaged picture is refused with its page, and takes no room`() throws {
    var page = try UploadedPages.picture()
    page[page.count / 2] ^= 1
    let damaged = try problem { try put(page, page: 4) }
    #expect(damaged?.page == 4 && damaged?.reason.hasPrefix("damaged PNG: ") == true)
    #expect(files.isEmpty)
    let wrong = try problem { try put([0x89] + Array("PNX".utf8), page: 5) }
    #expect(wrong == DocumentProblem(page: 5, "not a PNG"))
    #expect(try refusal(pages: 5)?.page == 1)
  }

  @Test(arguments: [1, 24_000])
  func `bytes behind the end of a picture are refused`(size: Int) throws {
    let page = try UploadedPages.picture()
    let behind = "damaged PNG: there is data behind the end"
    #expect(try problem { try put(page + [0], size: size) }?.reason == behind)
    try put(page)
    let part = PagePart(
      client: 1, document: "contract", number: 1, offset: page.count, bytes: [0])
    #expect(throws: DocumentProblem(page: 1, behind)) { try store.put(part, at: 0) }
    #expect(files.isEmpty)
  }

  @Test func `a picture of too many pixels is refused by its first part`() throws {
    for (width, height) in [(10_001, 1), (1, 10_001), (2900, 2900)] {
      let page = try UploadedPages.picture(width: width, height: height)
      let large = DocumentProblem(page: 1, "a PNG of \(width)×\(height) pixels is too large")
      let first = UploadedPages.parts(of: page, size: 100)[0]
      #expect(throws: large) { try store.put(first, at: 0) }
    }
    try put(try UploadedPages.picture(width: 10_000, height: 1))
  }

  // MARK: - Room

  @Test func `the pages of all clients take at most 12 MiB, and refused ones take none`() throws {
    let page = try UploadedPages.picture(padding: 2_000_000)
    let limit = RequestDocument.sizeLimit
    #expect(6 * page.count < limit && limit < 7 * page.count)
    for client in 1...6 { try put(page, client: client) }
    let full = DocumentProblem(
      page: 3, "the pages of all clients would take more than 12 MiB")
    #expect(try problem { try put(page, page: 3, client: 7) } == full)
    #expect(try problem { try put(page, page: 3, client: 1) } == full)
    #expect(try size == 6 * page.count)
    // The document of the open request counts too.
    _ = try store.take(UploadedPages.request(pages: 1, client: 2))
    #expect(try problem { try put(page, page: 3, client: 7) } == full)
    store.endRequest()
    try put(page, page: 3, client: 7)
    #expect(try problem { try put(page, page: 3, client: 8) } == full)
    store.discard(client: 1)
    try put(page, page: 3, client: 8)
    #expect(try size == 6 * page.count)
  }

  @Test func `16 pages at a time can be incomplete`() throws {
    let page = try UploadedPages.picture()
    func begin(_ number: Int, client: Int) throws {
      let part = UploadedPages.parts(of: page, page: number, client: client, size: 40)[0]
      try store.put(part, at: 0)
    }
    for number in 1...10 { try begin(number, client: 1) }
    for number in 1...6 { try begin(number, client: 2) }
    let full = DocumentProblem(page: 15, "16 other pages have begun and not arrived")
    #expect(try problem { try begin(15, client: 2) } == full)
    #expect(try problem { try begin(15, client: 3) } == full)
    // A page that begins anew is not another one.
    try begin(6, client: 2)
    store.discard(client: 1)
    try begin(15, client: 2)
    try begin(1, client: 3)
  }

  @Test func `a page that would be endless in the panel's width is refused`() throws {
    try put(UploadedPages.picture(width: 20, height: 160))
    let high = try UploadedPages.picture(width: 20, height: 161)
    #expect(
      try problem { try put(high, page: 2) }
        == DocumentProblem(page: 2, "the page is more than 8 times as high as wide"))
  }

  @Test func `an upload that has made room for another is lost, and may begin again`() throws {
    let page = try UploadedPages.picture()
    let parts = UploadedPages.parts(of: page, page: 2, size: 300)
    try put(page)
    try store.put(parts[0], at: 0)
    #expect(store.discardWaiting())
    // Its next part takes no room either, and nor does a client that never comes back.
    #expect(throws: Self.lost) { try store.put(parts[1], at: 0) }
    #expect(files.isEmpty && !store.discardWaiting())
    // Also beside a page that has begun again.
    try put(page)
    #expect(throws: Self.lost) { try store.put(parts[1], at: 0) }
    for part in parts { try store.put(part, at: 0) }
    #expect(try store.take(UploadedPages.request(pages: 2)).pages?.count == 2)
  }

  @Test func `pages that fail again and again take no room`() throws {
    let page = try UploadedPages.picture(padding: 2_700_000)
    let wrong = PagePart(client: 1, document: "contract", number: 1, offset: 7, bytes: [0])
    for number in 1...10 {
      try put(page, page: number)
      var part = wrong
      part.number = number
      #expect(throws: DocumentProblem.self) { try store.put(part, at: 0) }
      #expect(try size == 0)
    }
  }

  @Test(.enabled(if: TestMachine.canMount, "needs root and mount"))
  func `a full disk refuses the page, and the next one fits when there is room`() throws {
    let disk = try Disk(tmpfs: "256k")
    let store = DocumentStore(in: disk.path)
    let part = UploadedPages.parts(of: try UploadedPages.picture())[0]
    try store.put(part, at: 0)
    try disk.fill(leaving: 0)
    var next = UploadedPages.parts(of: try UploadedPages.picture(padding: 9000), page: 2)[0]
    let problem = try problem { try store.put(next, at: 0) }
    #expect(problem?.page == 2 && problem?.reason.hasPrefix("the page cannot be kept: ") == true)
    disk.clear()
    next.number = 3
    #expect(throws: Never.self) { try store.put(next, at: 0) }
  }

  @Test func `without a folder for pages, none are kept`() throws {
    let part = UploadedPages.parts(of: try UploadedPages.picture())[0]
    let none = DocumentStore(in: nil)
    let problem = DocumentProblem(page: nil, "the pad has no folder for pages")
    #expect(throws: problem) { try none.put(part, at: 0) }
    #expect(none.deadline == nil)
  }

  @Test func `a file in place of the folder refuses pages, and is removed by the next start`()
    throws
  {
    try Fixtures.write(documents, [1])
    let page = try UploadedPages.picture()
    let refused = DocumentProblem(page: 1, "the page cannot be kept: Not a directory")
    #expect(try problem { try put(page) } == refused)
    #expect(try Fixtures.read(documents) == [1] && store.deadline == nil)
    let next = DocumentStore(in: folder.path)
    #expect(throws: Never.self) { try next.put(UploadedPages.parts(of: page)[0], at: 0) }
  }

  @Test func `links in place of a page or of the folder of documents are not followed`() throws {
    let target = folder.path + "/target"
    try Fixtures.write(target, [1])
    let parts = UploadedPages.parts(of: try UploadedPages.picture(), size: 100)
    for count in [1, 2] {
      for part in parts.prefix(count) { try store.put(part, at: 0) }
      let page = store.file(1, in: 1)
      unlink(page)
      #expect(symlink(target, page) == 0)
      #expect(try problem { try store.put(parts[count % 2], at: 0) }?.page == 1)
      #expect(try Fixtures.read(target) == [1])
    }
    let other = folder.path + "/other"
    #expect(mkdir(other, 0o700) == 0)
    try Fixtures.write(other + "/kept", [1])
    let earlier = TemporaryFolder()
    #expect(symlink(other, earlier.path + "/documents") == 0)
    _ = DocumentStore(in: earlier.path)
    #expect(Fixtures.exists(other + "/kept") && !Fixtures.exists(earlier.path + "/documents"))
  }

  // MARK: - Time

  @Test func `a document that nobody signs for is discarded a minute after its last part`() throws {
    let minute = DocumentStore.lifetime
    #expect(minute == 60 * second && store.deadline == nil)
    let page = try UploadedPages.picture()
    let parts = UploadedPages.parts(of: page, size: page.count / 2 + 1)
    try store.put(parts[0], at: 5 * second)
    try put(page, client: 2, at: 7 * second)
    #expect(store.deadline == 5 * second + minute)
    try store.put(parts[1], at: 9 * second)
    #expect(store.deadline == 7 * second + minute)
    store.expire(at: 7 * second + minute - 1)
    #expect(files.count == 2)
    store.expire(at: 7 * second + minute)
    #expect(files.count == 1 && store.deadline == 9 * second + minute)
    #expect(try refusal(pages: 1, client: 2)?.page == 1)
    _ = try store.take(UploadedPages.request(pages: 1))
    #expect(store.deadline == nil)
    store.expire(at: .max)
    #expect(files.count == 1)
  }

  @Test func `a part that comes after its document was discarded says that it is lost`() throws {
    let parts = UploadedPages.parts(of: try UploadedPages.picture(), page: 2, size: 300)
    try store.put(parts[0], at: 0)
    store.expire(at: DocumentStore.lifetime)
    #expect(throws: Self.lost) { try store.put(parts[1], at: DocumentStore.lifetime) }
  }

  // MARK: - The open request

  @Test func `the first page that is missing, incomplete or too many is named`() throws {
    let page = try UploadedPages.picture()
    #expect(try refusal(pages: 2) == .missing(1))
    for number in [1, 5, 4] { try put(page, page: number) }
    #expect(try refusal(pages: 5) == .missing(2))
    #expect(try refusal(pages: 3) == DocumentProblem(page: 4, "the document has fewer pages"))
    try put(Array(page.dropLast()), page: 2)
    #expect(try refusal(pages: 5) == DocumentProblem(page: 2, "the page is incomplete"))
    // Nothing of that discards what has arrived.
    let rest = PagePart(
      client: 1, document: "contract", number: 2, offset: page.count - 1, bytes: [page.last ?? 0])
    try store.put(rest, at: 0)
    try put(page, page: 3)
    #expect(try refusal(pages: 5) == nil)
    #expect(try refusal(pages: 5) == .missing(1))
  }

  @Test func `a client that disconnects leaves nothing, unless its request is open`() throws {
    let page = try UploadedPages.picture()
    try put(page)
    try put(page, client: 2)
    store.discard(client: 2)
    #expect(files == ["1/1"])
    let upload = try store.take(UploadedPages.request(pages: 1))
    store.discard(client: 1)
    #expect(files == ["1/1"] && store.has(upload))
    store.endRequest()
    #expect(try Folder.names(of: documents) == [] && !store.has(upload))
    store.endRequest()
  }

  // MARK: - Texts

  @Test(arguments: [1, 3, PagePart.sizeLimit])
  func `a text comes back, wherever its parts are cut`(size: Int) throws {
    let text = "Vertrag\n\tüber „7“ 契約書 \u{1F58B}\u{FE0F}\n\n"
    try put(text, size: size)
    #expect(try takeText() == text)
  }

  @Test(arguments: ["x", "é", "契", "\u{1F58B}"])
  func `a text has up to 20,000 characters of any width`(character: String) throws {
    try put(String(repeating: character, count: 20_000))
    #expect(try takeText().unicodeScalars.count == 20_000)
    let problem = try problem {
      try put(String(repeating: character, count: 20_001))
      _ = try takeText()
    }
    #expect(
      problem == DocumentProblem(page: 1, "the text has more than 20000 characters"))
  }

  @Test func `a text that is too long for any script is refused while it arrives`() throws {
    let problem = try problem { try put(String(repeating: "x", count: 80_001)) }
    #expect(problem == DocumentProblem(page: 1, "the text has more than 20000 characters"))
    #expect(files.isEmpty)
  }

  @Test(arguments: ["\0", "\u{7}", "\r\n", "\u{1B}[31m", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}"])
  func `a text with a control character is refused`(control: String) throws {
    let problem = try problem {
      try put("Ver" + control + "trag")
      _ = try takeText()
    }
    #expect(problem == DocumentProblem(page: 1, "the text has a control character"))
  }

  @Test(arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]])
  func `a text that is no UTF-8 is refused`(_ bytes: [UInt8]) throws {
    let problem = try problem {
      try put(Array("Vertrag".utf8) + bytes)
      _ = try takeText()
    }
    #expect(problem == DocumentProblem(page: 1, "the text is not UTF-8"))
  }

  @Test func `a text is the only page of its document`() throws {
    let picture = try UploadedPages.picture()
    let noPicture = "not a PNG"
    #expect(try problem { try put("x", page: 2) } == DocumentProblem(page: 2, noPicture))
    try put("Vertrag")
    #expect(
      try problem { try put(picture, page: 2) }
        == DocumentProblem(page: 2, "the document is a text, which has one page"))
    #expect(try problem { try put("x", page: 2) } == DocumentProblem(page: 2, noPicture))
    #expect(try refusal(pages: 2) == .missing(2))
    // The first page may become a picture, and other pages then refuse a text.
    try put(picture)
    try put(picture, page: 2)
    #expect(try problem { try put("x") } == DocumentProblem(page: 1, noPicture))
    #expect(try refusal(pages: 2)?.page == 1)
  }

  // MARK: - Restart

  @Test func `a start keeps the document of the open request alone`() throws {
    let page = try UploadedPages.picture()
    try put(page, client: 3)
    try put(page)
    try put(page, page: 2)
    let upload = try store.take(UploadedPages.request(pages: 2))
    #expect(files == ["1/1", "2/1", "2/2"])
    let next = DocumentStore(in: folder.path, keeping: upload)
    #expect(files == ["2/1", "2/2"] && next.has(upload))
    // It counts, and the next document has a folder of its own.
    try next.put(UploadedPages.parts(of: page)[0], at: 0)
    #expect(files == ["2/1", "2/2", "3/1"])
    next.endRequest()
    #expect(files == ["3/1"])
    _ = DocumentStore(in: folder.path)
    #expect(!Fixtures.exists(documents))
  }

  @Test func `a start knows which pages of the open request are gone`() throws {
    let page = try UploadedPages.picture()
    try put(page)
    try put(page, page: 2)
    let upload = try store.take(UploadedPages.request(pages: 2))
    unlink(store.file(2, in: upload.folder))
    #expect(!DocumentStore(in: folder.path, keeping: upload).has(upload))
    let other = DocumentUpload(folder: 77, pages: upload.pages)
    #expect(!DocumentStore(in: folder.path, keeping: other).has(other))
    #expect(files.isEmpty)
    let none = DocumentStore(in: nil, keeping: upload)
    #expect(!none.has(upload))
  }

  @Test func `a text is read again by the next start`() throws {
    try put("Vertrag")
    let upload = try store.take(UploadedPages.request(pages: 1))
    #expect(upload.pages == nil)
    let next = DocumentStore(in: folder.path, keeping: upload)
    #expect(next.has(upload))
    #expect(try next.text(of: upload) == "Vertrag")
    next.endRequest()
    #expect(throws: DocumentProblem(page: 1, "the page cannot be read")) {
      try next.text(of: upload)
    }
  }
}
