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
  /// Check that the pad's key, which belongs to this certificate (PEM), signs. A key in a token is not used, because the
  /// token counts wrong PINs.
  case tryKey(of: [UInt8])
  /// Load what sealing to these certificates, and signing by the key of this one (nil: nothing is signed), will need. Has
  /// no reply: what fails here fails again when it is asked.
  case prepare([[UInt8]], by: [UInt8]?)
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
  private static let prepareKind: UInt8 = 7
  private static let tryKeyKind: UInt8 = 8

  /// The message; nil if it would exceed the protocol's limits.
  public var bytes: [UInt8]? {
    switch self {
    case .seal(let files, for: let certificates):
      guard (1...Self.fileLimit).contains(files.count), Self.areValid(certificates) else {
        return nil
      }
      return SealMessage(Self.sealKind, Self.counted(certificates) + files).bytes
    case .prepare(let certificates, by: let certificate):
      let signer = certificate.map { [$0] } ?? []
      guard Self.areValid(certificates, signer) else { return nil }
      return SealMessage(Self.prepareKind, Self.counted(certificates) + signer).bytes
    case .examine(let certificates):
      guard Self.areValid(certificates) else { return nil }
      return SealMessage(Self.examineKind, certificates).bytes
    case .describe(let certificate):
      guard Self.areValid([certificate]) else { return nil }
      return SealMessage(Self.describeKind, [certificate]).bytes
    case .sign(let bytes, by: let certificate):
      guard Self.areValid([certificate]) else { return nil }
      return SealMessage(Self.signKind, [certificate, bytes]).bytes
    case .tryKey(of: let certificate):
      guard Self.areValid([certificate]) else { return nil }
      return SealMessage(Self.tryKeyKind, [certificate]).bytes
    case .query(let bytes): return SealMessage(Self.queryKind, [bytes]).bytes
    case .stamp(let stamp): return SealMessage(Self.stampKind, stamp.fields).bytes
    }
  }

  /// Parses the content of a frame; nil for one that is no request.
  public init?(content: [UInt8]) {
    guard let message = SealMessage(content: content) else { return nil }
    switch message.kind {
    case Self.sealKind:
      guard let (certificates, files) = Self.parts(of: message), Self.areValid(certificates),
        (1...Self.fileLimit).contains(files.count)
      else { return nil }
      self = .seal(files, for: certificates)
    case Self.prepareKind:
      guard let (certificates, signer) = Self.parts(of: message),
        Self.areValid(certificates, signer)
      else { return nil }
      self = .prepare(certificates, by: signer.first)
    case Self.examineKind:
      guard Self.areValid(message.fields) else { return nil }
      self = .examine(message.fields)
    case Self.describeKind:
      guard message.fields.count == 1, Self.areValid(message.fields) else { return nil }
      self = .describe(message.fields[0])
    case Self.signKind:
      guard message.fields.count == 2, Self.areValid([message.fields[0]]) else { return nil }
      self = .sign(message.fields[1], by: message.fields[0])
    case Self.tryKeyKind:
      guard message.fields.count == 1, Self.areValid(message.fields) else { return nil }
      self = .tryKey(of: message.fields[0])
    case Self.queryKind:
      guard message.fields.count == 1 else { return nil }
      self = .query(message.fields[0])
    case Self.stampKind:
      guard let stamp = SealStamp(message.fields) else { return nil }
      self = .stamp(stamp)
    default: return nil
    }
  }

  /// Certificates with their number before them, as more follows.
  private static func counted(_ certificates: [[UInt8]]) -> [[UInt8]] {
    [[UInt8(clamping: certificates.count)]] + certificates
  }

  /// The certificates of a message that begins with their number, and the other fields; nil: it has fewer.
  private static func parts(of message: SealMessage) -> ([[UInt8]], [[UInt8]])? {
    guard let count = message.fields.first, count.count == 1, let number = count.first,
      message.fields.count > Int(number)
    else { return nil }
    return (
      Array(message.fields.dropFirst().prefix(Int(number))),
      Array(message.fields.dropFirst(1 + Int(number)))
    )
  }

  /// Of recipients and of a signer, one of which may be missing.
  private static func areValid(_ recipients: [[UInt8]], _ signer: [[UInt8]]) -> Bool {
    guard signer.count <= 1, !recipients.isEmpty || !signer.isEmpty else { return false }
    return (recipients.isEmpty || areValid(recipients)) && (signer.isEmpty || areValid(signer))
  }

  private static func areValid(_ certificates: [[UInt8]]) -> Bool {
    (1...certificateLimit).contains(certificates.count)
      && certificates.allSatisfy { $0.count <= certificateSizeLimit }
  }
}
