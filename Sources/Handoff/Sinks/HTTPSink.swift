internal import Configuration
internal import Nettle
internal import Spool

/// Delivers to a web server, with one request for each item.
struct HTTPSink: ~Copyable {
  private let configuration: HTTPSinkConfiguration
  private let cancellation: Cancellation
  private let names: DeviceNames
  private let client = HTTPClient()

  init(_ configuration: HTTPSinkConfiguration, _ cancellation: Cancellation) {
    self.configuration = configuration
    self.cancellation = cancellation
    names = DeviceNames(configuration.deviceName)
  }

  borrowing func deliver(_ item: Item) -> Outcome {
    do throws(SecretError) {
      let secrets = try Secrets(configuration)
      let request = self.request(for: item, secrets)
      return perform(request, without: secrets.sent, item.manifest.personalTexts)
        .naming(request.host)
    } catch { return .temporaryFailure(error.text) }
  }

  /// `secrets` and `texts`: what the log must not contain.
  private borrowing func perform(
    _ request: HTTPRequest, without secrets: [String], _ texts: [String]
  ) -> Outcome {
    let options = HTTPRequest.Options(
      tls: configuration.tls, proxy: configuration.proxy,
      followsRedirects: configuration.followsRedirects, timeLimit: configuration.timeLimit)
    do throws(HTTPError) {
      let reply = try client.perform(request, options, cancellation)
      return outcome(of: reply, reply.firstLine(without: secrets, texts))
    } catch { return .temporaryFailure(error.text, kind: error.kind) }
  }

  /// Secrets, which are read again for each delivery.
  private struct Secrets {
    let token: String?
    let headers: [String]
    let signingKey: [UInt8]?
    /// The secrets that the server receives.
    let sent: [String]

    init(_ configuration: HTTPSinkConfiguration) throws(SecretError) {
      token = try configuration.token?.readText()
      signingKey = try configuration.signingKey?.read()
      var headers: [String] = []
      var sent: [String] = []
      for header in configuration.secretHeaders {
        let value = try header.value.readText()
        headers.append("\(header.name): \(value)")
        sent.append(value)
      }
      if let token { sent.append(token) }
      self.headers = headers
      self.sent = sent
    }
  }

  private borrowing func request(for item: Item, _ secrets: Secrets) -> HTTPRequest {
    let manifest = item.manifest
    var request = HTTPRequest(
      url: names.text(configuration.url, for: manifest, escape: Escape.percentEncoded),
      method: configuration.method)
    request.headers = ["Idempotency-Key: \(manifest.id.text)"]
    switch configuration.body {
    case .multipart:
      let multipart = Multipart(item)
      request.headers.append("Content-Type: \(multipart.contentType)")
      request.body = multipart.body
    case .png:
      request.headers += [
        "Content-Type: \(item.picture?.mediaType ?? ItemFile.png.mediaType)",
        "X-Paraph-Sequence: \(manifest.sequence)",
        "X-Paraph-Time: \(manifest.time)",
      ]
      request.body = item.picture?.bytes ?? []
    }
    request.headers += configuration.headers.map {
      "\($0.name): \(names.text($0.value, for: manifest, escape: Escape.header))"
    }
    request.headers += secrets.headers
    request.token = secrets.token
    if let key = secrets.signingKey {
      let digest = SHA256.authenticationCode(of: request.body, key: key)
      request.headers.append("\(configuration.signatureHeader): sha256=\(digest)")
    }
    return request
  }

  /// Only errors that concern the item are permanent. After an error of configuration, network or server is
  /// corrected, everything can be delivered.
  private borrowing func outcome(of reply: HTTPReply, _ line: String?) -> Outcome {
    let detail = line.map { ": " + $0 } ?? ""
    let status = "HTTP \(reply.status)"
    if configuration.duplicateStatuses.contains(reply.status) { return .delivered }
    switch reply.status {
    case 200..<300: return .delivered
    // Not followed: a server may answer an expired token with its login page, which takes everything with 200.
    case 302, 303:
      return .temporaryFailure(
        "\(status): a redirect, perhaps to a login page; \(credentials), or set url to its target")
    case 300..<400: return .temporaryFailure("\(status): a redirect; set url to its target")
    case 400, 406, 411...417, 422, 431: return .permanentFailure(status + detail)
    case 401, 403:
      return .temporaryFailure(
        "\(status): credentials rejected; \(credentials)\(detail)",
        kind: FailureKind(status: reply.status))
    // RFC 9110 does not define whether the server has the signature or is still processing it.
    case 409:
      return .temporaryFailure(
        "\(status): conflict; set duplicate-status = 409 if the server has it already\(detail)",
        retryAfter: reply.retryAfter)
    default:
      return .temporaryFailure(
        status + detail, retryAfter: reply.retryAfter, kind: FailureKind(status: reply.status))
    }
  }

  /// The setting to check after a rejection.
  private var credentials: String {
    if configuration.token != nil { return "check token-file" }
    if let header = configuration.secretHeaders.first {
      return "check \(HTTPSinkConfiguration.secretHeaderPrefix)\(header.name)"
    }
    return "set token-file or secret-header-NAME"
  }
}

/// An item as multipart/form-data (RFC 7578). The same item has the same bytes, so that a receiver can compare
/// repeated deliveries.
private struct Multipart {
  let contentType: String
  let body: [UInt8]

  init(_ item: Item) {
    // No file contains the digest of the picture with this prefix.
    let digest = item.picture?.sha256 ?? ""
    let boundary = "paraph-part-" + String(decoding: digest.utf8.prefix(32), as: UTF8.self)
    var body: [UInt8] = []
    for file in item.files {
      let head =
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(file.name)\"; "
        + "filename=\"\(file.name)\"\r\nContent-Type: \(file.mediaType)\r\n\r\n"
      body += Array(head.utf8) + file.bytes + Array("\r\n".utf8)
    }
    body += Array("--\(boundary)--\r\n".utf8)
    self.body = body
    contentType = "multipart/form-data; boundary=\(boundary)"
  }
}
