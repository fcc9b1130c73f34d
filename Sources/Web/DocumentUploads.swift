internal import JSON
internal import Nettle

/// The documents that clients upload before they ask for a signature, each over a connection of its own to the pad, which
/// discards the document at the connection's end.
///
///     page ──▶ waiting ──sign──▶ the request's, which ends the connection
///                 └──60 s unused, 60 s without an answer of the pad,
///                    5 s after a broken upload, too many others──▶ discarded
///
/// A body is passed on in parts: the next one is taken when the pad has the last one. A response may come before the end
/// of the body, whose rest is discarded.
struct DocumentUploads {
  /// An action of the service after an input.
  enum Action {
    case respond(Int, WebResponse)
    /// Take the next part from a client.
    case proceed(Int)
    /// Call PutPage over the connection with this number.
    case call(Int, [(String, JSONValue)])
    /// Close a connection.
    case hangUp(Int)
  }

  private var documents: [WaitingDocument] = []

  /// When `time(_:)` must be called; nil: never.
  var deadline: Int64? { documents.compactMap { $0.deadline }.min() }
  /// Whether no document waits.
  var isEmpty: Bool { documents.isEmpty }
  /// Whether another page may be uploaded.
  var hasRoom: Bool { documents.reduce(0) { $0 + $1.uploads.count } < WebLimits.calls }

  /// Whether this is the connection of a document.
  func has(connection: Int) -> Bool { documents.contains { $0.connection == connection } }

  // MARK: - Clients

  /// Begins the upload of a page.
  ///
  /// - Parameter connection: The number for a new connection.
  mutating func begin(
    _ page: Int, of id: String, isText: Bool, owner: Owner, by client: Int, connection: Int,
    at now: Int64
  ) -> [Action] {
    var actions: [Action] = []
    if !documents.contains(where: { $0.owner == owner && $0.id == id }) {
      documents.append(
        WaitingDocument(owner: owner, id: id, connection: connection, lastUse: now, end: now))
    }
    guard let place = documents.firstIndex(where: { $0.owner == owner && $0.id == id }) else {
      return actions
    }
    // A client may repeat an upload before the server notices the end of its previous connection.
    if let former = documents[place].uploads.firstIndex(where: { $0.page == page }) {
      let upload = documents[place].uploads.remove(at: former)
      actions.append(.respond(upload.client, DocumentUploads.superseded))
    }
    documents[place].uploads.append(
      WaitingDocument.Upload(client: client, page: page, isText: isText))
    touch(place, now, WebLimits.retention)
    return actions
  }

  /// Takes a part of a client's page; an empty one ends it.
  ///
  /// Room is made with the first valid part: headers alone displace no other document.
  mutating func take(
    _ part: [UInt8], isLast: Bool, from client: Int, at now: Int64
  ) -> [Action] {
    guard var (place, index) = find(client) else { return [] }
    let upload = documents[place].uploads[index]
    if upload.offset + part.count > WebLimits.page {
      return end(place, index, Problem.tooLarge(WebLimits.page).response)
    }
    if upload.offset == 0, let reason = DocumentUploads.refusal(of: part, upload) {
      return end(place, index, Problem.badDocument(upload.page, reason).response)
    }
    if part.isEmpty { return end(place, index, DocumentUploads.outcome(of: upload)) }
    var actions: [Action] = []
    if !documents[place].isSent {
      actions = makeRoom(for: documents[place].owner)
      // The places have changed.
      guard let found = find(client) else { return actions }
      (place, index) = found
    }
    documents[place].uploads[index].part = part
    documents[place].uploads[index].isLast = isLast
    touch(place, now, WebLimits.retention)
    return actions + send(place, now)
  }

  /// A client has disconnected. It may repeat the upload.
  mutating func disconnected(_ client: Int, at now: Int64) {
    guard let (place, index) = find(client) else { return }
    documents[place].uploads.remove(at: index)
    touch(place, now, WebLimits.grace)
    removeIfEmpty(place)
  }

  /// Hands a document's connection over to the request that names it. Returns nil if there is no
  /// such document; the pad reports that.
  ///
  /// Throws while a page is being uploaded.
  mutating func claim(_ id: String, owner: Owner) throws(Problem) -> Int? {
    guard let place = documents.firstIndex(where: { $0.owner == owner && $0.id == id }) else {
      return nil
    }
    let document = documents[place]
    if document.pending != nil || !document.uploads.isEmpty {
      throw .badDocument(document.uploads.map { $0.page }.min(), "the page is still being uploaded")
    }
    return documents.remove(at: place).connection
  }

  // MARK: - The pad

  /// The pad has kept a part.
  mutating func replied(_ connection: Int, at now: Int64) -> [Action] {
    guard let place = documents.firstIndex(where: { $0.connection == connection }) else {
      return []
    }
    documents[place].lastUse = now
    if !documents[place].uploads.isEmpty { documents[place].end = now + WebLimits.retention }
    return answered(place, now) { upload in
      upload.advance()
      return upload.isLast ? DocumentUploads.outcome(of: upload) : nil
    }
  }

  /// The pad has refused a part.
  mutating func refused(_ connection: Int, _ problem: Problem, at now: Int64) -> [Action] {
    guard let place = documents.firstIndex(where: { $0.connection == connection }) else {
      return []
    }
    return answered(place, now) { _ in problem.response }
  }

