internal import Control
internal import Ink
internal import JSON
internal import Nettle
internal import Signature
internal import Spool

/// Encodes the open request for the journal, as JSON.
enum JournaledRequest {
  static let sizeLimit = 256 << 10

  /// Later requests count on from it.
  private static let largestNumber: Int64 = 1 << 53
  /// The seconds of the countdown fit 32 bits.
  private static let latestDeadline = Int64(Int32.max) * 1_000_000_000

  static func encode(_ request: PadRequest) -> [UInt8] {
    var members: [(String, JSONValue)] = [
      ("number", .integer(request.number)), ("cancellable", .flag(request.hasButton)),
    ]
    let texts = [
      ("reference", request.reference), ("title", request.title), ("prompt", request.text),
      ("language", request.language),
    ]
    for (name, text) in texts { if let text { members.append((name, .text(text))) } }
    if let requester = request.requester { members.append(("requester", requester.json)) }
    if let deadline = request.deadline { members.append(("limit", .integer(deadline))) }
    if let document = request.document {
      members.append(("document", encode(document)))
    }
    // The limit begins anew while the person reads, and after a failure to save.
    if let limit = request.timeLimit { members.append(("time_limit", .integer(limit))) }
    return JSONValue.object(members).bytes()
  }

  /// Returns nil for bytes that no pad has written.
  static func decode(_ bytes: [UInt8]) -> PadRequest? {
    guard
      let value = try? JSONValue.parse(bytes, limits: .init(size: sizeLimit, depth: 6)),
      let number = value["number"]?.integer, (1...largestNumber).contains(number)
    else { return nil }
    let deadline = value["limit"]?.integer
    if let deadline, !(0...latestDeadline).contains(deadline) { return nil }
    var request = PadRequest(.signature, number: number)
    request.deadline = deadline
    request.hasButton = value["cancellable"]?.flag ?? false
    request.reference = value["reference"]?.text
    request.requester = value["requester"].flatMap { Requester($0) }
    request.title = value["title"]?.text
    request.text = value["prompt"]?.text
    request.language = value["language"]?.text
    if let member = value["document"] {
      // Without its document, nobody must sign.
      guard let document = document(member) else { return nil }
      request.document = document
    }
    let limit = value["time_limit"]?.integer
    request.timeLimit = limit.flatMap { (1...longestLimit).contains($0) ? $0 : nil }
    return request
  }

  /// A week: the longest that the configuration allows.
  private static let longestLimit: Int64 = 604_800_000_000_000

  private static func encode(_ document: RequestDocument) -> JSONValue {
    let pages = document.upload?.pages?.map { page in
      JSONValue.object([
        ("digest", .text(page.digest)), ("width", .integer(page.width)),
        ("height", .integer(page.height)),
      ])
    }
    return .object([
      ("id", .text(document.id)), ("name", .text(document.name)),
      ("digest", .text(document.digest)), ("count", .integer(document.count)),
      ("early", .flag(document.isEarly)), ("folder", .integer(document.upload?.folder)),
      ("pages", pages.map { .array($0) } ?? .null),
      ("text_digest", .text(document.upload?.textDigest)),
    ])
  }

  /// The client of an earlier start, which no connection has.
  private static let goneClient = -1

  private static func document(_ value: JSONValue) -> RequestDocument? {
    guard let id = value["id"]?.text, let name = value["name"]?.text,
      let digest = sha256(value["digest"]), let count = value["count"]?.integer,
      (1...Int64(RequestDocument.pageLimit)).contains(count),
      let folder = value["folder"]?.integer, (1...largestNumber).contains(folder)
    else { return nil }
    var document = RequestDocument(
      client: goneClient, id: id, name: name, digest: digest, count: Int(count))
    document.isEarly = value["early"]?.flag ?? false
    var upload = DocumentUpload(folder: Int(clamping: folder), pages: nil)
    if let elements = value["pages"]?.elements {
      let pages = elements.compactMap { page($0) }
      guard elements.count == document.count, pages.count == document.count else { return nil }
      upload.pages = pages
    } else {
      // If the text is signed before its pages are set, the manifest contains this digest.
      guard let digest = sha256(value["text_digest"]) else { return nil }
      upload.textDigest = digest
    }
    document.upload = upload
    return document
  }

  private static func page(_ value: JSONValue) -> DocumentUpload.Page? {
    guard let digest = sha256(value["digest"]), let width = value["width"]?.integer,
      let height = value["height"]?.integer, (1...longestSide).contains(width),
      (1...longestSide).contains(height)
    else { return nil }
    return DocumentUpload.Page(digest: digest, width: Int(width), height: Int(height))
  }

