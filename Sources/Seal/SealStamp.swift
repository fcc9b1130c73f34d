/// A response of a time stamp authority (RFC 3161), with all that it is checked against.
public struct SealStamp: Equatable, Sendable {
  /// The response: TimeStampResp in DER.
  public var response: [UInt8]
  /// The bytes that the time stamp covers.
  public var bytes: [UInt8]
  /// The request that it answers, whose nonce it must repeat; nil: unknown, as where a receiver checks it later.
  public var query: [UInt8]?
  /// The certificates to trust (PEM): of authorities above the signer, or the signer's own.
  public var authorities: [UInt8]

  /// A response with all that it is checked against.
  public init(
    response: [UInt8], of bytes: [UInt8], to query: [UInt8]?, trusting authorities: [UInt8]
  ) {
    (self.response, self.bytes) = (response, bytes)
    (self.query, self.authorities) = (query, authorities)
  }

  /// The limit of a response, in bytes: some kilobytes are usual, with the certificates in it.
  public static let responseLimit = 64 << 10

  var fields: [[UInt8]] { [response, bytes, authorities] + (query.map { [$0] } ?? []) }

  init?(_ fields: [[UInt8]]) {
    guard (3...4).contains(fields.count) else { return nil }
    self.init(
      response: fields[0], of: fields[1], to: fields.count > 3 ? fields[3] : nil,
      trusting: fields[2])
  }
}

/// What a valid time stamp proves: the bytes existed at this time, according to this authority.
public struct SealTimestamp: Equatable, Sendable {
  /// The time, in seconds since 1970.
  public var time: Int64
  /// The subject of the signer's certificate, one line.
  public var authority: String

  /// A time that an authority states.
  public init(time: Int64, authority: String) {
    (self.time, self.authority) = (time, authority)
  }

  /// The maximum difference between two synchronised clocks, in seconds.
  public static let tolerance: Int64 = 600

  private static let timeSize = 8

  var bytes: [UInt8] {
    let bits = UInt64(bitPattern: time)
    return (0..<8).map { UInt8(bits >> UInt64(56 - 8 * $0) & 0xff) }
      + authority.utf8.prefix(SealReply.textLimit)
  }

  init?(_ bytes: [UInt8]) {
    guard (Self.timeSize...Self.timeSize + SealReply.textLimit).contains(bytes.count) else {
      return nil
    }
    let time = Int64(
      bitPattern: bytes.prefix(Self.timeSize).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    guard SealCertificate.years.contains(time) else { return nil }
    self.init(time: time, authority: SealReply.line(Array(bytes.dropFirst(Self.timeSize))))
  }
}
