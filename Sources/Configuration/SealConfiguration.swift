/// The section `[seal]`: to whom the ink of a signature is sealed.
public struct SealConfiguration: Equatable, Sendable {
  /// The files with the recipients' certificates; empty: nothing is sealed.
  public var recipients: [String]
  /// Whether the picture is sealed too.
  public var sealsPicture: Bool
  /// Whether replies to programs have unsealed ink, and clients may watch strokes.
  public var repliesArePlain: Bool
  /// Whether an expired certificate puts the pad out of service.
  public var refusesExpired: Bool
  /// Whether the pad is out of service where unsealed ink may reach a disk.
  public var refusesSwap: Bool
  /// The path of paraph-seal or of its socket; nil: the usual ones.
  public var service: String?

  /// Whether anything is sealed.
  public var isActive: Bool { !recipients.isEmpty }
  /// Whether clients receive no unsealed ink.
  public var hidesInk: Bool { isActive && !repliesArePlain }

  /// The limit of the number of recipients.
  static let recipientLimit = 16

  init(_ section: Section) {
    recipients = section.value("recipients", .paths, default: [])
    sealsPicture = section.value("picture", .flag, default: false)
    repliesArePlain = section.value(
      "replies", .choice(["sealed", "plain"], [false, true]), default: false)
    refusesExpired = section.value(
      "expired", .choice(["warn", "refuse"], [false, true]), default: false)
    refusesSwap = section.value(
      "swap", .choice(["refuse", "allow"], [true, false]), default: true)
    service = section.value("service", .path, unless: "auto")
    if recipients.count > Self.recipientLimit {
      section.refuse("recipients", "has more than \(Self.recipientLimit) certificates")
    }
  }
}
