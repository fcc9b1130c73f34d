internal import Ink
internal import JSON
internal import Raster
internal import Spool

/// Encodes what was shown while a person signed for the journal, as JSON.
enum JournaledContent {
  /// In bytes: the longest texts, all escaped, and a document of 1000 pages.
  private static let sizeLimit = 256 << 10

  static func encode(_ content: ShownContent) -> [UInt8] {
    var members: [(String, JSONValue)] = []
    if let title = content.title { members.append(("title", .text(title))) }
    if let prompt = content.prompt { members.append(("prompt", .text(prompt))) }
    if let document = content.document { members.append(("document", document.json)) }
    if let glass = content.glass {
      let numbers = [glass.size.x, glass.size.y, glass.scale.x, glass.scale.y]
      members.append(("glass", .array(numbers.map { .real(Double($0)) })))
    }
    return JSONValue.object(members).bytes()
  }

  /// Returns nil for bytes that no pad has written.
  static func decode(_ bytes: [UInt8]) -> ShownContent? {
    guard let value = try? JSONValue.parse(bytes, limits: .init(size: sizeLimit, depth: 6)),
      value.isObject
    else { return nil }
    var content = ShownContent(title: value["title"]?.text, prompt: value["prompt"]?.text)
    if let member = value["document"] {
      // The request's document is named then, without the times of its pages.
      guard let document = ShownDocument(member) else { return nil }
      content.document = document
    }
    content.glass = glass(value["glass"])
    return content
  }

  /// Nil: not known, or impossible.
  private static func glass(_ value: JSONValue?) -> ShownContent.Glass? {
    let numbers = (value?.elements ?? []).map { Float($0.real ?? 0) }
    guard numbers.count == 4, numbers.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    return ShownContent.Glass(
      size: Point(numbers[0], numbers[1]), scale: Scale(x: numbers[2], y: numbers[3]))
  }
}
