internal import CLinux
internal import Control
internal import Linux
internal import Nettle

/// The documents that clients upload: files in the runtime directory, which is memory. Belongs to the main thread.
///
/// A client has one document. The open request takes its client's document, which then stays until the request ends.
final class DocumentStore {
  /// The most pictures of all clients that have begun and not arrived.
  static let decodingLimit = 16
  /// How long a document waits for its next part or its request, in nanoseconds.
  static let lifetime: Int64 = 60_000_000_000

  /// The folder of all documents; nil: there is no runtime directory.
  private let path: String?
  private var uploads: [UploadedDocument] = []
  /// The document of the open request.
  private var taken: (folder: Int, size: Int)?
  /// The memory of the pages on the panel, in bytes.
  private var shown = 0
  private var lastFolder = 0

  /// Removes what an earlier start has left but the document of a request that is open again.
  init(in runtime: String?, keeping upload: DocumentUpload? = nil) {
    path = runtime.map { $0 + "/documents" }
    guard let runtime, let path else { return }
    if let upload, let size = try? DocumentStore.size(of: "\(path)/\(upload.folder)") {
      taken = (upload.folder, size)
      lastFolder = upload.folder
    }
    guard let folder = try? Folder(runtime) else { return }
    guard let taken, let documents = try? Folder(path), let names = try? documents.names() else {
      // Also what is not a folder.
      try? folder.removeTree("documents")
      return
    }
    for name in names where name != "\(taken.folder)" { try? documents.removeTree(name) }
  }

  private static func size(of path: String) throws(Errno) -> Int {
    var size = 0
    for name in try Folder.names(of: path) {
      size += Int(clamping: (try? FileStatus(of: "\(path)/\(name)").size) ?? 0)
    }
    return size
  }

  // MARK: - Uploads

  /// When `expire(at:)` must be called; nil: never.
  var deadline: Int64? { uploads.map { $0.expiry }.min() }

  /// Discards the documents that nobody has asked a signature for.
  func expire(at now: Int64) {
    for upload in uploads where upload.expiry <= now { remove(upload.folder) }
    uploads.removeAll { $0.expiry <= now }
  }

  /// Discards the document of a client.
  func discard(client: Int) {
    for upload in uploads where upload.client == client { remove(upload.folder) }
    uploads.removeAll { $0.client == client }
  }

  /// Discards the documents of all clients that nobody has asked a signature for; returns whether
  /// there were any. Parts that still arrive do not keep a document: a client could hold the room.
  func discardWaiting() -> Bool {
    guard uploads.contains(where: { $0.size > 0 }) else { return false }
    for upload in uploads { remove(upload.folder) }
    uploads = []
    return true
  }

  /// Keeps a part of a page.
  func put(_ part: PagePart, at now: Int64) throws(DocumentProblem) {
    guard path != nil else { throw DocumentProblem(page: nil, "the pad has no folder for pages") }
    let upload = try upload(of: part, at: now)
    upload.expiry = now + DocumentStore.lifetime
    do throws(DocumentProblem) {
      try put(part, in: upload)
    } catch {
      // A page with a hole is worth nothing, and its file would take room that is not counted.
      upload.remove(part.number)
      remove(part.number, of: upload.folder)
      throw error
    }
  }

  /// The document that the part belongs to. A document of another id makes room for it.
  private func upload(of part: PagePart, at now: Int64) throws(DocumentProblem) -> UploadedDocument
  {
    if let upload = uploads.first(where: { $0.client == part.client && $0.id == part.document }) {
      return upload
    }
    discard(client: part.client)
    lastFolder += 1
    let upload = UploadedDocument(part, folder: lastFolder, expiry: now)
    guard let path else { throw DocumentProblem(page: nil, "the pad has no folder for pages") }
    for folder in [path, "\(path)/\(upload.folder)"] where unsafe mkdir(folder, 0o700) != 0 {
      let failure = Errno.current
      guard failure.rawValue == EEXIST else {
        throw DocumentProblem(page: part.number, "the page cannot be kept: \(failure.text)")
      }
    }
    uploads.append(upload)
    return upload
  }

