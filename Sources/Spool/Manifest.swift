internal import CLinux
internal import JSON
internal import Linux
internal import Nettle

/// The metadata of a signature: the file signature.json.
public struct Manifest: Equatable, Sendable {
  /// The name of the item's folder. Receivers recognise repeated deliveries by it.
  public var id: ItemID
  /// The position in the order of signing, independent of clocks.
  public var sequence: Int64
  /// The time of signing by the device's clock, as RFC 3339 in UTC.
  public var time: String
  /// Whether that clock was synchronised. A board without a battery starts in 1970.
  public var clockSynchronized: Bool
  /// The client's reference of the document.
  public var reference: String?
  /// The title that was shown while signing.
  public var title: String?
  /// The text that was shown below the title.
  public var prompt: String?
  /// The name of the pad.
  public var device: String
  /// The name of its panel.
  public var panel: String
  /// The size of the picture, in pixels.
  public var width: Int, height: Int
  /// The resolution of the picture, in dots per inch.
  public var dpi: Double
  /// The number of strokes.
  public var strokes: Int
  /// The document that was shown before signing.
  public var document: ShownDocument?
  /// Who asked for the signature; nil: nobody, or a version that did not record it.
  public var requester: Requester?
  /// The name of the touchscreen; nil: unknown.
  public var touchscreen: String?
  /// The version of the program; nil: one that did not record it.
  public var version: String?
  /// The signature before this one on the pad; nil: a version that did not record it.
  public var previous: PreviousManifest?
  /// Signatures that were erased since the one before.
  public var erased: [ErasedManifest] = []
  /// The digests of the files beside the manifest.
  public var files: [File]

  /// A file beside the manifest.
  public struct File: Equatable, Sendable {
    /// Its kind.
    public var file: ItemFile
    /// Its SHA-256 as 64 lower-case hexadecimal digits.
    public var sha256: String
  }

  /// The name of the manifest's own file.
  public static let name = "signature.json"
  /// The name of the pad's signature of that file, which an item may have: detached CMS SignedData in DER.
  public static let signatureName = "signature.json.p7s"
  /// The limit of that signature, in bytes.
  static let signatureLimit = 64 << 10
  /// The name of the time stamp of that signature, which an item may have: TimeStampResp (RFC 3161) in DER.
  public static let timestampName = "signature.json.p7s.tsr"
  /// The name of the mark of an item that sinks may take without the time stamp, which is a line of text.
  public static let missingTimestampName = "signature.json.p7s.tsr.missing"
  /// The limits of both, in bytes.
  public static let timestampLimit = 64 << 10
  static let missingTimestampLimit = 1024
  /// The limit of the manifest, in bytes: the longest texts, all escaped, and a document of 1000 pages take 230 kB.
  static let sizeLimit = 256 << 10
  static let textLimit = 1024
  /// The limit of title and prompt, in bytes. A request's have 2400 at most; the catalogue's may be longer.
  static let shownTextLimit = 4096

  /// Whether this is a time in UTC with milliseconds, such as "2026-11-21T05:02:57.123Z".
  static func isTime(_ text: String) -> Bool {
    let pattern = "0000-00-00T00:00:00.000Z".utf8
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return text.utf8.count == pattern.count
      && zip(text.utf8, pattern).allSatisfy { byte, expected in
        digits.contains(expected) ? digits.contains(byte) : byte == expected
      }
  }

  /// The time of signing in seconds since 1970, also by a clock that was not synchronised.
  public var seconds: Int64? {
    let numbers = time.utf8.split(whereSeparator: { $0 < 0x30 || $0 > 0x39 })
      .compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 7 else { return nil }
    var parts = unsafe tm()
    unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
      numbers[0] &- 1900, numbers[1] &- 1, numbers[2]
    )
    unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    return unsafe Int64(timegm(&parts))
  }

  /// When it was signed by a synchronised clock, in nanoseconds since 1970; nil: unknown.
  ///
  /// The time in the id may be later: ids do not go back with a clock that was ahead and is set right.
  public var signingTime: Int64? {
    guard clockSynchronized, let seconds else { return nil }
    let (time, isTooLate) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLate ? nil : time
  }

  /// A title or prompt; nil if it exceeds the limit, because readers would refuse the item.
  static func shownText(_ text: String?) -> String? {
    text.flatMap { $0.utf8.count <= shownTextLimit ? $0 : nil }
  }

  /// A name; nil if it exceeds the limit.
  static func shortText(_ text: String?) -> String? {
    text.flatMap { $0.utf8.count <= textLimit ? $0 : nil }
  }
}

