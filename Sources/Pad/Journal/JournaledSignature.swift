internal import Control
internal import Ink
internal import JSON
internal import Signature

/// A signature in the journal, until who asked for it has it: a line of JSON, the PNG, and the records of its
/// strokes.
struct JournaledSignature: Equatable, Sendable {
  let signature: SavedSignature

  static let sizeLimit = 64 << 20

  init(_ signature: SavedSignature) { self.signature = signature }

  var bytes: [UInt8] {
    var members: [(String, JSONValue)] = [
      ("id", .text(signature.id)), ("digest", .text(signature.digest)),
      ("time", .integer(signature.time)), ("width", .integer(signature.width)),
      ("height", .integer(signature.height)), ("dpi", .real(signature.dpi)),
      ("glass", .array([.real(Double(signature.glass.x)), .real(Double(signature.glass.y))])),
      ("png", .integer(signature.png.count)),
    ]
    if let reference = signature.reference { members.append(("reference", .text(reference))) }
    return JSONValue.object(members).bytes() + [UInt8(ascii: "\n")] + signature.png
      + InkRecords(signature.strokes).new
  }

  /// Nil for what no pad has written.
  init?(_ bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let value = try? JSONValue.parse(
        Array(bytes[..<end]), limits: .init(size: 1 << 16, depth: 3)),
      let id = value["id"]?.text, let digest = value["digest"]?.text,
      let time = value["time"]?.integer, let width = JournaledSignature.pixels(value["width"]),
      let height = JournaledSignature.pixels(value["height"]), let dpi = value["dpi"]?.real,
      let glass = JournaledSignature.glass(value["glass"]),
      let count = value["png"]?.integer, (0...Int64(bytes.count - end - 1)).contains(count)
    else { return nil }
    let png = bytes[(end + 1)...].prefix(Int(count))
    signature = SavedSignature(
      id: id, digest: digest, time: time, reference: value["reference"]?.text,
      width: width, height: height, dpi: dpi, png: Array(png),
      glass: glass, strokes: RecoveredState.strokes(Array(bytes[png.endIndex...])))
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
