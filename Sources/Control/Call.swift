internal import JSON
internal import Linux
internal import Nettle
internal import Spool

/// The limits that config/org.paraph.Pad.varlink states; a test compares them.
enum ControlLimits {
  /// The size of a message with its NUL, in bytes. The longest title and prompt take 29 kB if each of their bytes is
  /// escaped by six, which leaves room for four choices of 200 bytes or a reference of 1024, unescaped.
  static let message = 32 << 10
  /// The size of a reference, in bytes of UTF-8.
  static let reference = 1 << 10
  /// The size of a title, prompt or text, in bytes of UTF-8.
  static let text = 2400
  /// The size of a choice, in bytes of UTF-8.
  static let choice = 200
}

/// A method call of a client.
struct Call {
  /// Why a message is not a call.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// "org.paraph.Pad" of "org.paraph.Pad.Sign".
  let interface: String
  /// "Sign" of "org.paraph.Pad.Sign".
  let method: String
  let parameters: Parameters
  /// The client accepts several replies.
  let more: Bool
  /// The client wants no reply.
  let oneway: Bool
  /// The client wants to change the protocol.
  let upgrade: Bool

  init(_ bytes: [UInt8]) throws(Malformed) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes, limits: .init(size: ControlLimits.message, depth: 8))
    } catch { throw Malformed(reason: "invalid JSON: \(error.reason)") }
    guard value.isObject, let name = value["method"]?.text else {
      throw Malformed(reason: "no method")
    }
    let parameters = value["parameters"]
    guard parameters == nil || parameters?.isObject == true || parameters?.isNull == true else {
      throw Malformed(reason: "the parameters are not an object")
    }
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      throw Malformed(reason: "no interface before the method's name")
    }
    interface = String(decoding: name.utf8[..<dot], as: UTF8.self)
    method = String(decoding: name.utf8[dot...].dropFirst(), as: UTF8.self)
    self.parameters = Parameters(parameters)
    more = try Call.flag("more", value)
    oneway = try Call.flag("oneway", value)
    upgrade = try Call.flag("upgrade", value)
  }

  private static func flag(_ name: String, _ value: JSONValue) throws(Malformed) -> Bool {
    guard let flag = value[name], !flag.isNull else { return false }
    guard let flag = flag.flag else { throw Malformed(reason: "\(name) is neither true nor false") }
    return flag
  }
}

/// The parameters of a call, read by name.
struct Parameters {
  private let value: JSONValue?

  init(_ value: JSONValue?) { self.value = value?.isObject == true ? value : nil }

  /// Throws for a parameter that is not among `names`.
  func allow(_ names: [String]) throws(CallError) {
    for (name, _) in value?.members ?? [] where !names.contains(name) {
      throw .invalidParameter(name)
    }
  }

  private func present(_ name: String) -> JSONValue? {
    guard let member = value?[name], !member.isNull else { return nil }
    return member
  }

  /// A text of at most `limit` bytes.
  func text(_ name: String, limit: Int = ControlLimits.text) throws(CallError) -> String? {
    guard let member = present(name) else { return nil }
    guard let text = member.text, text.utf8.count <= limit else { throw .invalidParameter(name) }
    return text
  }

  /// A text that must be given.
  func requiredText(_ name: String, limit: Int = ControlLimits.text) throws(CallError) -> String {
    guard let text = try text(name, limit: limit) else { throw .invalidParameter(name) }
    return text
  }

  /// A reference: a text without control characters.
  func reference() throws(CallError) -> String? {
    guard let text = try text("reference", limit: ControlLimits.reference) else { return nil }
    guard !text.isEmpty, text.isPrintable else { throw .invalidParameter("reference") }
    return text
  }

  /// A language tag: letters, digits and hyphens; the first two are letters.
  func language() throws(CallError) -> String? {
    guard let text = try text("language", limit: 35) else { return nil }
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let isTag =
      text.utf8.count >= 2 && text.utf8.prefix(2).allSatisfy { isLetter($0) }
      && text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    guard isTag else { throw .invalidParameter("language") }
    return text
  }

