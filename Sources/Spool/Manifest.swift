/// What is known about a signature: signature.json, the file that makes a folder an item.
public struct Manifest: Equatable, Sendable {
  /// The name of the item's folder, and the key by which a receiver knows a repetition.
  public var id: ItemID
  /// The order of signing: a durable counter, whatever clocks say.
  public var sequence: Int64
  /// When it was signed, RFC 3339 in UTC, by the device's clock.
  public var time: String
  /// Whether that clock was set; a board without a battery starts in 1970.
  public var clockSynchronized: Bool
  /// What was signed for, as the terminal's program named it.
  public var reference: String?
  /// The heading that was shown while it was signed.
  public var title: String?
  /// The text that was shown below it.
  public var prompt: String?
  /// Which pad.
  public var device: String
  /// Which panel it has.
  public var panel: String
  /// The picture, in pixels.
  public var width: Int, height: Int
  /// The picture's dots per inch.
  public var dpi: Double
  /// How many strokes there are.
  public var strokes: Int
  /// The SHA-256 of each file beside the manifest.
  public var files: [File]

  /// A file beside the manifest.
  public struct File: Equatable, Sendable {
    /// Which.
    public var file: ItemFile
    /// 64 lower-case hexadecimal digits.
    public var sha256: String
  }

  /// The manifest's own name.
  public static let name = "signature.json"
  static let sizeLimit = 64 << 10
  static let textLimit = 1024
  /// Of title and prompt: 2400 bytes of a request, or the pad's own words.
  static let wordsLimit = 4096

  /// What is recorded of a title or prompt: nil where it exceeds `wordsLimit`, as a catalogue's may. Readers would
  /// refuse the item.
  static func words(_ text: String?) -> String? {
    text.flatMap { $0.utf8.count <= wordsLimit ? $0 : nil }
  }
}
