internal import Configuration
internal import Spool

/// Delivers to a web server, a request for each item.
struct HTTPSink: ~Copyable {
  let configuration: HTTPSinkConfiguration
  let cancellation: Cancellation
  private let curl = CurlHandle()

  init(_ configuration: HTTPSinkConfiguration, _ cancellation: Cancellation) {
    self.configuration = configuration
    self.cancellation = cancellation
  }

  borrowing func deliver(_ item: Item) -> Outcome {
    do throws(SecretError) {
      let secrets = try Secrets(configuration)
      let request = self.request(for: item, secrets)
      return perform(request, secrets).naming(request.host)
    } catch { return .later(error.text) }
  }

  private borrowing func perform(_ request: HTTPRequest, _ secrets: Secrets) -> Outcome {
    let options = HTTPRequest.Options(
      tls: configuration.tls, proxy: configuration.proxy,
      followsRedirects: configuration.followsRedirects, timeLimit: configuration.timeLimit)
    do throws(HTTPError) {
      let reply = try curl.perform(request, options, cancellation)
      return outcome(of: reply, reply.firstLine(without: secrets.sent))
    } catch { return .later(error.text) }
  }

  /// Read for each delivery.
  private struct Secrets {
    let token: String?
    let headers: [String]
    let signingKey: [UInt8]?
    /// Those that the server gets.
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
      url: configuration.url.text(for: manifest, escape: Escape.percent),
      method: configuration.method)
    request.headers = ["Idempotency-Key: \(manifest.id.text)"]
    switch configuration.body {
    case .multipart:
      let multipart = Multipart(item)
      request.headers.append("Content-Type: \(multipart.contentType)")
      request.body = multipart.body
    case .png:
      request.headers += [
        "Content-Type: image/png", "X-Paraph-Sequence: \(manifest.sequence)",
        "X-Paraph-Time: \(manifest.time)",
      ]
      request.body = item.files.first { $0.name == ItemFile.png.name }?.bytes ?? []
    }
    request.headers += configuration.headers.map { "\($0.name): \($0.value)" }
    request.headers += secrets.headers
    request.token = secrets.token
    if let key = secrets.signingKey {
      let digest = HMAC.text(of: request.body, key: key)
      request.headers.append("\(configuration.signatureHeader): sha256=\(digest)")
    }
    return request
  }

  /// Only errors of the item itself are permanent. What is wrong with the configuration, the network or the
  /// server is not: putting it right delivers everything.
  private borrowing func outcome(of reply: HTTPReply, _ line: String?) -> Outcome {
    let said = line.map { ": " + $0 } ?? ""
    let status = "HTTP \(reply.status)"
    if configuration.duplicateStatuses.contains(reply.status) { return .delivered }
    switch reply.status {
    case 200..<300: return .delivered
    case 300..<400: return .later("\(status): a redirect; set url to where it leads")
    case 400, 406, 411...417, 422, 431: return .never(status + said)
    case 401, 403: return .later("\(status): credentials rejected; \(credentials)\(said)")
    // RFC 9110 does not say whether the server has the signature: it may as well be at work on it.
    case 409:
      return .later(
        "\(status): conflict; set duplicate-status = 409 if the server has it already\(said)",
        pause: reply.retryAfter)
    default: return .later(status + said, pause: reply.retryAfter)
    }
  }

  /// Where to look when they are rejected.
  private var credentials: String {
    if configuration.token != nil { return "check token-file" }
    if let header = configuration.secretHeaders.first {
      return "check secret-header-\(header.name)"
    }
    return "set token-file or secret-header-NAME"
  }
}
