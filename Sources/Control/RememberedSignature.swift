internal import JSON
internal import Linux

/// A signature that programs can still get, with the files that they have asked for.
struct RememberedSignature {
  /// Whether the program that asked for it has it.
  enum Claim: Equatable {
    /// It has read its reply, or nobody waits for it.
    case settled
    /// A reply is on the way to this client.
    case sent(to: Int)
    /// The next client that asks with its reference gets it: a crash, or its client's end, has cut off the reply.
    case open
  }

  let signature: SavedSignature
  var until: Int64
  var claim: Claim
  /// The members of the interface's type, coded once each: drawing takes milliseconds, and a client may ask
  /// for them without end. Empty where there is no such file.
  private var files: [(format: SignatureFormat, member: [UInt8])] = []

  init(_ signature: SavedSignature, until: Int64, _ claim: Claim) {
    self.signature = signature
    self.until = until
    self.claim = claim
  }

  /// As the interface has it, with the formats that were asked for; `draw` as in `ControlServer`.
  mutating func pieces(
    _ formats: [SignatureFormat], _ draw: (SavedSignature, SignatureFormat) -> [UInt8]?
  ) -> [[UInt8]] {
    let order: [SignatureFormat] = [.png, .svg, .inkml, .strokes]
    let wanted = order.filter { formats.contains($0) }
    return [head] + wanted.map { member($0, draw) } + [[UInt8(ascii: "}")]]
  }

  /// Everything but the files, without the object's end.
  private var head: [UInt8] {
    var members: [(String, JSONValue)] = [
      ("id", .text(signature.id)), ("digest", .text(signature.digest)),
      ("time", .text(WallClock.text(signature.time))),
    ]
    if let reference = signature.reference { members.append(("reference", .text(reference))) }
    members += [
      ("width", .integer(signature.width)), ("height", .integer(signature.height)),
      ("dpi", .real(signature.dpi)),
    ]
    return JSONValue.object(members).bytes(digits: 9).dropLast()
  }

  private mutating func member(
    _ format: SignatureFormat, _ draw: (SavedSignature, SignatureFormat) -> [UInt8]?
  ) -> [UInt8] {
    if let known = files.first(where: { $0.format == format }) { return known.member }
    let value: [UInt8]? =
      switch format {
      case .png: quoted(signature.png)
      case .svg, .inkml: draw(signature, format).map { quoted($0) }
      case .strokes: signature.strokesValue.bytes(digits: 9)
      }
    let member = value.map { Array(",\"\(format.rawValue)\":".utf8) + $0 } ?? []
    files.append((format, member))
    return member
  }

  private func quoted(_ file: [UInt8]) -> [UInt8] {
    let quote = [UInt8(ascii: "\"")]
    return quote + Base64.text(file) + quote
  }
}