/// The files that an item can have beside its manifest.
///
/// A sealed file (`….cms`) takes the place of the file of the same name: CMS AuthEnvelopedData in DER.
public enum ItemFile: String, CaseIterable, Sendable {
  /// The picture, which every item has, plain or sealed.
  case png = "signature.png"
  /// The ink as outlines.
  case svg = "signature.svg"
  /// The strokes as W3C Ink Markup Language.
  case inkml = "signature.inkml"
  /// The samples as the panel reported them.
  case strokes = "strokes.json"
  /// The sealed picture.
  case sealedPNG = "signature.png.cms"
  /// The sealed outlines.
  case sealedSVG = "signature.svg.cms"
  /// The sealed Ink Markup Language.
  case sealedInkML = "signature.inkml.cms"
  /// The sealed samples.
  case sealedStrokes = "strokes.json.cms"

  /// The name in the item's folder.
  public var name: String { rawValue }

  /// The media type.
  public var mediaType: String {
    switch self {
    case .png: "image/png"
    case .svg: "image/svg+xml"
    case .inkml: "application/inkml+xml"
    case .strokes: "application/json"
    case .sealedPNG, .sealedSVG, .sealedInkML, .sealedStrokes: "application/cms"
    }
  }

  /// The sealed form of a plain file; a sealed file's is itself.
  public var sealed: ItemFile {
    switch self {
    case .png, .sealedPNG: .sealedPNG
    case .svg, .sealedSVG: .sealedSVG
    case .inkml, .sealedInkML: .sealedInkML
    case .strokes, .sealedStrokes: .sealedStrokes
    }
  }

  /// What a sealed file becomes when it is opened; a plain file's is itself.
  public var plain: ItemFile { Self.allCases.first { $0.sealed == sealed } ?? self }

  /// Whether this is a sealed file.
  public var isSealed: Bool { self == sealed }

  /// The limit of a file, in bytes. Ten minutes of samples at 240 Hz are 9 MB.
  public static let sizeLimit = 32 << 20
}

extension Manifest {
  /// The text of signature.json.
  public var bytes: [UInt8] {
    let files = files.map { ($0.file.name, JSONValue.text($0.sha256)) }
    var members: [(String, JSONValue)] = [
      ("id", .text(id.text)), ("sequence", .integer(sequence)), ("time", .text(time)),
      ("clock_synchronized", .flag(clockSynchronized)),
      ("reference", .text(reference)),
    ]
    if let title { members.append(("title", .text(title))) }
    if let prompt { members.append(("prompt", .text(prompt))) }
    if let document { members.append(("document", document.json)) }
    if let requester { members.append(("requester", requester.json)) }
    members += [("device", .text(device)), ("panel", .text(panel))]
    if let touchscreen { members.append(("touchscreen", .text(touchscreen))) }
    if let version { members.append(("version", .text(version))) }
    members += [
      ("width", .integer(width)), ("height", .integer(height)), ("dpi", .real(dpi)),
      ("strokes", .integer(strokes)),
    ]
    if let previous { members.append(("previous", previous.json)) }
    if !erased.isEmpty { members.append(("erased", .array(erased.map { $0.json }))) }
    members.append(("files", .object(files)))
    return JSONValue.object(members).bytes(.lines) + [UInt8(ascii: "\n")]
  }

  /// Parses signature.json, which is untrusted. Ignores unknown members, which a later version may write.
  public init(_ bytes: [UInt8]) throws(ValidationError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes, limits: .init(size: Self.sizeLimit, depth: 8))
    } catch { throw ValidationError("\(Manifest.name): \(error.text)") }
    let members = ManifestMembers(value: value)
    id = try members.id()
    sequence = try members.integer("sequence", 1...(1 << 53))
    time = try members.time()
    clockSynchronized = try members.flag("clock_synchronized")
    reference = try members.optionalText("reference", limit: Self.textLimit)
    title = try members.optionalText("title", limit: Self.shownTextLimit)
    prompt = try members.optionalText("prompt", limit: Self.shownTextLimit)
    device = try members.text("device", limit: Self.textLimit)
    panel = try members.text("panel", limit: Self.textLimit)
    width = Int(try members.integer("width", 1...100_000))
    height = Int(try members.integer("height", 1...100_000))
    dpi = try members.real("dpi", 1...100_000)
    strokes = Int(try members.integer("strokes", 0...1_000_000))
    document = try members.document()
    requester = try members.requester()
    touchscreen = try members.optionalText("touchscreen", limit: Self.textLimit)
    version = try members.optionalText("version", limit: Self.textLimit)
    previous = try members.previous(before: sequence)
    erased = try members.erased()
    files = try members.files()
  }
}

