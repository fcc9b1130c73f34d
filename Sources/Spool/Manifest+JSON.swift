internal import JSON

extension Manifest {
  /// signature.json.
  public var bytes: [UInt8] {
    let files = files.map { ($0.file.name, JSONValue.text($0.sha256)) }
    var members: [(String, JSONValue)] = [
      ("id", .text(id.text)), ("sequence", .integer(sequence)), ("time", .text(time)),
      ("clock_synchronized", .flag(clockSynchronized)),
      ("reference", reference.map { .text($0) } ?? .null),
    ]
    if let title { members.append(("title", .text(title))) }
    if let prompt { members.append(("prompt", .text(prompt))) }
    members += [
      ("device", .text(device)), ("panel", .text(panel)), ("width", .integer(width)),
      ("height", .integer(height)), ("dpi", .real(dpi)), ("strokes", .integer(strokes)),
      ("files", .object(files)),
    ]
    return JSONValue.object(members).bytes(.lines) + [UInt8(ascii: "\n")]
  }

  /// Reads signature.json, which may be anybody's. A member that is not known is left alone: a later
  /// version may write more.
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
    title = try members.optionalText("title", limit: Self.wordsLimit)
    prompt = try members.optionalText("prompt", limit: Self.wordsLimit)
    device = try members.text("device", limit: Self.textLimit)
    panel = try members.text("panel", limit: Self.textLimit)
    width = Int(try members.integer("width", 1...100_000))
    height = Int(try members.integer("height", 1...100_000))
    dpi = try members.real("dpi", 1...100_000)
    strokes = Int(try members.integer("strokes", 0...1_000_000))
    files = try members.files()
  }
}

/// The members of a manifest, each refused by its name but never by its content: it goes to a log.
private struct ManifestMembers {
  let value: JSONValue

  func refuse(_ name: String, _ reason: String) -> ValidationError {
    ValidationError("\(Manifest.name): \(name) \(reason)")
  }

  func id() throws(ValidationError) -> ItemID {
    if let text = value["id"]?.text, let id = ItemID(text) { return id }
    throw refuse("id", "is not a UUID of version 7")
  }

  func integer(_ name: String, _ range: ClosedRange<Int64>) throws(ValidationError) -> Int64 {
    if let number = value[name]?.integer, range.contains(number) { return number }
    throw refuse(name, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
  }

  func real(_ name: String, _ range: ClosedRange<Double>) throws(ValidationError) -> Double {
    if let number = value[name]?.real, range.contains(number) { return number }
    throw refuse(name, "is not a number in its range")
  }

  func text(_ name: String, limit: Int) throws(ValidationError) -> String {
    if let text = value[name]?.text, text.utf8.count <= limit { return text }
    throw refuse(name, "is not a text of at most \(limit) bytes")
  }

  func optionalText(_ name: String, limit: Int) throws(ValidationError) -> String? {
    guard let member = value[name], !member.isNull else { return nil }
    return try text(name, limit: limit)
  }

  /// "2026-11-21T05:02:57.123Z": the shape, so that its parts can stand in paths.
  func time() throws(ValidationError) -> String {
    let shape = Array("0000-00-00T00:00:00.000Z".utf8)
    let text = value["time"]?.text ?? ""
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let fits = zip(Array(text.utf8), shape).allSatisfy { byte, pattern in
      digits.contains(pattern) ? digits.contains(byte) : byte == pattern
    }
    if fits && text.utf8.count == shape.count { return text }
    throw refuse("time", "is not a time in UTC with milliseconds")
  }

  func flag(_ name: String) throws(ValidationError) -> Bool {
    if let flag = value[name]?.flag { return flag }
    throw refuse(name, "is neither true nor false")
  }

  func files() throws(ValidationError) -> [Manifest.File] {
    guard let members = value["files"]?.members else { throw refuse("files", "is not an object") }
    var files: [Manifest.File] = []
    for (name, digest) in members {
      guard let file = ItemFile(rawValue: name) else {
        throw refuse("files", "names a file that no signature has")
      }
      guard let digest = digest.text, SHA256.isDigest(digest) else {
        throw refuse("files", "has no SHA-256 for \(name)")
      }
      files.append(Manifest.File(file: file, sha256: digest))
    }
    if !files.contains(where: { $0.file == .png }) {
      throw refuse("files", "does not name \(ItemFile.png.name)")
    }
    return files
  }
}
