import Testing

@testable import Configuration

@Suite struct SinkConfigurationTests {
  func sink(_ text: String) throws(ConfigurationError) -> SinkConfiguration.Kind {
    try HandoffConfiguration("[sink a]\n" + text, file: "h.conf").sinks[0].kind
  }

  @Test func `every key of a web server reaches its field`() throws {
    guard
      case .http(let http) = try sink(
        """
        type = http
        url = http://10.0.0.1:8080/{device}/{id}?n={sequence}
        method = PUT
        body = png
        header-X-Site = 17, left
        header-Accept = */*
        token-file = /run/token
        hmac-key-file = credential:hmac.key
        hmac-header = X-Hub-Signature-256
        ca-file = /ca.pem
        client-certificate = /me.pem
        client-key = /me.key
        proxy = socks5h://127.0.0.1:1080
        follow-redirects = yes
        time-limit = 5s
        """)
    else { throw ConfigurationError([]) }
    #expect(
      http.url.text { "<\($0.rawValue)>" } == "http://10.0.0.1:8080/<device>/<id>?n=<sequence>")
    #expect(http.method == "PUT" && http.body == .png && http.followsRedirects)
    #expect(
      http.headers == [
        .init(name: "X-Site", value: "17, left"), .init(name: "Accept", value: "*/*"),
      ])
    #expect(http.token == .file("/run/token") && http.signingKey == .credential("hmac.key"))
    #expect(http.signatureHeader == "X-Hub-Signature-256")
    #expect(
      http.tls == TLSConfiguration(authority: "/ca.pem", certificate: "/me.pem", key: "/me.key"))
    #expect(http.proxy == "socks5h://127.0.0.1:1080" && http.timeLimit == 5_000_000_000)
  }

  @Test func `every key of an object store reaches its field`() throws {
    guard
      case .s3(let s3) = try sink(
        """
        type = s3
        endpoint = http://127.0.0.1:9000
        bucket = my.bucket-1
        region = eu-central-1
        path-style = yes
        prefix = pads/{year}/{month}/{day}/
        access-key = AKIA_X
        secret-key-file = /secret
        session-token-file = /session
        encryption = aws:kms
        encryption-key = arn:aws:kms:eu-central-1:1:key/2
        """)
    else { throw ConfigurationError([]) }
    #expect(s3.endpoint == "http://127.0.0.1:9000" && s3.bucket == "my.bucket-1")
    #expect(s3.region == "eu-central-1" && s3.pathStyle && s3.accessKey == "AKIA_X")
    #expect(s3.prefix.text { _ in "1" } == "pads/1/1/1/")
    #expect(s3.secretKey == .file("/secret") && s3.sessionToken == .file("/session"))
    #expect(s3.encryption == "aws:kms" && s3.encryptionKey == "arn:aws:kms:eu-central-1:1:key/2")
  }

  @Test func `a broker without TLS has the port of those`() throws {
    guard case .mqtt(let mqtt) = try sink("type = mqtt\nhost = h\ntopic = t\ntls = no") else {
      throw ConfigurationError([])
    }
    #expect(mqtt.port == 1883 && !mqtt.usesTLS)
  }

  @Test func `a command is words`() throws {
    guard case .command(let command) = try sink("type = command\ncommand = /bin/x -a  b") else {
      throw ConfigurationError([])
    }
    #expect(command.words == ["/bin/x", "-a", "b"] && command.timeLimit == 60_000_000_000)
  }

  @Test(arguments: [
    (
      "type = http\nurl = ftp://x",
      "3: [sink a] url: must start with https://, http://, not \"ftp://x\""
    ),
    ("type = http\nurl = https://", "3: [sink a] url: names no host"),
    (
      "type = http\nurl = https://me:pw@h/",
      "3: [sink a] url: must not name a user: secrets have keys of their own"
    ),
    (
      "type = http\nurl = https://h/{name}",
      "3: [sink a] url: has braces that are none of {id}, {sequence}, {device}, {year}, {month}, {day}"
    ),
    (
      "type = http\nurl = https://h/{id",
      "3: [sink a] url: has braces that are none of {id}, {sequence}, {device}, {year}, {month}, {day}"
    ),
    (
      "type = http\nurl = https://h/}",
      "3: [sink a] url: has braces that are none of {id}, {sequence}, {device}, {year}, {month}, {day}"
    ),
    (
      "type = http\nurl = https://h\ntoken-file = abc",
      "4: [sink a] token-file: must be an absolute path or credential:NAME: secrets do not stand here"
    ),
    (
      "type = http\nurl = https://h\ntoken-file = credential:../x",
      "4: [sink a] token-file: must be an absolute path or credential:NAME: secrets do not stand here"
    ),
    (
      "type = http\nurl = https://h\nclient-key = /k",
      "4: [sink a] client-key: client-certificate and client-key go together"
    ),
    ("type = http\nurl = https://h\nheader-X = ä", "4: [sink a] header-X: must be ASCII"),
    (
      "type = s3\nendpoint = https://h\nbucket = a/b\naccess-key = x\nsecret-key-file = /s",
      "4: [sink a] bucket: must be at most 63 letters, digits, - and ., not \"a/b\""
    ),
    (
      "type = s3\nendpoint = https://h\nbucket = b\naccess-key = x\nsecret-key-file = /s\nprefix = a b",
      "7: [sink a] prefix: must be letters, digits, - . _ / and places in braces, not \"a b\""
    ),
    (
      "type = s3\nendpoint = https://h\nbucket = b\naccess-key = x\nsecret-key-file = /s\nencryption-key = k",
      "7: [sink a] encryption-key: needs encryption = aws:kms"
    ),
    (
      "type = command\ncommand = deliver",
      "3: [sink a] command: must be an absolute path, not \"deliver\""
    ),
    (
      "type = mqtt\nhost = h\ntopic = a/#",
      "4: [sink a] topic: must be a topic without + # and without / at its ends, not \"a/#\""
    ),
    (
      "type = mqtt\nhost = h\ntopic = t\npassword-file = /p",
      "5: [sink a] password-file: needs username"
    ),
  ])
  func `what cannot work is refused`(text: String, expected: String) {
    let error = #expect(throws: ConfigurationError.self) { try sink(text) }
    #expect(error?.lines.first == "h.conf:" + expected)
  }
}
