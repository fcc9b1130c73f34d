internal import CLibnettle
internal import Configuration
internal import Spool

/// Delivers to an object store: an object for each file, the manifest last, so that who sees the manifest
/// sees the rest. Putting an object again changes nothing.
struct S3Sink: ~Copyable {
  let configuration: S3SinkConfiguration
  let cancellation: Cancellation
  private let curl = CurlHandle()

  init(_ configuration: S3SinkConfiguration, _ cancellation: Cancellation) {
    self.configuration = configuration
    self.cancellation = cancellation
  }

  borrowing func deliver(_ item: Item) -> Outcome {
    do throws(SecretError) {
      let keys = try S3Keys(configuration)
      for file in item.files.reversed() {
        let outcome = put(file, of: item.manifest, keys)
        if outcome != .delivered { return outcome }
      }
      return .delivered
    } catch { return .later(error.text) }
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
      return Self.outcome(of: try curl.perform(request, options, cancellation))
        .naming(request.host)
    } catch { return .later("\(request.host): \(error.text)") }
  }

  private borrowing func url(of file: Item.File, _ manifest: Manifest) -> String {
    let prefix = configuration.prefix.text(for: manifest, escape: Escape.plain)
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

  /// Stores answer 400 and 403 to a clock that is wrong and to keys that have run out, so almost
  /// everything is worth another try. The body is XML with a <Code>.
  static func outcome(of reply: HTTPReply) -> Outcome {
    if (200..<300).contains(reply.status) { return .delivered }
    let code = self.code(in: reply.body)
    let reason = "HTTP \(reply.status)" + (code.map { " \($0)" } ?? "")
    let never = ["EntityTooLarge", "KeyTooLongError", "MetadataTooLarge"]
    if let code, never.contains(code) { return .never(reason) }
    return .later(reason, pause: reply.retryAfter)
  }

  /// Letters between <Code> and </Code>.
  private static func code(in body: [UInt8]) -> String? {
    let start = Array("<Code>".utf8)
    guard let place = body.indices.first(where: { body[$0...].starts(with: start) }) else {
      return nil
    }
    let letters = body[(place + start.count)...].prefix { ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122 }
    return letters.isEmpty ? nil : String(decoding: letters.prefix(64), as: UTF8.self)
  }

  static func base64(hexadecimal: String) -> String {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in hexadecimal.utf8 {
      let value =
        digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    // BASE64_ENCODE_RAW_LENGTH is function-like.
    var text = [CChar](repeating: 0, count: (bytes.count + 2) / 3 * 4)
    unsafe nettle_base64_encode_raw(&text, bytes.count, bytes)
    return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