  /// A duration in nanoseconds, given in seconds up to a day.
  func duration(_ name: String) throws(CallError) -> Int64? {
    guard let member = present(name) else { return nil }
    guard let seconds = member.real, seconds > 0, seconds <= 86400 else {
      throw .invalidParameter(name)
    }
    return Int64(seconds * 1_000_000_000)
  }

  func flag(_ name: String) throws(CallError) -> Bool {
    guard let member = present(name) else { return false }
    guard let flag = member.flag else { throw .invalidParameter(name) }
    return flag
  }

  /// A button of the pad.
  func button() throws(CallError) -> ControlRequest.Button {
    guard
      let button = ControlRequest.Button(rawValue: try requiredText("button", limit: 16))
    else { throw .invalidParameter("button") }
    return button
  }

  /// The formats of a signature; by default the picture.
  func formats() throws(CallError) -> [SignatureFormat] {
    guard let member = present("formats") else { return [.png] }
    guard let elements = member.elements, elements.count <= 16 else {
      throw .invalidParameter("formats")
    }
    var formats: [SignatureFormat] = []
    for element in elements {
      guard let format = element.text.flatMap({ SignatureFormat(rawValue: $0) }) else {
        throw .invalidParameter("formats")
      }
      formats.append(format)
    }
    return formats
  }

  /// The request of a call of Sign.
  func signature(number: Int64, of client: Int) throws(CallError) -> PadRequest {
    try allow([
      "reference", "title", "prompt", "language", "time_limit", "cancellable", "formats",
      "document", "token",
    ])
    var request = PadRequest(.signature, number: number)
    request.reference = try reference()
    request.title = try text("title")
    request.text = try text("prompt")
    request.language = try language()
    request.timeLimit = try duration("time_limit")
    request.hasButton = try flag("cancellable")
    request.document = try present("document").map { (member) throws(CallError) in
      guard member.isObject else { throw .invalidParameter("document") }
      return try Parameters(member).document(of: client)
    }
    return request
  }

  /// The members of the interface's type `Document`.
  private func document(of client: Int) throws(CallError) -> RequestDocument {
    try allow(["id", "name", "digest", "pages", "early"])
    let name = try requiredText("name", limit: ShownDocument.nameLimit)
    guard !BlankText.isBlank(name), name.isPrintable else { throw .invalidParameter("name") }
    let digest = try requiredText("digest", limit: 64)
    guard SHA256.isDigest(digest) else { throw .invalidParameter("digest") }
    var document = RequestDocument(
      client: client, id: try documentID("id"), name: name, digest: digest,
      count: try pageNumber("pages"))
    document.isEarly = try flag("early")
    return document
  }

  /// 1 to 64 letters, digits, hyphens, underscores and dots.
  private func documentID(_ name: String) throws(CallError) -> String {
    let text = try requiredText(name, limit: 64)
    let isID = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isID, !text.isEmpty else { throw .invalidParameter(name) }
    return text
  }

  /// The number of a page, or of pages, from 1.
  private func pageNumber(_ name: String) throws(CallError) -> Int {
    guard let number = present(name)?.integer, number >= 1, let page = Int(exactly: number) else {
      throw .invalidParameter(name)
    }
    let limit = RequestDocument.pageLimit
    if page > limit {
      throw .badDocument(DocumentProblem(page: page, "a document has at most \(limit) pages"))
    }
    return page
  }

  /// The part of a call of PutPage.
  func pagePart(of client: Int) throws(CallError) -> PagePart {
    try allow(["document", "number", "offset", "data"])
    let document = try documentID("document")
    let number = try pageNumber("number")
    guard let offset = present("offset")?.integer, (0...Int64(Int32.max)).contains(offset) else {
      throw .invalidParameter("offset")
    }
    guard let text = present("data")?.text, let bytes = Base64.bytes(of: text), !bytes.isEmpty,
      bytes.count <= PagePart.sizeLimit
    else { throw .invalidParameter("data") }
    return PagePart(
      client: client, document: document, number: number, offset: Int(offset), bytes: bytes)
  }

