import CLinux
import Configuration
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// The receiver that config/delivery.md shows, as it is printed there.
@Suite struct ReceiverExampleTests {
  let folder = TemporaryFolder()

  /// The indented block that holds `word`.
  func example(_ word: String) throws -> String {
    try DocumentedExamples(of: "delivery.md").block(word)
  }

  func key(_ name: String, _ text: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Fixtures.write(path, Array(text.utf8))
    chmod(path, 0o600)
    return path
  }

  @Test func `the receiver keeps a signature, accepts a repetition, and refuses another key`()
    throws
  {
    let (port, known) = (String(try TestServer.freePort()), try key("key", "signing key\n"))
    let log = try FileDescriptor(
      opening: folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    let receiver = try ChildProcess(
      "/bin/sh",
      [
        "-c", "cd \"$0\" && exec /usr/bin/python3 -c \"$@\"", folder.path,
        try example("http.server"), known, port,
      ], output: log.number, error: log.number)
    defer { receiver.signal(SIGKILL) }

    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    let id = try Fixtures.publish(&publisher).id
    let item = try Item(id, in: Spool(at: publisher.path).new)
    HTTPClient.prepareLibrary()
    let cancellation = try Cancellation()
    func send(_ key: String) throws -> Outcome {
      let text = """
        [sink web]
        type = http
        url = http://127.0.0.1:\(port)/
        hmac-key-file = \(key)
        """
      let sinks = try HandoffConfiguration(text, file: "test").sinks
      guard case .http(let http) = sinks[0].kind else { return .permanentFailure("no sink") }
      return HTTPSink(http, cancellation).deliver(item)
    }
    #expect(try eventually { try send(known) == .delivered })
    for file in item.files {
      #expect(try Fixtures.read("\(folder.path)/\(id.text)/\(file.name)") == file.bytes)
    }
    #expect(try send(known) == .delivered)
    let refused = try send(try key("other", "another key\n"))
    guard case .temporaryFailure(let reason, _, _) = refused else {
      Issue.record("it answers \(refused)")
      return
    }
    #expect(reason.contains("HTTP 401"))
  }
}