/// The members of a manifest. Errors contain their names, but never their content.
private struct ManifestMembers {
  let value: JSONValue

  func error(_ name: String, _ reason: String) -> ValidationError {
    ValidationError("\(Manifest.name): \(name) \(reason)")
  }

  func id() throws(ValidationError) -> ItemID {
    if let text = value["id"]?.text, let id = ItemID(text) { return id }
    throw error("id", "is not a UUID of version 7")
  }

  func integer(_ name: String, _ range: ClosedRange<Int64>) throws(ValidationError) -> Int64 {
    if let number = value[name]?.integer, range.contains(number) { return number }
    throw error(name, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
  }

  func real(_ name: String, _ range: ClosedRange<Double>) throws(ValidationError) -> Double {
    if let number = value[name]?.real, range.contains(number) { return number }
    throw error(name, "is not a number in its range")
  }

  func text(_ name: String, limit: Int) throws(ValidationError) -> String {
    if let text = value[name]?.text, text.utf8.count <= limit { return text }
    throw error(name, "is not a text of at most \(limit) bytes")
  }

  func optionalText(_ name: String, limit: Int) throws(ValidationError) -> String? {
    guard let member = value[name], !member.isNull else { return nil }
    return try text(name, limit: limit)
  }

  /// For example "2026-11-21T05:02:57.123Z". Its parts are used in paths.
  func time() throws(ValidationError) -> String {
    if let text = value["time"]?.text, Manifest.isTime(text) { return text }
    throw error("time", "is not a time in UTC with milliseconds")
  }

  func flag(_ name: String) throws(ValidationError) -> Bool {
    if let flag = value[name]?.flag { return flag }
    throw error(name, "is neither true nor false")
  }

  func document() throws(ValidationError) -> ShownDocument? {
    guard let member = value["document"], !member.isNull else { return nil }
    guard let document = ShownDocument(member) else {
      throw error("document", "is not a document with its pages")
    }
    return document
  }

  func requester() throws(ValidationError) -> Requester? {
    guard let member = value["requester"], !member.isNull else { return nil }
    if let requester = Requester(member) { return requester }
    throw error("requester", "is not a user with names of at most \(Requester.nameLimit) bytes")
  }

  func previous(before sequence: Int64) throws(ValidationError) -> PreviousManifest? {
    guard let member = value["previous"] else { return nil }
    if let previous = PreviousManifest(member, before: sequence) { return previous }
    throw error("previous", "is neither null nor an earlier manifest")
  }

  func erased() throws(ValidationError) -> [ErasedManifest] {
    guard let member = value["erased"], !member.isNull else { return [] }
    let erased = (member.elements ?? []).prefix(ErasedManifest.limit + 1).compactMap {
      ErasedManifest($0)
    }
    if erased.count == member.count, erased.count <= ErasedManifest.limit { return erased }
    throw error("erased", "is not an array of at most \(ErasedManifest.limit) manifests")
  }

  func files() throws(ValidationError) -> [Manifest.File] {
    guard let members = value["files"]?.members else { throw error("files", "is not an object") }
    var files: [Manifest.File] = []
    for (name, digest) in members {
      guard let file = ItemFile(rawValue: name) else {
        throw error("files", "names an unknown file")
      }
      guard let digest = digest.text, SHA256.isDigest(digest) else {
        throw error("files", "has no SHA-256 of \(name)")
      }
      files.append(Manifest.File(file: file, sha256: digest))
    }
    if !files.contains(where: { $0.file.sealed == .sealedPNG }) {
      throw error("files", "does not name \(ItemFile.png.name)")
    }
    for file in files where file.file.isSealed {
      if files.contains(where: { $0.file == file.file.plain }) {
        throw error("files", "names \(file.file.plain.name) both plain and sealed")
      }
    }
    return files
  }
}
