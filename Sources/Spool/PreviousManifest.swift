internal import JSON
internal import Nettle

/// A manifest of this pad, named by its number and its digest.
public struct ManifestDigest: Equatable, Sendable {
  /// Its sequence.
  public var sequence: Int64
  /// The SHA-256 of signature.json, as 64 lower-case hexadecimal digits.
  public var sha256: String

  /// A manifest of this sequence and digest.
  public init(sequence: Int64, sha256: String) { (self.sequence, self.sha256) = (sequence, sha256) }

  var members: [(String, JSONValue)] {
    [("sequence", .integer(sequence)), ("sha256", .text(sha256))]
  }

  /// Parses `members` from an untrusted file.
  init?(_ json: JSONValue) {
    guard let sequence = json["sequence"]?.integer, (1...(1 << 53)).contains(sequence),
      let sha256 = json["sha256"]?.text, SHA256.isDigest(sha256)
    else { return nil }
    self.init(sequence: sequence, sha256: sha256)
  }
}

/// The signature before this one, so that it is noticed if somebody removes it.
///
/// The numbers between both were given to signatures that the pad has not confirmed as saved.
public enum PreviousManifest: Equatable, Sendable {
  /// The pad knew none: the chain begins.
  case none
  /// The last one that the pad knows. Interrupted: it does not know what became of the numbers in between, because its
  /// power was cut, or its records are lost.
  case manifest(ManifestDigest, isInterrupted: Bool)

  /// The manifest; nil: none.
  public var manifest: ManifestDigest? {
    switch self {
    case .none: nil
    case .manifest(let manifest, _): manifest
    }
  }

  /// The member `previous`.
  var json: JSONValue {
    switch self {
    case .none: .null
    case .manifest(let manifest, let isInterrupted):
      .object(manifest.members + (isInterrupted ? [("interrupted", .flag(true))] : []))
    }
  }

  /// Parses what `json` returns, from an untrusted file; nil if it is something else, or not before `sequence`.
  init?(_ json: JSONValue, before sequence: Int64) {
    if json.isNull {
      self = .none
      return
    }
    guard let manifest = ManifestDigest(json), manifest.sequence < sequence else { return nil }
    self = .manifest(manifest, isInterrupted: json["interrupted"]?.flag == true)
  }
}

/// A signature that was erased on request: no personal data is left of it.
public struct ErasedManifest: Equatable, Sendable {
  /// Its sequence and digest.
  public var manifest: ManifestDigest
  /// When it was erased by the pad's clock, as RFC 3339 in UTC.
  public var time: String
  /// What its manifest said about the one before it; nil: nothing.
  public var previous: PreviousManifest?

  /// How many of them a manifest has at most. The next one has the others.
  public static let limit = 32

  /// An erased signature.
  public init(_ manifest: ManifestDigest, time: String, previous: PreviousManifest?) {
    (self.manifest, self.time, self.previous) = (manifest, time, previous)
  }

  /// An element of the member `erased`.
  var json: JSONValue {
    let time = [("time", JSONValue.text(time))]
    return .object(manifest.members + time + (previous.map { [("previous", $0.json)] } ?? []))
  }

  /// Parses what `json` returns, from an untrusted file; nil if it is something else.
  init?(_ json: JSONValue) {
    guard let manifest = ManifestDigest(json), let time = json["time"]?.text,
      Manifest.isTime(time)
    else { return nil }
    var previous: PreviousManifest?
    if let member = json["previous"] {
      previous = PreviousManifest(member, before: manifest.sequence)
      if previous == nil { return nil }
    }
    self.init(manifest, time: time, previous: previous)
  }

  // MARK: - As a name

  /// The name of its record: number, digest and time, and those of the manifest before it; separated by underscores.
  var name: String {
    let own = "\(manifest.sequence)_\(manifest.sha256)_\(time)"
    switch previous {
    case nil: return own
    case .some(.none): return own + "_0"
    case .manifest(let previous, let isInterrupted):
      return own + "_\(previous.sequence)_\(previous.sha256)" + (isInterrupted ? "_i" : "")
    }
  }

  /// Parses a name, which is untrusted; nil for any other.
  init?(name: String) {
    let parts = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard (3...6).contains(parts.count), let manifest = Self.manifest(parts[0], parts[1]),
      Manifest.isTime(parts[2])
    else { return nil }
    var previous: PreviousManifest?
    switch parts.count {
    case 3: break
    case 4:
      guard parts[3] == "0" else { return nil }
      previous = PreviousManifest.none
    default:
      guard let earlier = Self.manifest(parts[3], parts[4]), earlier.sequence < manifest.sequence,
        parts.count == 5 || parts[5] == "i"
      else { return nil }
      previous = .manifest(earlier, isInterrupted: parts.count == 6)
    }
    self.init(manifest, time: parts[2], previous: previous)
  }

  private static func manifest(_ number: String, _ digest: String) -> ManifestDigest? {
    guard let sequence = Self.number(number), (1...(1 << 53)).contains(sequence),
      SHA256.isDigest(digest)
    else { return nil }
    return ManifestDigest(sequence: sequence, sha256: digest)
  }

  private static func number(_ text: String) -> Int64? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ digits.contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}
