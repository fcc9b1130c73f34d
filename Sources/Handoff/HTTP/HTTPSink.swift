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
    let request: HTTPRequest
    do throws(SecretError) {
      request = try self.request(for: item)
    } catch { return .later(error.text) }
    let options = HTTPRequest.Options(
      tls: configuration.tls, proxy: configuration.proxy,
      followsRedirects: configuration.followsRedirects, timeLimit: configuration.timeLimit)
    do throws(HTTPError) {
      return Self.outcome(of: try curl.perform(request, options, cancellation))
    } catch { return .later(error.text) }
  }

  private borrowing func request(for item: Item) throws(SecretError) -> HTTPRequest {
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
    request.token = try configuration.token?.readText()
    if let key = try configuration.signingKey?.read() {
      let digest = HMAC.text(of: request.body, key: key)
      request.headers.append("\(configuration.signatureHeader): sha256=\(digest)")
    }
    return request
  }

  /// What is wrong with this item alone is never; what is wrong with the configuration, the network or
  /// the server is later, so that putting it right delivers everything.
  static func outcome(of reply: HTTPReply) -> Outcome {
    switch reply.status {
    case 200..<300: .delivered
    case 300..<400: .later("HTTP \(reply.status): a redirect; set url to where it leads")
    case 400, 406, 411...417, 422, 431: .never("HTTP \(reply.status)")
    case 401, 403: .later("HTTP \(reply.status): the server does not accept who asks")
    default: .later("HTTP \(reply.status)", pause: reply.retryAfter)
    }
  }
}
