/// How many attempts at a piece of work the process did not survive, within one boot. Pure.
///
/// As text: the boot's identity, a blank, one digit and a newline. Records have one size, so that a
/// record can be rewritten in place on a full disk.
public struct CrashRecord: Equatable, Sendable {
  /// The boot that the attempts belong to: printable ASCII without blanks, at most 36 bytes.
  public let boot: String
  /// Attempts without an end, 0...9.
  public private(set) var count: Int

  /// Bytes of a record.
  static let size = 36 + 3

  /// No attempts in this boot.
  public init(boot: String) {
    self.boot = CrashRecord.name(boot)
    count = 0
  }

  /// Reads a record. What is damaged, or of another boot, counts as no attempts.
  public init(_ bytes: [UInt8], boot: String) {
    self.init(boot: boot)
    let digit = UInt8(ascii: "0")
    guard bytes.count == CrashRecord.size, let last = bytes.dropLast().last,
      (digit...digit + 9).contains(last)
    else { return }
    var same = self
    same.count = Int(last - digit)
    if same.bytes == bytes { self = same }
  }

  /// One attempt more; stops at 9.
  public mutating func add() { count = min(count + 1, 9) }

  /// The text.
  public var bytes: [UInt8] {
    var bytes = Array(boot.utf8)
    bytes += Array(repeating: UInt8(ascii: "-"), count: CrashRecord.size - 3 - bytes.count)
    return bytes + [UInt8(ascii: " "), UInt8(ascii: "0") + UInt8(count), UInt8(ascii: "\n")]
  }

  private static func name(_ boot: String) -> String {
    let bytes = boot.utf8.prefix(size - 3).filter { 0x21...0x7e ~= $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
