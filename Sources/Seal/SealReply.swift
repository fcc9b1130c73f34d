/// A reply of paraph-seal.
public enum SealReply: Equatable, Sendable {
  /// The sealed files, in the order of the request.
  case sealed([[UInt8]])
  /// The certificates, in the order of the request.
  case examined([SealCertificate])
  /// The signature: detached CMS SignedData in DER.
  case signed([UInt8])
  /// The key is in a token, and was not tried.
  case untried
  /// The request for a time stamp: TimeStampReq in DER.
  case query([UInt8])
  /// The time stamp is valid: what it proves.
  case stamped(SealTimestamp)
  /// The authority rejected the request for a time stamp: one line.
  case rejected(String)
  /// Why the request failed: one line.
  case failed(String)
  /// Why a key in a token did not sign: one line. The token may have counted this as a wrong PIN.
  case tokenFailed(String)

  private static let sealedKind: UInt8 = 1
  private static let examinedKind: UInt8 = 2
  private static let failedKind: UInt8 = 3
  private static let signedKind: UInt8 = 4
  private static let queryKind: UInt8 = 5
  private static let stampedKind: UInt8 = 6
  private static let rejectedKind: UInt8 = 7
  private static let tokenFailedKind: UInt8 = 8
  private static let untriedKind: UInt8 = 9
  /// The limit of a reason, in bytes.
  static let textLimit = 400

  /// The message; nil if it would exceed the protocol's limits.
  public var bytes: [UInt8]? {
    switch self {
    case .sealed(let files): SealMessage(Self.sealedKind, files).bytes
    case .examined(let certificates):
      SealMessage(Self.examinedKind, certificates.map { $0.bytes }).bytes
    case .signed(let signature): SealMessage(Self.signedKind, [signature]).bytes
    case .untried: SealMessage(Self.untriedKind, []).bytes
    case .query(let query): SealMessage(Self.queryKind, [query]).bytes
    case .stamped(let timestamp): SealMessage(Self.stampedKind, [timestamp.bytes]).bytes
    case .rejected(let reason): Self.message(Self.rejectedKind, reason).bytes
    case .failed(let reason): Self.message(Self.failedKind, reason).bytes
    case .tokenFailed(let reason): Self.message(Self.tokenFailedKind, reason).bytes
    }
  }

  /// Parses the content of a frame; nil for one that is no reply. Texts have no control characters afterwards.
  public init?(content: [UInt8]) {
    guard let message = SealMessage(content: content) else { return nil }
    switch message.kind {
    case Self.sealedKind:
      guard (1...SealRequest.fileLimit).contains(message.fields.count) else { return nil }
      self = .sealed(message.fields)
    case Self.examinedKind:
      let certificates = message.fields.compactMap { SealCertificate($0) }
      guard certificates.count == message.fields.count,
        (1...SealRequest.certificateLimit).contains(certificates.count)
      else { return nil }
      self = .examined(certificates)
    case Self.signedKind:
      guard message.fields.count == 1 else { return nil }
      self = .signed(message.fields[0])
    case Self.untriedKind:
      guard message.fields.isEmpty else { return nil }
      self = .untried
    case Self.queryKind:
      guard message.fields.count == 1 else { return nil }
      self = .query(message.fields[0])
    case Self.stampedKind:
      guard message.fields.count == 1, let timestamp = SealTimestamp(message.fields[0]) else {
        return nil
      }
      self = .stamped(timestamp)
    case Self.rejectedKind, Self.failedKind, Self.tokenFailedKind:
      guard message.fields.count == 1, let text = message.fields.first,
        text.count <= Self.textLimit
      else { return nil }
      let line = Self.line(text)
      switch message.kind {
      case Self.rejectedKind: self = .rejected(line)
      case Self.failedKind: self = .failed(line)
      default: self = .tokenFailed(line)
      }
    default: return nil
    }
  }

  private static func message(_ kind: UInt8, _ reason: String) -> SealMessage {
    SealMessage(kind, [Array(reason.utf8.prefix(textLimit))])
  }

  /// A reason about one of several recipients, which names its place from 1.
  public static func reason(_ reason: String, ofRecipient place: Int) -> String {
    "recipient \(place + 1): \(reason)"
  }

  /// The place from 0, and the rest, of a reason about one of several recipients; nil: it is about none.
  public static func recipient(in reason: String) -> (place: Int, reason: String)? {
    let (bytes, subject) = (Array(reason.utf8), Array("recipient ".utf8))
    guard bytes.starts(with: subject), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[(colon + 1)...].first == UInt8(ascii: " "),
      let number = Int(String(decoding: bytes[subject.count..<colon], as: UTF8.self)),
      (1...SealRequest.certificateLimit).contains(number)
    else { return nil }
    return (number - 1, String(decoding: bytes[(colon + 2)...], as: UTF8.self))
  }

  /// A line for a log: other bytes than printable ASCII become question marks.
  static func line(_ text: [UInt8]) -> String {
    String(
      decoding: text.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}

/// A certificate as paraph-seal describes it.
public struct SealCertificate: Equatable, Sendable {
  /// The subject's name, one line.
  public var subject: String
  /// When it begins and ceases to be valid, in seconds since 1970.
  public var notBefore: Int64, notAfter: Int64

  /// A certificate with these properties.
  public init(subject: String, notBefore: Int64, notAfter: Int64) {
    self.subject = subject
    (self.notBefore, self.notAfter) = (notBefore, notAfter)
  }

  private static let timesSize = 16
  /// The years 0 to 9999 in seconds since 1970, which differences of times cannot exceed.
  static let years: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  fileprivate var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for time in [notBefore, notAfter] {
      let bits = UInt64(bitPattern: time)
      for byte in 0..<8 { bytes.append(UInt8(bits >> UInt64(56 - 8 * byte) & 0xff)) }
    }
    return bytes + subject.utf8.prefix(SealReply.textLimit)
  }

  fileprivate init?(_ bytes: [UInt8]) {
    guard (Self.timesSize...Self.timesSize + SealReply.textLimit).contains(bytes.count) else {
      return nil
    }
    func time(_ place: Int) -> Int64 {
      Int64(bitPattern: bytes[place..<place + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let (notBefore, notAfter) = (time(0), time(8))
    guard Self.years.contains(notBefore), Self.years.contains(notAfter) else { return nil }
    self.init(
      subject: SealReply.line(Array(bytes.dropFirst(Self.timesSize))), notBefore: notBefore,
      notAfter: notAfter)
  }
}