  /// The request of a call of Show.
  func message(number: Int64) throws(CallError) -> PadRequest {
    try allow(["title", "text", "language", "time_limit", "button"])
    var request = PadRequest(.message, number: number)
    request.title = try text("title")
    request.text = try text("text")
    request.language = try language()
    request.timeLimit = try duration("time_limit") ?? 5_000_000_000
    request.hasButton = try flag("button")
    return request
  }
}

extension Parameters {
  /// The request of a call of Ask.
  func question(number: Int64) throws(CallError) -> PadRequest {
    try allow(["title", "text", "choices", "language", "time_limit"])
    var request = PadRequest(.question, number: number)
    request.title = try text("title")
    request.text = try requiredText("text")
    request.choices = try choices()
    request.language = try language()
    request.timeLimit = try duration("time_limit")
    return request
  }

  /// Two to four texts that are not blank.
  private func choices() throws(CallError) -> [String] {
    guard let elements = value?["choices"]?.elements, (2...4).contains(elements.count) else {
      throw .invalidParameter("choices")
    }
    var choices: [String] = []
    for element in elements {
      guard let text = element.text, text.utf8.count <= ControlLimits.choice,
        !BlankText.isBlank(text)
      else { throw .invalidParameter("choices") }
      choices.append(text)
    }
    return choices
  }
}

/// A Varlink error, the answer to a call that fails.
enum CallError: Error, Equatable {
  case interfaceNotFound(String)
  case methodNotFound(String)
  case invalidParameter(String)
  /// The text of a parameter does not fit the panel; `limit` code points of it do.
  case tooLong(String, limit: Int)
  case badDocument(DocumentProblem)
  case permissionDenied
  case expectedMore
  case busy
  case outOfService(String)
  case noRequest
  case noSuchSignature(String)
  case strokesNotAllowed
  case pressNotAllowed
  case notEnabled
  case notShared
  case invalidMessage(String)

  var name: String {
    switch self {
    case .interfaceNotFound: "org.varlink.service.InterfaceNotFound"
    case .methodNotFound: "org.varlink.service.MethodNotFound"
    case .invalidParameter, .tooLong: "org.varlink.service.InvalidParameter"
    case .badDocument: "org.paraph.Pad.BadDocument"
    case .permissionDenied: "org.varlink.service.PermissionDenied"
    case .expectedMore: "org.varlink.service.ExpectedMore"
    case .busy: "org.paraph.Pad.Busy"
    case .outOfService: "org.paraph.Pad.OutOfService"
    case .noRequest: "org.paraph.Pad.NoRequest"
    case .noSuchSignature: "org.paraph.Pad.NoSuchSignature"
    case .strokesNotAllowed: "org.paraph.Pad.StrokesNotAllowed"
    case .pressNotAllowed: "org.paraph.Pad.PressNotAllowed"
    case .notEnabled: "org.paraph.Pad.NotEnabled"
    case .notShared: "org.paraph.Pad.NotShared"
    case .invalidMessage: "org.paraph.Pad.InvalidMessage"
    }
  }

  var parameters: [(String, JSONValue)] {
    switch self {
    case .interfaceNotFound(let name): [("interface", .text(name))]
    case .methodNotFound(let name): [("method", .text(name))]
    case .invalidParameter(let name): [("parameter", .text(name))]
    case .tooLong(let name, let limit): [("parameter", .text(name)), ("limit", .integer(limit))]
    case .outOfService(let reason), .invalidMessage(let reason): [("reason", .text(reason))]
    case .badDocument(let problem):
      (problem.page.map { [("page", .integer($0))] } ?? []) + [("reason", .text(problem.reason))]
        + (problem.isLost ? [("lost", .flag(true))] : [])
    case .noSuchSignature(let id): [("id", .text(id))]
    case .permissionDenied, .expectedMore, .busy, .noRequest, .strokesNotAllowed, .pressNotAllowed,
      .notEnabled, .notShared:
      []
    }
  }
}