  private func put(_ part: PagePart, in upload: UploadedDocument) throws(DocumentProblem) {
    let number = part.number
    if part.offset == 0 {
      // A page that begins anew does not count twice.
      upload.remove(number)
      guard uploads.reduce(0, { $0 + $1.decoding }) < DocumentStore.decodingLimit else {
        throw DocumentProblem(
          page: number, "\(DocumentStore.decodingLimit) other pages have begun and not arrived")
      }
      try upload.begin(number, firstByte: part.bytes.first ?? 0)
    }
    guard let page = upload.page(number) else {
      // A page that a person reads may have taken their room, or their minute has passed.
      throw DocumentProblem(
        page: number, "the pad does not have the parts before this one", isLost: true)
    }
    guard page.size == part.offset else {
      throw DocumentProblem(page: number, "the part does not follow the last one")
    }
    let limit = min(RequestDocument.sizeLimit, RequestDocument.memoryLimit - shown)
    guard size + part.bytes.count <= limit else {
      throw DocumentProblem(
        page: number, "the pages of all clients would take more than \(limit >> 20) MiB")
    }
    try page.check(part.bytes)
    try write(part, in: upload)
    page.add(part.bytes)
  }

  private func write(
    _ part: PagePart, in upload: UploadedDocument
  ) throws(DocumentProblem) {
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | (part.offset == 0 ? O_TRUNC : O_APPEND)
    do throws(Errno) {
      let file = try FileDescriptor(
        opening: file(part.number, in: upload.folder), flags, mode: 0o600)
      try file.writeAll(part.bytes)
    } catch {
      throw DocumentProblem(page: part.number, "the page cannot be kept: \(error.text)")
    }
  }

  /// The size of the files of all pages, in bytes.
  private var size: Int { uploads.reduce(taken?.size ?? 0) { $0 + $1.size } }

  // MARK: - The open request

  /// Takes the document of a request from its client.
  func take(_ document: RequestDocument) throws(DocumentProblem) -> DocumentUpload {
    guard
      let upload = uploads.first(where: {
        $0.client == document.client && $0.id == document.id
      })
    else { throw DocumentProblem.missing(1) }
    let pages = try upload.finished(count: document.count)
    endRequest()
    uploads.removeAll { $0 === upload }
    taken = (upload.folder, upload.size)
    return DocumentUpload(
      folder: upload.folder, pages: pages,
      textDigest: pages == nil ? textDigest(of: upload.folder) : nil)
  }

  /// The SHA-256 of a text as it is shown: with spaces for its tabs.
  private func textDigest(of folder: Int) -> String? {
    guard var text = bytes(of: 1, in: folder) else { return nil }
    for place in text.indices where text[place] == UInt8(ascii: "\t") {
      text[place] = UInt8(ascii: " ")
    }
    return SHA256.text(of: text)
  }

  /// The text of a document that a request has taken.
  func text(of upload: DocumentUpload) throws(DocumentProblem) -> String {
    guard let bytes = bytes(of: 1, in: upload.folder) else {
      throw DocumentProblem(page: 1, "the page cannot be read")
    }
    return try DocumentText.text(of: bytes)
  }

  /// Whether all pages are there of a document that a request of an earlier start has taken.
  func has(_ upload: DocumentUpload) -> Bool {
    guard taken?.folder == upload.folder else { return false }
    let count = upload.pages?.count ?? 1
    return (0..<count).allSatisfy { page in
      ((try? FileStatus(of: file(page + 1, in: upload.folder)).size) ?? 0) > 0
    }
  }

  /// The memory that a page may take on the panel, in bytes, beside the pages before and after it.
  var room: Int { RequestDocument.memoryLimit - size - DocumentSheets.sizeLimit }

  /// The page that is read takes this memory on the panel, in bytes. One that was beside it before takes at most as much as
  /// all of those.
  func show(_ size: Int) { shown = max(size, DocumentSheets.sizeLimit) + DocumentSheets.sizeLimit }

  /// Discards the document of the request that has ended.
  func endRequest() {
    if let taken { remove(taken.folder) }
    taken = nil
    shown = 0
  }

  // MARK: - Files

  /// The file of a page, from 1.
  func file(_ page: Int, in folder: Int) -> String { "\(path ?? "")/\(folder)/\(page)" }

  /// The crashes while a page was prepared. The record goes with the document.
  func crashes(of page: Int, in folder: Int) -> CrashCounter {
    CrashCounter(in: "\(path ?? "")/\(folder)", "\(page).crashes")
  }

  private func bytes(of page: Int, in folder: Int) -> [UInt8]? {
    try? FileDescriptor(opening: file(page, in: folder), O_RDONLY | O_NOFOLLOW)
      .readAll(limit: RequestDocument.sizeLimit)
  }

  private func remove(_ page: Int, of folder: Int) {
    guard let path else { return }
    try? Folder("\(path)/\(folder)").remove("\(page)")
  }

  private func remove(_ folder: Int) {
    guard let path else { return }
    try? Folder(path).removeTree("\(folder)")
  }
}
