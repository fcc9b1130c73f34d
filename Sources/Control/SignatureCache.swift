internal import Ink
internal import JSON
internal import Linux
internal import Nettle
internal import Spool

/// The last signatures, which clients can still get, with the files that were encoded for replies.
struct SignatureCache {
  /// Whether the client of a signature has it.
  private enum Delivery: Equatable {
    /// The client has read its reply, or no client waits.
    case done
    /// A reply is on its way to this client.
    case sent(to: Int)
    /// The reply was cut off by a crash or by the client's end: the next request with the same reference gets it.
    case open
  }

  private struct Entry {
    let signature: SavedSignature
    var expiry: Int64
    var delivery: Delivery
    /// The members of the interface's type `Signature`, each encoded once: encoding takes milliseconds, and
    /// clients may ask repeatedly. Empty if the file cannot be drawn.
    var files: [(format: SignatureFormat, member: [UInt8])] = []
    /// The same of the sealed files.
    var sealed: [(name: String, object: [UInt8])] = []
  }

  /// How long a signature stays available, in nanoseconds.
  static let lifetime: Int64 = 60_000_000_000
  /// The number of signatures kept.
  static let capacity = 4

  private var entries: [Entry] = []
  /// Draws a signature as SVG or InkML; nil if that fails.
  private let draw: (SavedSignature, SignatureFormat) -> [UInt8]?

  init(draw: @escaping (SavedSignature, SignatureFormat) -> [UInt8]?) { self.draw = draw }

  /// The signatures, oldest first.
  var signatures: [SavedSignature] { entries.map { $0.signature } }

  /// When `expire(at:)` must be called; nil: never.
  var deadline: Int64? { entries.map { $0.expiry }.min() }

  private func place(of id: String) -> Int? { entries.firstIndex { $0.signature.id == id } }

  /// Adds a signature that is sent to a client, or that the next request with its reference gets (`isOpen`).
  ///
  /// A full cache discards the oldest delivered signature, or the oldest of all.
  mutating func add(
    _ signature: SavedSignature, sentTo client: Int?, isOpen: Bool, at now: Int64
  ) {
    if entries.count >= SignatureCache.capacity {
      entries.remove(at: entries.firstIndex { $0.delivery == .done } ?? 0)
    }
    let delivery: Delivery = client.map { .sent(to: $0) } ?? (isOpen ? .open : .done)
    entries.append(
      Entry(signature: signature, expiry: now + SignatureCache.lifetime, delivery: delivery))
  }

  /// Assigns the undelivered signature with this reference and document to a client; returns its identity.
  ///
  /// - Parameter document: The digest of the document; nil: no document.
  mutating func claim(
    reference: String?, document: String?, for client: Int, at now: Int64
  ) -> String? {
    guard let reference,
      let place = entries.firstIndex(where: {
        $0.delivery != .done && $0.signature.reference == reference
          && $0.signature.document?.digest == document
      })
    else { return nil }
    entries[place].delivery = .sent(to: client)
    entries[place].expiry = now + SignatureCache.lifetime
    return entries[place].signature.id
  }

  /// Records that a client has read its reply. Returns false if the signature was not sent to this client.
  mutating func wasRead(_ id: String, by client: Int) -> Bool {
    guard let place = place(of: id), entries[place].delivery == .sent(to: client) else {
      return false
    }
    entries[place].delivery = .done
    return true
  }

  /// Makes the signatures that a disconnected client has not read available to the next request.
  mutating func disconnected(_ client: Int, at now: Int64) {
    for place in entries.indices where entries[place].delivery == .sent(to: client) {
      entries[place].delivery = .open
      entries[place].expiry = now + SignatureCache.lifetime
    }
  }

  /// Removes expired signatures. Returns the identities of those that no client has read.
  mutating func expire(at now: Int64) -> [String] {
    let unread = entries.filter { $0.expiry <= now && $0.delivery != .done }
    entries.removeAll { $0.expiry <= now }
    return unread.map { $0.signature.id }
  }