  /// The connection of a document has failed.
  mutating func failed(_ connection: Int, _ problem: Problem) -> [Action] {
    guard let place = documents.firstIndex(where: { $0.connection == connection }) else {
      return []
    }
    return documents.remove(at: place).uploads.map { .respond($0.client, problem.response) }
  }

  // MARK: - Time

  /// Discards the documents that were not used, or whose part the pad has not answered, for too long at `now`.
  mutating func time(_ now: Int64) -> [Action] {
    func isOver(_ document: WaitingDocument) -> Bool {
      document.deadline.map { $0 <= now } ?? false
    }
    let over = documents.filter(isOver)
    documents.removeAll(where: isOver)
    return over.flatMap { document in
      [.hangUp(document.connection)]
        + document.uploads.map { .respond($0.client, Problem.unanswered.response) }
    }
  }

  /// Begins the time anew for which a document waits.
  private mutating func touch(_ place: Int, _ now: Int64, _ limit: Int64) {
    documents[place].lastUse = now
    documents[place].end = now + limit
  }

  // MARK: - Parts

  private func find(_ client: Int) -> (place: Int, index: Int)? {
    for (place, document) in documents.enumerated() {
      if let index = document.uploads.firstIndex(where: { $0.client == client }) {
        return (place, index)
      }
    }
    return nil
  }

  /// Sends the pad the next part, one at a time.
  private mutating func send(_ place: Int, _ now: Int64) -> [Action] {
    let document = documents[place]
    guard document.pending == nil, let upload = document.uploads.first(where: { $0.part != nil }),
      let part = upload.part
    else { return [] }
    documents[place].isSent = true
    documents[place].pending = WaitingDocument.Pending(
      client: upload.client, end: now + WebLimits.answer)
    return [
      .call(
        document.connection,
        [
          ("document", .text(document.id)), ("number", .integer(upload.page)),
          ("offset", .integer(upload.offset)),
          ("data", .text(String(decoding: Base64.letters(of: part), as: UTF8.self))),
        ])
    ]
  }

  /// Handles the pad's answer to a part. `update` returns the response to the client; nil: there are more parts.
  private mutating func answered(
    _ place: Int, _ now: Int64, _ update: (inout WaitingDocument.Upload) -> WebResponse?
  ) -> [Action] {
    let client = documents[place].pending?.client
    documents[place].pending = nil
    guard let index = documents[place].uploads.firstIndex(where: { $0.client == client }) else {
      return send(place, now)
    }
    let upload = documents[place].uploads[index]
    // Moves the upload to the end, so that other clients of this document come first.
    var updated = documents[place].uploads.remove(at: index)
    if let response = update(&updated) {
      return [.respond(upload.client, response)] + send(place, now)
    }
    documents[place].uploads.append(updated)
    return send(place, now) + [.proceed(upload.client)]
  }

  /// Ends an upload without the pad.
  private mutating func end(_ place: Int, _ index: Int, _ response: WebResponse) -> [Action] {
    let upload = documents[place].uploads.remove(at: index)
    removeIfEmpty(place)
    return [.respond(upload.client, response)]
  }

  /// Removes a document of which the pad has no part, and that no client uploads.
  private mutating func removeIfEmpty(_ place: Int) {
    if !documents[place].isSent && documents[place].uploads.isEmpty { documents.remove(at: place) }
  }

  /// Why the beginning of a page is not what the client has announced: the pad knows no media types.
  private static func refusal(of part: [UInt8], _ upload: WaitingDocument.Upload) -> String? {
    guard let first = part.first else { return "the page is empty" }
    // The first byte of a PNG (W3C PNG, 5.2) is none of UTF-8.
    let isText = first != 0x89
    if upload.isText && upload.page > 1 { return "a text is page 1" }
    return isText == upload.isText ? nil : upload.isText ? "not a text" : "not a PNG"
  }

  /// The response to a page whose parts the pad has accepted.
  ///
  /// The pad keeps an incomplete page until the client uploads it again, or the document ends. It
  /// does the same after a client has disconnected.
  private static func outcome(of upload: WaitingDocument.Upload) -> WebResponse {
    upload.isComplete
      ? .noContent : Problem.badDocument(upload.page, "the page is incomplete").response
  }

  private static var superseded: WebResponse {
    Problem("Superseded", 409, "another upload has replaced this one").response
  }

  // MARK: - Room

  /// Discards a document if the pad has as many as allowed: the one that has been unused for longest, of the owner with
  /// the most.
  private mutating func makeRoom(for owner: Owner) -> [Action] {
    let sent = documents.indices.filter { documents[$0].isSent }
    if sent.count < WebLimits.documents { return [] }
    func count(_ other: Owner) -> Int {
      sent.count { documents[$0].owner == other } + (other == owner ? 1 : 0)
    }
    let most = sent.map { count(documents[$0].owner) }.max() ?? 0
    let candidates = sent.filter { count(documents[$0].owner) == most }
    guard let place = candidates.min(by: { documents[$0].lastUse < documents[$1].lastUse }) else {
      return []
    }
    let document = documents.remove(at: place)
    return [.hangUp(document.connection)]
      + document.uploads.map { .respond($0.client, DocumentUploads.displaced) }
  }

  private static var displaced: WebResponse {
    Problem("TooManyDocuments", 409, "too many documents wait for a signature").response
  }
}
