import CLinux
import Configuration
import JSON
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// Against moto's S3 with authentication on: it checks every signature by botocore's arithmetic.
@Suite(.serialized, .enabled(if: Requirement.hasStore, "moto cannot be installed"))
final class S3SinkTests {
  let folder = TemporaryFolder()
  let cancellation: Cancellation
  let server: TestServer

  init() throws {
    HTTPClient.prepareLibrary()
    cancellation = try Cancellation()
    server = try #require(Self.shared)
  }

  private static let shared: TestServer? = {
    atexit { S3SinkTests.shared?.stop() }
    return try? TestServer(
      "store.py", launcher: TestServer.storeLauncher, limit: 120_000_000_000)
  }()

  func item(_ description: Draft.Description = Fixtures.description) throws -> Item {
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    var draft = try publisher.begin()
    try draft.write(.png, Fixtures.png())
    try draft.write(.strokes, Array("{}".utf8))
    let id = try draft.publish(description).id
    return try Item(id, in: Spool(at: publisher.path).new)
  }

  func sink(_ lines: [String] = []) throws -> S3Sink {
    let access = String(
      decoding: try Fixtures.read(server.folder.path + "/access"), as: UTF8.self)
    func has(_ key: String) -> Bool { lines.contains { $0.hasPrefix(key) } }
    let text =
      [
        "[sink store]", "type = s3", "region = eu-central-1",
        has("access-key-file") ? "" : "access-key = \(access)",
        has("endpoint")
          ? "" : "endpoint = http://127.0.0.1:\(server.port)\npath-style = yes",
        has("bucket") ? "" : "bucket = signatures",
        has("secret-key-file") ? "" : "secret-key-file = \(server.folder.path)/secret",
      ] + lines
    let configuration = try HandoffConfiguration(text.joined(separator: "\n"), file: "test")
    guard case .s3(let s3) = configuration.sinks[0].kind else { throw Errno(EINVAL) }
    return S3Sink(s3, cancellation)
  }

  func deliver(_ item: Item, to server: TestServer, _ lines: [String] = []) throws -> Outcome {
    try sink(lines).deliver(item)
  }

  /// Writes keys of the store to where a sink reads them.
  func give(_ source: String, to name: String) throws {
    let path = folder.path + "/" + name
    try Fixtures.write(path, try Fixtures.read("\(server.folder.path)/\(source)"))
    chmod(path, 0o600)
  }

  /// What another client of S3 sees, and removes.
  func objects(_ server: TestServer) throws -> [JSONValue] {
    let output = try FileDescriptor(
      opening: folder.path + "/objects", O_RDWR | O_CREAT | O_TRUNC, mode: 0o600)
    var child = try ChildProcess(
      TestServer.storeLauncher, ["objects.py", server.folder.path, server.port],
      output: output.number)
    #expect(try child.wait(milliseconds: 60_000) == .exit(0))
    return try Fixtures.read(folder.path + "/objects").split(separator: 10)
      .map { try JSONValue.parse(Array($0), limits: .init(size: 1 << 20)) }
  }

