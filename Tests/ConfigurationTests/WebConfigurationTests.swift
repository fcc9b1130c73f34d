import Testing

@testable import Configuration

@Suite struct WebConfigurationTests {
  static let hash = String(repeating: "0a", count: 32)

  func web(_ text: String) throws(ConfigurationError) -> WebConfiguration {
    try WebConfiguration(text, file: "w.conf")
  }

  @Test func `an empty file serves this machine only, and mirrors nothing`() throws {
    let web = try web("")
    #expect(web.listeners == [.address("127.0.0.1", 8420)])
    #expect(web.pad == "/run/paraph/org.paraph.Pad")
    #expect(!web.mirror && !web.press && web.tokens.isEmpty && web.tls == nil)
  }

  @Test func `the network needs a certificate, a host and a token`() throws {
    let web = try web(
      """
      [web]
      listen = 0.0.0.0:8421 [::]:8421 [fd00::aF]:8421 /run/x/web.sock
      hosts = pad.example:8421
      origins = https://shop.example http://localhost:3000
      mirror = yes
      press = yes
      certificate = /etc/a.pem
      key = /etc/b.pem
      [token shop]
      hash = \(Self.hash)
      permissions = ask press
      [token wall]
      hash = \(Self.hash)
      """)
    #expect(
      web.listeners == [
        .address("0.0.0.0", 8421), .address("::", 8421), .address("fd00::aF", 8421),
        .path("/run/x/web.sock"),
      ])
    #expect(web.tls == .init(certificate: "/etc/a.pem", key: "/etc/b.pem"))
    #expect(web.origins == ["https://shop.example", "http://localhost:3000"])
    #expect(web.tokens.map { $0.permissions } == [[.ask, .press], [.ask]])
    #expect(web.tokens[0].hash == [UInt8](repeating: 0x0a, count: 32))
  }

  @Test(arguments: [
    (
      "[web]\nlisten = 0.0.0.0:80",
      "w.conf:2: [web] listen: 0.0.0.0 is beyond this machine: it needs certificate and key"
    ),
    (
      "[web]\nlisten = localhost:80",
      "w.conf:2: [web] listen: must be ADDRESS:PORT, [ADDRESS]:PORT or an absolute path below 108 bytes, not \"localhost:80\""
    ),
    (
      "[web]\nlisten = 127.0.0.1:0",
      "w.conf:2: [web] listen: must be ADDRESS:PORT, [ADDRESS]:PORT or an absolute path below 108 bytes, not \"127.0.0.1:0\""
    ),
    (
      "[web]\nlisten = 127.0.0.1:+80",
      "w.conf:2: [web] listen: must be ADDRESS:PORT, [ADDRESS]:PORT or an absolute path below 108 bytes, not \"127.0.0.1:+80\""
    ),
    (
      "[web]\nlisten = 127.0.0.1:80 127.0.0.1:080",
      "w.conf:2: [web] listen: names \"127.0.0.1:080\" twice"
    ),
    (
      "[web]\nlisten = [fd00::g]:80",
      "w.conf:2: [web] listen: must be ADDRESS:PORT, [ADDRESS]:PORT or an absolute path below 108 bytes, not \"[fd00::g]:80\""
    ),
    (
      "[web]\norigins = https://a.example/",
      "w.conf:2: [web] origins: must be origins such as https://example.org, not \"https://a.example/\""
    ),
    (
      "[web]\norigins = *",
      "w.conf:2: [web] origins: must start with https://, http://, not \"*\""
    ),
    (
      "[web]\nhosts = Pad.example",
      "w.conf:2: [web] hosts: must be host names in lower case, with the port, not \"Pad.example\""
    ),
    ("[web]\ncertificate = /a", "w.conf:1: [web] key: is missing: certificate needs it"),
    ("[token a]", "w.conf:1: [token a] hash: is missing"),
    (
      "[token a]\nhash = secret",
      "w.conf:2: [token a] hash: must be a SHA-256 of 64 hexadecimal digits in lower case"
    ),
    (
      "[token a]\nhash = \(hash)\npermissions = all",
      "w.conf:3: [token a] permissions: must be of ask, mirror, press, scrape, not \"all\""
    ),
    ("[web]\nlocal-tokens = yes", "w.conf:2: [web] local-tokens: needs a section [token NAME]"),
    ("[web]\nmirrors = yes", "w.conf:2: [web] mirrors: unknown key (did you mean 'mirror'?)"),
  ])
  func `invalid settings are refused`(text: String, expected: String) {
    let error = #expect(throws: ConfigurationError.self) { try web(text) }
    #expect(error?.lines.first == expected)
  }
}
