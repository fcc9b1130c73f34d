/// `type = s3`: an object for each file, in any store that speaks Amazon's S3.
public struct S3SinkConfiguration: Equatable, Sendable {
  /// The store's address, without the bucket.
  public var endpoint: String
  /// The bucket.
  public var bucket: String
  /// Signed into every request.
  public var region: String
  /// Whether the bucket stands in the path rather than in the host's name.
  public var pathStyle: Bool
  /// What stands before ID/FILE in an object's key.
  public var prefix: Template
  /// The access key's id.
  public var accessKey: AccessKey
  /// The secret access key.
  public var secretKey: Secret
  /// For temporary keys.
  public var sessionToken: Secret?
  /// How the store encrypts: nil, "AES256" or "aws:kms".
  public var encryption: String?
  /// Which key it encrypts with.
  public var encryptionKey: String?
  /// Certificates.
  public var tls: TLSConfiguration
  /// A proxy's address; nil: as the environment says.
  public var proxy: String?
  /// For each object, in nanoseconds.
  public var timeLimit: Int64

  /// The id of the access key: public, and with temporary keys as short-lived as the secret.
  public enum AccessKey: Equatable, Sendable {
    /// Fixed.
    case text(String)
    /// Read for each delivery.
    case secret(Secret)
  }

  init?(_ section: Section) {
    let endpoint = section.required("endpoint", .address(["https", "http"]))
    let bucket = section.required("bucket", .name(".", limit: 63))
    region = section.value("region", .name("", limit: 64), default: "us-east-1")
    pathStyle = section.value("path-style", .flag, default: false)
    prefix = section.value("prefix", .keyPrefix, default: .nothing)
    let accessKey = Self.accessKey(section)
    let secretKey = section.required("secret-key-file", .secret)
    sessionToken = section.value("session-token-file", .secret)
    encryption = section.value("encryption", .choice(["none", "AES256", "aws:kms"]))
      .flatMap { $0 == "none" ? nil : $0 }
    encryptionKey = section.value("encryption-key", .name(":/_", limit: 256))
    tls = TLSConfiguration(section)
    proxy = section.value("proxy", .address(["http", "https", "socks5h"]))
    timeLimit = section.value("time-limit", .timeLimit, default: 60_000_000_000)
    if encryptionKey != nil && encryption != "aws:kms" {
      section.refuse("encryption-key", "needs encryption = aws:kms")
    }
    let mayBePlain = section.value("plaintext-secrets", .flag, default: false)
    if sessionToken != nil && !mayBePlain && endpoint?.isPlainHTTP == true {
      section.refuse("session-token-file", Section.plainSecret)
    }
    guard let endpoint, let bucket, let accessKey, let secretKey else { return nil }
    self.endpoint = endpoint
    self.bucket = bucket
    self.accessKey = accessKey
    self.secretKey = secretKey
  }
}

extension S3SinkConfiguration {
  private static func accessKey(_ section: Section) -> AccessKey? {
    let text = section.value("access-key", .name("_", limit: 128))
    let file = section.value("access-key-file", .secret)
    switch (section.has("access-key"), section.has("access-key-file")) {
    case (true, true): section.refuse("access-key-file", "stands instead of access-key")
    case (false, false): section.refuse("access-key", "is missing; or set access-key-file")
    default: break
    }
    return file.map { .secret($0) } ?? text.map { .text($0) }
  }
}

extension Template {
  static var nothing: Template { Template(parts: []) }
}

extension ValueType where Value == Template {
  /// Only what needs no escaping in an object's key: every S3 client agrees on it then.
  fileprivate static var keyPrefix: ValueType {
    ValueType { text throws(Refusal) in
      let others: [UInt8] = Array("/._{}".utf8)
      guard text.utf8.allSatisfy({ $0.isNameByte || others.contains($0) }) else {
        throw Refusal("must be letters, digits, - . _ / and places in braces, not \"\(text)\"")
      }
      let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      if segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
        throw Refusal("must not have . or .. between slashes")
      }
      return try Template(text)
    }
  }
}
