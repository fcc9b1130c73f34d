/// `type = s3`: uploads an object per file to a store with Amazon's S3 interface.
public struct S3SinkConfiguration: Equatable, Sendable {
  /// The store's URL without the bucket.
  public var endpoint: String
  /// The bucket's name.
  public var bucket: String
  /// The region, which is part of the requests' signatures.
  public var region: String
  /// Whether the bucket is in the path rather than in the host name.
  public var pathStyle: Bool
  /// The prefix of an object's key ID/FILE.
  public var prefix: Template
  /// The value of {device}; nil: the manifest's.
  public var deviceName: Template?
  /// The access key id.
  public var accessKey: AccessKey
  /// The secret access key.
  public var secretKey: Secret
  /// The session token of temporary keys.
  public var sessionToken: Secret?
  /// The server-side encryption: nil, "AES256" or "aws:kms".
  public var encryption: String?
  /// The id of the encryption key.
  public var encryptionKey: String?
  /// The certificates.
  public var tls: TLSConfiguration
  /// The proxy's URL; nil: as in the environment.
  public var proxy: String?
  /// The time limit of an upload in nanoseconds.
  public var timeLimit: Int64

  /// The access key id, which is not secret, but changes with temporary keys.
  public enum AccessKey: Equatable, Sendable {
    /// A fixed id.
    case text(String)
    /// An id that is read for each delivery.
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
    case (true, true):
      section.refuse("access-key-file", "cannot be given together with access-key")
    case (false, false):
      section.refuse("access-key", "is missing: set access-key or access-key-file")
    default: break
    }
    return file.map { .secret($0) } ?? text.map { .text($0) }
  }
}

extension Template {
  /// The empty template.
  static var nothing: Template { Template(parts: []) }
}

extension ValueType where Value == Template {
  /// A prefix of characters that need no escaping in an object's key.
  fileprivate static var keyPrefix: ValueType {
    ValueType { text throws(Refusal) in
      guard text.utf8.allSatisfy({ $0.isNameByte || "/._{}".utf8.contains($0) }) else {
        throw Refusal("must be letters, digits, - . _ / and placeholders, not \"\(text)\"")
      }
      let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      if segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
        throw Refusal("must not have . or .. between slashes")
      }
      return try Template(text)
    }
  }
}
