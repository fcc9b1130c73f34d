import Testing

@testable import Configuration

@Suite struct SinkConfigurationTests {
  @Test(arguments: [
    ("", false), ("status-topic = s", true), ("events-topic = e", true),
    ("status-topic = s\nevents-topic = e", true), ("status-topic = s\nstatus-format = text", false),
  ])
  func `the pad's status is published where a topic is named for it`(
    _ lines: String, _ isPublished: Bool
  ) throws {
    let text = "[sink a]\ntype = mqtt\nhost = h\ntopic = t\n\(lines)"
    let sinks = try HandoffConfiguration(text, file: "h.conf").sinks
    #expect(sinks.map { $0.publishesPresence } == [isPublished])
  }

  func sink(_ text: String) throws(ConfigurationError) -> SinkConfiguration.Kind {
    try HandoffConfiguration("[sink a]\n" + text, file: "h.conf").sinks[0].kind
  }

  @Test func `a sink of any type can be held`() throws {
    let text =
      "[sink a]\ntype = directory\npath = /a\n[sink b]\ntype = command\ncommand = /b\nhold = yes\n"
    let sinks = try HandoffConfiguration(text, file: "h.conf").sinks
    #expect(sinks.map { $0.isHeld } == [false, true])
    #expect(throws: ConfigurationError.self) { try sink("type = directory\npath = /a\nhold = 2\n") }
  }

