internal import Configuration
internal import Nettle
internal import Spool

/// Delivers to an object store, with one object for each file. The manifest is last, so that a reader that finds
/// it finds the rest. A repeated delivery changes nothing.
struct S3Sink: ~Copyable {
  private let configuration: S3SinkConfiguration
  private let cancellation: Cancellation
  private let names: DeviceNames
  private let client = HTTPClient()

  init(_ configuration: S3SinkConfiguration, _ cancellation: Cancellation) {
    self.configuration = configuration
    self.cancellation = cancellation
    names = DeviceNames(configuration.deviceName)
  }

  borrowing func deliver(_ item: Item) -> Outcome {
    do throws(SecretError) {
      let keys = try S3Keys(configuration)
      for file in item.files.reversed() {
        let outcome = put(file, of: item.manifest, keys)
        if outcome != .delivered { return outcome }
      }
      return .delivered
    } catch { return .temporaryFailure(error.text) }
  }

  private borrowing func put(
    _ file: Item.File, of manifest: Manifest, _ keys: S3Keys
  ) -> Outcome {
    var request = HTTPRequest(url: url(of: file, manifest), method: "PUT")
    request.body = file.bytes
    request.headers = [
      "Content-Type: \(file.mediaType)", "x-amz-content-sha256: \(file.sha256)",
      "x-amz-checksum-sha256: \(Self.base64(hexadecimal: file.sha256))",
      "x-amz-sdk-checksum-algorithm: SHA256",
    ]
    if let session = keys.session { request.headers.append("x-amz-security-token: \(session)") }
    if let encryption = configuration.encryption {
      request.headers.append("x-amz-server-side-encryption: \(encryption)")
    }
    if let key = configuration.encryptionKey {
      request.headers.append("x-amz-server-side-encryption-aws-kms-key-id: \(key)")
    }
    request.signing = HTTPRequest.Signing(
      scope: "aws:amz:\(configuration.region):s3", user: "\(keys.access):\(keys.secret)")
    let options = HTTPRequest.Options(
      tls: configuration.tls, proxy: configuration.proxy, timeLimit: configuration.timeLimit)
    do throws(HTTPError) {
      return Self.outcome(of: try client.perform(request, options, cancellation))
        .naming(request.host)
    } catch {
      return .temporaryFailure("\(request.host): \(error.text)", kind: error.kind)
    }
  }

  private borrowing func url(of file: Item.File, _ manifest: Manifest) -> String {
    let prefix = names.text(configuration.prefix, for: manifest, escape: Escape.plain)
    let key = "\(prefix)\(manifest.id.text)/\(file.name)"
    let endpoint = Array(configuration.endpoint.utf8)
    let trimmed = endpoint.last == UInt8(ascii: "/") ? endpoint.dropLast() : endpoint[...]
    if configuration.pathStyle {
      return String(decoding: trimmed, as: UTF8.self) + "/\(configuration.bucket)/\(key)"
    }
    // scheme://bucket.host
    let host = (trimmed.firstIndex(of: UInt8(ascii: ":")) ?? 0) + 3
    let scheme = String(decoding: trimmed[..<host], as: UTF8.self)
    let authority = String(decoding: trimmed[host...], as: UTF8.self)
    return "\(scheme)\(configuration.bucket).\(authority)/\(key)"
  }

  /// Stores answer a wrong clock and expired keys with 400 and 403, so that few errors are permanent. The body
  /// is XML with an element <Code>. A web page in a store's place accepts everything, but without an ETag.
  static func outcome(of reply: HTTPReply) -> Outcome {
    if (200..<300).contains(reply.status) {
      if reply.hasEntityTag { return .delivered }
      return .temporaryFailure(
        "HTTP \(reply.status): not a store's answer (no ETag); check endpoint and proxy")
    }
    let code = self.code(in: reply.body)
    let reason = "HTTP \(reply.status)" + (code.map { " \($0)" } ?? "")
    let permanent = ["EntityTooLarge", "KeyTooLongError", "MetadataTooLarge"]
    if let code, permanent.contains(code) { return .permanentFailure(reason) }
    return .temporaryFailure(
      reason, retryAfter: reply.retryAfter,
      kind: FailureKind(code: code) ?? FailureKind(status: reply.status))
  }

  /// The letters between <Code> and </Code>.
  private static func code(in body: [UInt8]) -> String? {
    let start = Array("<Code>".utf8)
    guard let place = body.indices.first(where: { body[$0...].starts(with: start) }) else {
      return nil
    }
    let letters = body[(place + start.count)...].prefix { ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122 }
    return letters.isEmpty ? nil : String(decoding: letters.prefix(64), as: UTF8.self)
  }

  static func base64(hexadecimal text: String) -> String {
    String(decoding: Base64.letters(of: Hexadecimal.bytes(text) ?? []), as: UTF8.self)
  }
}

/// The credentials for an object store. Temporary keys are several files that change together, so they are read
/// until two readings agree.
private struct S3Keys: Equatable {
  let access: String
  let secret: String
  let session: String?

  init(_ configuration: S3SinkConfiguration) throws(SecretError) {
    var keys = try Self(reading: configuration)
    for _ in 0..<Self.readings {
      let again = try Self(reading: configuration)
      if again == keys {
        self = keys
        return
      }
      keys = again
    }
    throw SecretError(text: "access key, secret key and session token changed while they were read")
  }

  private static let readings = 5

  private init(reading configuration: S3SinkConfiguration) throws(SecretError) {
    switch configuration.accessKey {
    case .text(let text): access = text
    case .secret(let secret): access = try secret.readText()
    }
    secret = try configuration.secretKey.readText()
    session = try configuration.sessionToken?.readText()
  }
}