  @Test func `an item becomes an object for each file, whole, typed and encrypted`() throws {
    var description = Fixtures.description
    description.device = "Locker 17/ä"
    let item = try item(description)
    let outcome = try deliver(
      item, to: server, ["prefix = pads/{device}/{year}/", "encryption = AES256"])
    #expect(outcome == .delivered)
    let objects = try objects(server)
    let year = item.manifest.time.prefix(4)
    let start = "pads/Locker_17___/\(year)/\(item.manifest.id.text)/"
    #expect(
      Set(objects.map { $0["key"]?.text }) == Set(item.files.map { start + $0.name }))
    for object in objects {
      let file = try #require(item.files.first { start + $0.name == object["key"]?.text })
      #expect(object["sha256"]?.text == file.sha256)
      #expect(object["type"]?.text == file.mediaType)
      #expect(object["checksum"]?.text == S3Sink.base64(hexadecimal: file.sha256))
      #expect(object["encryption"]?.text == "AES256")
    }
    #expect(
      try deliver(item, to: server, ["prefix = pads/{device}/{year}/"]) == .delivered)
    #expect(try self.objects(server).count == 3)
  }

  @Test func `the bucket can be part of the host name`() throws {
    let item = try item()
    let endpoint = "endpoint = http://s3.localhost:\(server.port)/"
    #expect(try deliver(item, to: server, [endpoint]) == .delivered)
    #expect(try objects(server).count == 3)
  }

  @Test func `a wrong secret and a missing bucket wait, with the store's reason`() throws {
    let wrong = folder.path + "/wrong"
    try Fixtures.write(wrong, Array("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".utf8))
    chmod(wrong, 0o600)
    let item = try item()
    #expect(
      try deliver(item, to: server, ["secret-key-file = \(wrong)"])
        == .temporaryFailure("127.0.0.1:\(server.port): HTTP 403 SignatureDoesNotMatch"))
    #expect(
      try deliver(item, to: server, ["bucket = elsewhere"])
        == .temporaryFailure("127.0.0.1:\(server.port): HTTP 404 NoSuchBucket"))
    #expect(try objects(server).isEmpty)
  }

  @Test func `an answer that is not a store's leaves the item in the spool`() throws {
    // Answers each request with 201.
    let portal = try TestServer("web.py")
    let lines = ["endpoint = http://127.0.0.1:\(portal.port)", "path-style = yes"]
    #expect(
      try deliver(try item(), to: server, lines)
        == .temporaryFailure(
          "127.0.0.1:\(portal.port): HTTP 201: not a store's answer (no ETag); "
            + "check endpoint and proxy"))
    #expect(try portal.requests().count == 1)
  }

  @Test func `temporary keys are signed with their session token, over TLS`() throws {
    let front = try TestServer("tls.py", [server.port])
    let keys = [
      "access-key-file = \(folder.path)/access", "secret-key-file = \(folder.path)/secret",
      "session-token-file = \(folder.path)/session",
      "endpoint = https://localhost:\(front.port)", "path-style = yes",
      "ca-file = \(front.folder.path)/ca.pem",
    ]
    for name in ["access", "secret", "session"] { try give("role-" + name, to: name) }
    let item = try item()
    #expect(try deliver(item, to: server, keys) == .delivered)
    #expect(try objects(server).count == 3)
    try give("secret", to: "session")
    #expect(
      try deliver(item, to: server, keys)
        == .temporaryFailure("localhost:\(front.port): HTTP 400 InvalidToken"))
    #expect(
      try deliver(item, to: server, keys.dropLast() + ["ca-file = \(front.folder.path)/client.pem"])
        == .temporaryFailure(
          "localhost:\(front.port): the server's certificate is not trusted "
            + "(unable to get local issuer certificate); check ca-file and the clock"))
  }

  @Test func `keys that change are read for the next delivery, together`() throws {
    let sink = try sink([
      "access-key-file = \(folder.path)/access", "secret-key-file = \(folder.path)/secret",
    ])
    for name in ["access", "secret"] { try give("role-" + name, to: name) }
    let item = try item()
    // The role's keys need a session token.
    #expect(sink.deliver(item) != .delivered)
    for name in ["access", "secret"] { try give(name, to: name) }
    #expect(sink.deliver(item) == .delivered)
    #expect(try objects(server).count == 3)
  }
}

@Suite struct S3ReplyTests {
  @Test func `a reply's status and ETag select the outcome`() {
    func outcome(_ status: Int, _ body: String, hasEntityTag: Bool = false) -> Outcome {
      S3Sink.outcome(
        of: HTTPReply(status: status, body: Array(body.utf8), hasEntityTag: hasEntityTag))
    }
    #expect(outcome(200, "", hasEntityTag: true) == .delivered)
    #expect(outcome(503, "", hasEntityTag: true) == .temporaryFailure("HTTP 503"))
    #expect(
      outcome(200, "")
        == .temporaryFailure(
          "HTTP 200: not a store's answer (no ETag); check endpoint and proxy"))
    #expect(
      outcome(400, "<Error><Code>EntityTooLarge</Code></Error>")
        == .permanentFailure("HTTP 400 EntityTooLarge"))
    #expect(
      outcome(403, "<Code>RequestTimeTooSkewed</Code>")
        == .temporaryFailure("HTTP 403 RequestTimeTooSkewed"))
    #expect(outcome(503, "<Code></Code>") == .temporaryFailure("HTTP 503"))
    #expect(outcome(500, "<Code>\u{1b}[2J") == .temporaryFailure("HTTP 500"))
  }

  @Test func `base64 is that of RFC 4648, section 10`() {
    #expect(S3Sink.base64(hexadecimal: "666f6f626172") == "Zm9vYmFy")
    #expect(S3Sink.base64(hexadecimal: "666f6f6261") == "Zm9vYmE=")
    #expect(S3Sink.base64(hexadecimal: "66") == "Zg==")
  }
}
