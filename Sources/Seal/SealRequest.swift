/// A request to paraph-seal.
public enum SealRequest: Equatable, Sendable {
  /// Seal these files to these certificates (PEM). The reply has a sealed file for each, in the same order.
  case seal([[UInt8]], for: [[UInt8]])
  /// Check that something can be sealed to each of these certificates (PEM), and describe them.
  case examine([[UInt8]])
  /// Check that this certificate (PEM) can be a signer's, and describe it.
  case describe([UInt8])
  /// Sign these bytes with the pad's key, which belongs to this certificate (PEM).
  case sign([UInt8], by: [UInt8])
  /// Write a request for a time stamp of these bytes (RFC 3161).
  case query([UInt8])
  /// Check the response of a time stamp authority.
  case stamp(SealStamp)

  /// The limit of the number of certificates.
  public static let certificateLimit = 16
  /// The limit of a certificate, in bytes.
  public static let certificateSizeLimit = 64 << 10
  /// The limit of the number of files.
  public static let fileLimit = 8

  private static let sealKind: UInt8 = 1
  private static let examineKind: UInt8 = 2
  private static let signKind: UInt8 = 3
  private static let describeKind: UInt8 = 4
  private static let queryKind: UInt8 = 5
  private static let stampKind: UInt8 = 6

  /// The message; nil if it would exceed the protocol's limits.
  public var bytes: [UInt8]? {
    switch self {
    case .seal(let files, for: let certificates):
      guard (1...Self.fileLimit).contains(files.count), Self.areValid(certificates) else {
        return nil
      }
      return SealMessage(Self.sealKind, [[UInt8(certificates.count)]] + certificates + files).bytes
    case .examine(let certificates):
      guard Self.areValid(certificates) else { return nil }
      return SealMessage(Self.examineKind, certificates).bytes
    case .describe(let certificate):
      guard Self.areValid([certificate]) else { return nil }
      return SealMessage(Self.describeKind, [certificate]).bytes
    case .sign(let bytes, by: let certificate):
      guard Self.areValid([certificate]) else { return nil }
      return SealMessage(Self.signKind, [certificate, bytes]).bytes
    case .query(let bytes): return SealMessage(Self.queryKind, [bytes]).bytes
    case .stamp(let stamp): return SealMessage(Self.stampKind, stamp.fields).bytes
    }
  }

  /// Parses the content of a frame; nil for one that is no request.
  public init?(content: [UInt8]) {
    guard let message = SealMessage(content: content) else { return nil }
    switch message.kind {
    case Self.sealKind:
      guard let count = message.fields.first, count.count == 1, let number = count.first else {
        return nil
      }
      let certificates = Array(message.fields.dropFirst().prefix(Int(number)))
      let files = Array(message.fields.dropFirst(1 + Int(number)))
      guard certificates.count == Int(number), Self.areValid(certificates),
        (1...Self.fileLimit).contains(files.count)
      else { return nil }
      self = .seal(files, for: certificates)
    case Self.examineKind:
      guard Self.areValid(message.fields) else { return nil }
      self = .examine(message.fields)
    case Self.describeKind:
      guard message.fields.count == 1, Self.areValid(message.fields) else { return nil }
      self = .describe(message.fields[0])
    case Self.signKind:
      guard message.fields.count == 2, Self.areValid([message.fields[0]]) else { return nil }
      self = .sign(message.fields[1], by: message.fields[0])
    case Self.queryKind:
      guard message.fields.count == 1 else { return nil }
      self = .query(message.fields[0])
    case Self.stampKind:
      guard let stamp = SealStamp(message.fields) else { return nil }
      self = .stamp(stamp)
    default: return nil
    }
  }

  private static func areValid(_ certificates: [[UInt8]]) -> Bool {
    (1...certificateLimit).contains(certificates.count)
      && certificates.allSatisfy { $0.count <= certificateSizeLimit }
  }
}
