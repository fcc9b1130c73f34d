/// A file of the web folder as a response.
public enum WebPage {
  /// The size of a file, in bytes.
  public static let sizeLimit = 1 << 20

  /// Scripts and styles come from this server only, and no page of another origin frames it. WebAssembly is compiled.
  private static let policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  /// The response for a file of this name.
  ///
  /// - Parameters:
  ///   - bytes: The content; nil: there is no such file.
  ///   - origin: The origin of the page that loads it; nil: the client states none.
  public static func response(
    _ name: String, _ bytes: [UInt8]?, for origin: String?
  ) -> WebResponse {
    guard let bytes, let type = type(of: name) else {
      return Problem.notFound.response.shared(with: origin)
    }
    var response = WebResponse(200, type, bytes).shared(with: origin)
    response.add("Cache-Control", "no-cache")
    response.add("Referrer-Policy", "no-referrer")
    response.add("Content-Security-Policy", policy)
    return response
  }

  private static func type(of name: String) -> String? {
    let types = [
      ("html", "text/html; charset=utf-8"), ("js", "text/javascript; charset=utf-8"),
      ("css", "text/css; charset=utf-8"), ("wasm", "application/wasm"),
      ("svg", "image/svg+xml"), ("png", "image/png"), ("ico", "image/x-icon"),
      ("json", "application/json"), ("woff2", "font/woff2"),
      ("ts", "text/plain; charset=utf-8"), ("txt", "text/plain; charset=utf-8"),
    ]
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let suffix = String(Substring(name.utf8[dot...].dropFirst()))
    return types.first { $0.0 == suffix }?.1
  }
}