  /// A reply with `members` and the signature in these formats; nil if there is no such signature.
  mutating func reply(
    _ members: [(String, JSONValue)], _ id: String, _ formats: [SignatureFormat]
  ) -> SignatureReply? {
    guard let place = place(of: id) else { return nil }
    let order: [SignatureFormat] = [.png, .svg, .inkml, .strokes]
    var pieces = [SignatureCache.head(of: entries[place].signature)]
    let sealed = entries[place].signature.sealed
    for format in order where formats.contains(format) {
      // A pad that seals gives out no ink but a plain picture.
      if format == .png || sealed == nil { pieces.append(member(format, place)) }
    }
    if let sealed {
      let wanted = order.filter { format in
        formats.contains(format) && sealed.contains { $0.name == format.file.sealed.name }
      }
      pieces.append(Array(",\"sealed\":[".utf8))
      for (index, format) in wanted.enumerated() {
        if index > 0 { pieces.append([UInt8(ascii: ",")]) }
        pieces.append(sealedFile(format, place))
      }
      pieces.append([UInt8(ascii: "]")])
    }
    return SignatureReply(members, signature: pieces + [[UInt8(ascii: "}")]])
  }

  /// All members but the files, without the object's end.
  private static func head(of signature: SavedSignature) -> [UInt8] {
    var members: [(String, JSONValue)] = [
      ("id", .text(signature.id)), ("digest", .text(signature.digest)),
      ("time", .text(WallClock.text(signature.time))),
    ]
    if let reference = signature.reference { members.append(("reference", .text(reference))) }
    members += [
      ("width", .integer(signature.width)), ("height", .integer(signature.height)),
      ("dpi", .real(signature.dpi)),
    ]
    if let document = signature.document { members.append(("document", document.json)) }
    return JSONValue.object(members).bytes(digits: 9).dropLast()
  }

  private mutating func member(_ format: SignatureFormat, _ place: Int) -> [UInt8] {
    if let known = entries[place].files.first(where: { $0.format == format }) {
      return known.member
    }
    let signature = entries[place].signature
    let value: [UInt8]? =
      switch format {
      case .png: signature.png.isEmpty ? nil : signature.png.base64
      case .svg, .inkml: draw(signature, format).map { $0.base64 }
      case .strokes: SignatureCache.json(signature.strokes).bytes(digits: 9)
      }
    let member = value.map { ",\"\(format.rawValue)\":".utf8 + $0 } ?? []
    entries[place].files.append((format, member))
    return member
  }

  /// A sealed file as an object of the interface, encoded once.
  private mutating func sealedFile(_ format: SignatureFormat, _ place: Int) -> [UInt8] {
    let name = format.file.sealed.name
    if let known = entries[place].sealed.first(where: { $0.name == name }) { return known.object }
    let file = entries[place].signature.sealed?.first { $0.name == name }
    let object =
      Array("{\"name\":\"\(name)\",\"content\":".utf8) + (file?.bytes ?? []).base64
      + [UInt8(ascii: "}")]
    entries[place].sealed.append((name, object))
    return object
  }

  private static func json(_ strokes: [Stroke]) -> JSONValue {
    let start = strokes.first?.samples.first?.time ?? 0
    return .array(
      strokes.map { stroke in
        var members: [(String, JSONValue)] = [
          ("samples", .array(stroke.samples.map { $0.json(since: start) }))
        ]
        if !stroke.gaps.isEmpty {
          members.append(("gaps", .array(stroke.gaps.map { .integer($0) })))
        }
        return .object(members)
      })
  }
}

/// A reply with a signature or a screenshot, in pieces that replies share: a file is encoded and stored once.
public struct SignatureReply: Equatable, Sendable {
  /// Their concatenation is the reply with its NUL.
  let pieces: [[UInt8]]

  /// - Parameter signature: The JSON object, in pieces.
  init(_ members: [(String, JSONValue)], signature: [[UInt8]]) {
    var head = Array(#"{"parameters":"#.utf8)
    head += JSONValue.object(members).bytes(digits: 9).dropLast()
    if !members.isEmpty { head.append(UInt8(ascii: ",")) }
    head += #""signature":"#.utf8
    pieces = [head] + signature + ["}}".utf8 + [0]]
  }

  /// A reply with a screenshot, a PNG.
  init(screenshot png: [UInt8]) {
    pieces = [#"{"parameters":{"png":"#.utf8 + png.base64 + "}}".utf8 + [0]]
  }

  /// The reply in one piece.
  var bytes: [UInt8] { pieces.flatMap { $0 } }
}

extension [UInt8] {
  /// A JSON string with these bytes in Base64 (RFC 4648, 4).
  fileprivate var base64: [UInt8] {
    let quote = [UInt8(ascii: "\"")]
    return quote + Base64.letters(of: self) + quote
  }
}