  @Test(arguments: [
    "header-Content-Length = 5", "header-content-TYPE = text/plain", "header-Idempotency-Key = x",
    "secret-header-Transfer-Encoding = /s", "header-X-Paraph-Signature = x\nhmac-key-file = /k",
    "header-authorization = x\ntoken-file = /t", "header- = x",
    "hmac-header = Content-Length\nhmac-key-file = /k", "body = png\nheader-X-Paraph-Time = x",
    "secret-header- = /s",
  ])
  func `a header that the sink sends itself, or that has no name, is refused`(_ line: String) {
    #expect(throws: ConfigurationError.self) {
      try sink("type = http\nurl = https://h/\n\(line)\n")
    }
  }

  @Test(arguments: [
    "header-Host = a.example", "header-Authorization = x", "header-X-Site = 17",
    "header-X-Paraph-Sequence = {sequence}",
  ])
  func `other headers are sent`(_ line: String) throws {
    _ = try sink("type = http\nurl = https://h/\n\(line)\n")
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
        secret-header-X-API-Key = credential:key
        plaintext-secrets = yes
        token-file = /run/token
        hmac-key-file = credential:hmac.key
        hmac-header = X-Hub-Signature-256
        ca-file = /ca.pem
        client-certificate = /me.pem
        client-key = /me.key
        proxy = socks5h://127.0.0.1:1080
        duplicate-status = 409 410
        time-limit = 5s
        """)
    else { throw ConfigurationError([]) }
    #expect(
      http.url.text { "<\($0.rawValue)>" } == "http://10.0.0.1:8080/<device>/<id>?n=<sequence>")
    #expect(http.method == "PUT" && http.body == .png)
    #expect(http.duplicateStatuses == [409, 410])
    #expect(http.secretHeaders == [.init(name: "X-API-Key", value: .credential("key"))])
    #expect(
      http.headers == [
        .init(name: "X-Site", value: Template(parts: [.text("17, left")])),
        .init(name: "Accept", value: Template(parts: [.text("*/*")])),
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
        plaintext-secrets = yes
        encryption = aws:kms
        encryption-key = arn:aws:kms:eu-central-1:1:key/2
        """)
    else { throw ConfigurationError([]) }
    #expect(s3.endpoint == "http://127.0.0.1:9000" && s3.bucket == "my.bucket-1")
    #expect(s3.region == "eu-central-1" && s3.pathStyle && s3.accessKey == .text("AKIA_X"))
    #expect(s3.prefix.text { _ in "1" } == "pads/1/1/1/")
    #expect(s3.secretKey == .file("/secret") && s3.sessionToken == .file("/session"))
    #expect(s3.encryption == "aws:kms" && s3.encryptionKey == "arn:aws:kms:eu-central-1:1:key/2")
  }

  @Test func `a broker without TLS has the default port 1883`() throws {
    guard case .mqtt(let mqtt) = try sink("type = mqtt\nhost = h\ntopic = t\ntls = no") else {
      throw ConfigurationError([])
    }
    #expect(mqtt.port == 1883 && !mqtt.usesTLS)
  }

  @Test func `a command is split into words`() throws {
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
    ("type = http\nurl = https://", "3: [sink a] url: has no host"),
    (
      "type = http\nurl = https://me:pw@h/",
      "3: [sink a] url: must not contain a user: secrets have their own keys"
    ),
    (
      "type = http\nurl = https://h/{name}",
      "3: [sink a] url: unknown placeholder {name}; valid are {id}, {sequence}, {device}, {date}, {year}, {month}, {day}, {reference}, "
        + "{reference-digest}, {document-digest}, {panel}, {width}, {height}, {strokes}, {machine}, {serial}, {host}"
    ),
    (
      "type = http\nurl = https://h/{id",
      "3: [sink a] url: has a { without a }"
    ),
    (
      "type = http\nurl = https://h/}",
      "3: [sink a] url: has a } without a {"
    ),
    (
      "type = http\nurl = https://h\ntoken-file = abc",
      "4: [sink a] token-file: must be an absolute path or credential:NAME, not the secret itself"
    ),
    (
      "type = http\nurl = https://h\ntoken-file = credential:../x",
      "4: [sink a] token-file: must be an absolute path or credential:NAME, not the secret itself"
    ),
    (
      "type = http\nurl = https://h\ntoken-file = credential:a/b",
      "4: [sink a] token-file: must be an absolute path or credential:NAME, not the secret itself"
    ),
    (
      "type = http\nurl = https://h\nclient-key = /k",
      "4: [sink a] client-key: client-certificate and client-key need each other"
    ),
    ("type = http\nurl = https://h\nheader-X = ä", "4: [sink a] header-X: must be ASCII"),
    (
      "type = http\nurl = https://h\nheader-X = a{b", "4: [sink a] header-X: has a { without a }"
    ),
    (
      "type = http\nurl = https://{panel}.h/", "3: [sink a] url: must not have {panel} in the host"
    ),
    (
      "type = mqtt\nhost = h\ntopic = t\nusername = {id}",
      "5: [sink a] username: {id} cannot be used here, because it differs between signatures; "
        + "valid are {device}, {machine}, {serial}, {host}"
    ),
    (
      "type = s3\nendpoint = https://h\nbucket = a/b\naccess-key = x\nsecret-key-file = /s",
      "4: [sink a] bucket: must be at most 63 letters, digits, - and ., not \"a/b\""
    ),
    (
      "type = s3\nendpoint = https://h\nbucket = b\naccess-key = x\nsecret-key-file = /s\nprefix = a b",
      "7: [sink a] prefix: must be letters, digits, - . _ / and placeholders, not \"a b\""
    ),
    (
      "type = s3\nendpoint = https://h\nbucket = b\naccess-key = x\nsecret-key-file = /s\nencryption-key = k",
      "7: [sink a] encryption-key: needs encryption = aws:kms"
    ),
    (
      "type = http\nurl = http://h\ntoken-file = /t",
      "4: [sink a] token-file: would be sent unencrypted: use https:, or set plaintext-secrets = yes"
    ),
    (
      "type = http\nurl = http://127.0.0.1\nsecret-header-X = /t",
      "4: [sink a] secret-header-X: would be sent unencrypted: use https:, or set plaintext-secrets = yes"
    ),
    (
      "type = http\nurl = https://h\nsecret-header-X = /t\nfollow-redirects = yes",
      "4: [sink a] secret-header-X: cannot be used with follow-redirects = yes"
    ),
    (
      "type = http\nurl = https://h\nduplicate-status = 200",
      "4: [sink a] duplicate-status: must be a whole number from 400 to 499, not \"200\""
    ),
    (
      "type = s3\nendpoint = http://h\nbucket = b\naccess-key = x\nsecret-key-file = /s\n"
        + "session-token-file = /t",
      "7: [sink a] session-token-file: would be sent unencrypted: use https:, or set "
        + "plaintext-secrets = yes"
    ),
    (
      "type = s3\nendpoint = https://h\nbucket = b\naccess-key = x\naccess-key-file = /x\n"
        + "secret-key-file = /s",
      "6: [sink a] access-key-file: cannot be given together with access-key"
    ),
    (
      "type = s3\nendpoint = https://h\nbucket = b\nsecret-key-file = /s",
      "1: [sink a] access-key: is missing: set access-key or access-key-file"
    ),
    (
      "type = s3\nendpoint = https://h\nbucket = b\naccess-key = x\nsecret-key-file = /s\n"
        + "prefix = a/../b",
      "7: [sink a] prefix: must not have . or .. between slashes"
    ),
    (
      "type = mqtt\nhost = h\ntopic = t\nusername = u\npassword-file = /p\ntls = no",
      "6: [sink a] password-file: would be sent unencrypted: set tls = yes, or plaintext-secrets = yes"
    ),
    (
      "type = mqtt\nhost = 127.0.0.1.example.org\ntopic = t\nusername = u\npassword-file = /p\ntls = no",
      "6: [sink a] password-file: would be sent unencrypted: set tls = yes, or plaintext-secrets = yes"
    ),
    (
      "type = mqtt\nhost = h\ntopic = t\nclient-id = {id}",
      "5: [sink a] client-id: {id} cannot be used here, because it differs between signatures; "
        + "valid are {device}, {machine}, {serial}, {host}"
    ),
    (
      "type = mqtt\nhost = h\ntopic = t\nstatus-topic = a/{sequence}",
      "5: [sink a] status-topic: {sequence} cannot be used here, because it differs between signatures; "
        + "valid are {device}, {machine}, {serial}, {host}"
    ),
    (
      "type = mqtt\nhost = h\ntopic = t\nprotocol = 3.1.1\nunrouted = accept",
      "6: [sink a] unrouted: needs protocol = 5"
    ),
    (
      "type = mqtt\nhost = h\ntopic = t\npicture-limit = 0",
      "5: [sink a] picture-limit: must not be 0: no other sink delivers pictures"
    ),
    (
      "type = command\ncommand = deliver",
      "3: [sink a] command: must be an absolute path, not \"deliver\""
    ),
    (
      "type = mqtt\nhost = h\ntopic = a/#",
      "4: [sink a] topic: must be a topic of at most 1024 bytes without + and #, without / at its"
        + " ends and without $ at its start, not \"a/#\""
    ),
    (
      "type = mqtt\nhost = h\ntopic = $SYS/a",
      "4: [sink a] topic: must be a topic of at most 1024 bytes without + and #, without / at its"
        + " ends and without $ at its start, not \"$SYS/a\""
    ),
    (
      "type = mqtt\nhost = h\ntopic = t\npassword-file = /p",
      "5: [sink a] password-file: needs username"
    ),
  ])
  func `invalid settings are refused`(text: String, expected: String) {
    let error = #expect(throws: ConfigurationError.self) { try sink(text) }
    #expect(error?.lines.first == "h.conf:" + expected)
  }

  @Test func `a password may be sent to the same machine without TLS`() throws {
    for host in ["localhost", "127.0.0.1", "::1"] {
      _ = try sink(
        "type = mqtt\nhost = \(host)\ntopic = t\nusername = u\npassword-file = /p\ntls = no")
    }
  }

  @Test func `a sink may receive only manifests if another receives the pictures`() throws {
    let text = "[sink a]\ntype = mqtt\nhost = h\ntopic = t\npicture-limit = 0\n"
    let both = try HandoffConfiguration(
      text + "[sink b]\ntype = directory\npath = /b", file: "h.conf")
    #expect(both.sinks.map { $0.carriesPictures } == [false, true])
    #expect(throws: ConfigurationError.self) {
      try HandoffConfiguration(text, file: "h.conf")
    }
  }

  @Test func `MQTT 5 is the default, and 3.1.1 causes a warning`() throws {
    let text = "[sink a]\ntype = mqtt\nhost = h\ntopic = t\n"
    let five = try HandoffConfiguration(text, file: "h.conf")
    guard case .mqtt(let mqtt) = five.sinks[0].kind else { throw ConfigurationError([]) }
    #expect(mqtt.version == .five && !mqtt.acceptsUnrouted && mqtt.pictureLimit == 32 << 20)
    let three = try HandoffConfiguration(text + "protocol = 3.1.1", file: "h.conf")
    for (configuration, count) in [(five, 0), (three, 1)] {
      let lines = HandoffValidator(configuration).problems.lines.filter {
        $0.contains("protocol")
      }
      #expect(lines.count == count)
    }
    #expect(
      HandoffValidator(three).problems.lines.contains(
        "h.conf:5: warning: [sink a] protocol: 3.1.1 has no reason codes: the broker may acknowledge a "
          + "message that it discards"))
  }

  @Test(arguments: [".", ".."])
  func `a device's name cannot be . or ..`(name: String) {
    let handoff = #expect(throws: ConfigurationError.self) {
      try HandoffConfiguration(
        "[handoff]\ndevice-name = \(name)\n[sink b]\ntype = directory\npath = /b", file: "f")
    }
    #expect(handoff?.lines == ["f:2: [handoff] device-name: must not be . or .."])
    #expect(throws: ConfigurationError.self) {
      try PadConfiguration("[pad]\ndevice-name = \(name)", file: "f", models: [])
    }
  }
}