  private static let longestSide: Int64 = 1 << 20

  private static func sha256(_ value: JSONValue?) -> String? {
    value?.text.flatMap { SHA256.isDigest($0) ? $0 : nil }
  }
}

/// Encodes a signature for the journal: a line of JSON, the PNG, the sealed files if there are any, and the records of its
/// strokes.
enum JournaledSignature {
  static let sizeLimit = 64 << 20
  /// The limit of the line of JSON, in bytes. A document of 1000 pages takes 120 kB.
  private static let headerLimit = 256 << 10

  static func encode(_ signature: SavedSignature) -> [UInt8] {
    var members: [(String, JSONValue)] = [
      ("id", .text(signature.id)), ("digest", .text(signature.digest)),
      ("time", .integer(signature.time)), ("width", .integer(signature.width)),
      ("height", .integer(signature.height)), ("dpi", .real(signature.dpi)),
      ("glass", .array([.real(Double(signature.glass.x)), .real(Double(signature.glass.y))])),
      ("png", .integer(signature.png.count)),
    ]
    if let reference = signature.reference { members.append(("reference", .text(reference))) }
    if let document = signature.document { members.append(("document", document.json)) }
    if let sealed = signature.sealed {
      let files = sealed.map { file in
        JSONValue.object([("name", .text(file.name)), ("size", .integer(file.bytes.count))])
      }
      members.append(("sealed", .array(files)))
    }
    var bytes = JSONValue.object(members).bytes() + [UInt8(ascii: "\n")] + signature.png
    for file in signature.sealed ?? [] { bytes += file.bytes }
    return bytes + StrokeRecords.bytes(of: signature.strokes)
  }

  /// Returns nil for bytes that no pad has written.
  static func decode(_ bytes: ArraySlice<UInt8>) -> SavedSignature? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let value = try? JSONValue.parse(
        Array(bytes[..<end]), limits: .init(size: headerLimit, depth: 6)),
      let id = value["id"]?.text, let digest = value["digest"]?.text,
      let time = value["time"]?.integer, let width = pixels(value["width"]),
      let height = pixels(value["height"]), let dpi = value["dpi"]?.real,
      let glass = glass(value["glass"]),
      let count = value["png"]?.integer, (0...Int64(bytes.endIndex - end - 1)).contains(count)
    else { return nil }
    let png = bytes[(end + 1)...].prefix(Int(count))
    var rest = bytes[png.endIndex...]
    var sealed: [SavedSignature.SealedFile]?
    if let files = value["sealed"]?.elements {
      guard let found = takeSealed(files, from: &rest) else { return nil }
      sealed = found
    }
    var signature = SavedSignature(
      id: id, digest: digest, time: time, reference: value["reference"]?.text,
      width: width, height: height, dpi: dpi, png: Array(png),
      glass: glass, strokes: StrokeRecords.strokes(rest))
    // Keeps a signature whose document cannot be read, without the document. If its identity were
    // lost, the signature would be published twice.
    signature.document = value["document"].flatMap { ShownDocument($0) }
    signature.sealed = sealed
    return signature
  }

  /// The sealed files at the begin of `bytes`, which are taken away.
  private static func takeSealed(
    _ files: [JSONValue], from bytes: inout ArraySlice<UInt8>
  ) -> [SavedSignature.SealedFile]? {
    var sealed: [SavedSignature.SealedFile] = []
    for file in files {
      guard let name = file["name"]?.text, ItemFile(rawValue: name)?.isSealed == true,
        let size = file["size"]?.integer, (0...Int64(bytes.count)).contains(size)
      else { return nil }
      sealed.append(.init(name: name, bytes: Array(bytes.prefix(Int(size)))))
      bytes = bytes.dropFirst(Int(size))
    }
    return sealed
  }

  private static func pixels(_ value: JSONValue?) -> Int? {
    guard let count = value?.integer, (1...Int64(InkPicture.pixelLimit)).contains(count) else {
      return nil
    }
    return Int(count)
  }

  private static func glass(_ value: JSONValue?) -> Point? {
    guard let x = value?[0]?.real, let y = value?[1]?.real else { return nil }
    let glass = Point(Float(x), Float(y))
    return glass.x > 0 && glass.y > 0 && glass.x.isFinite && glass.y.isFinite ? glass : nil
  }
}
