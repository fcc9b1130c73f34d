import CLinux
import Linux
import Spool
import SpoolFixtures
import Testing

@testable import Handoff

/// With the test's authority among the system's: paraph-handoff runs in a mount namespace where
/// /etc/ssl/certs is a folder of the test's. (libcurl and OpenSSL have its path compiled in.)
@Suite(.serialized, .enabled(if: Requirement.canMount, "it takes root and a mount namespace"))
final class TrustTests {
  let folder = TemporaryFolder()
  var system: String { folder.path + "/system" }

  init() throws {
    let certificates = try #require(TestServer.certificates).path
    for name in ["ca.pem", "client.pem", "server.pem", "server.key"] {
      try Fixtures.write(
        "\(folder.path)/\(name)", try Fixtures.read("\(certificates)/\(name)"))
    }
    mkdir(system, 0o755)
    chmod(folder.path, 0o755)
    chmod(folder.path + "/server.key", 0o644)
    let authority = try Fixtures.read(folder.path + "/ca.pem")
    // The bundle is curl's, the folder of hashes OpenSSL's.
    for name in ["ca-certificates.crt", "ca.pem"] {
      try Fixtures.write("\(system)/\(name)", authority)
    }
    #expect(try Programs.run(path: "/usr/bin/openssl", ["rehash", system]).end == .exit(0))
    var publisher = Publisher(at: folder.path + "/spool")
    _ = try publisher.prepare()
    _ = try Fixtures.publish(&publisher)
  }

  /// What paraph-handoff writes when it delivers once to two sinks that differ by ca-file alone: "system"
  /// has none, "pinned" one that did not sign the server's certificate.
  func log(_ lines: String) throws -> String {
    let text = """
      [spool]
      path = \(folder.path)/spool
      [sink system]
      \(lines)
      [sink pinned]
      \(lines)
      ca-file = \(folder.path)/client.pem
      """
    try Fixtures.write(folder.path + "/handoff.conf", Array(text.utf8))
    let result = try Programs.run(
      path: "/usr/bin/unshare",
      [
        "--mount", "/bin/sh", "-c", "mount --bind \"$0\" /etc/ssl/certs && exec \"$@\"", system,
        Programs.path("paraph-handoff"), "-c", folder.path + "/handoff.conf", "--once",
      ])
    #expect(result.end == .exit(EX_TEMPFAIL))
    return result.error
  }

  @Test func `a web server that the system trusts is refused where ca-file names another`() throws {
    let server = try TestServer("web.py", ["--tls"])
    let log = try log(
      "type = http\nurl = https://localhost:\(server.port)/ok\ntime-limit = 20s")
    #expect(log.contains(" to system ("), "\(log)")
    #expect(log.contains("pinned: delivery of "), "\(log)")
    #expect(log.contains("the server's certificate is not trusted"), "\(log)")
    #expect(try server.requests().count == 1)
  }

  @Test func `a broker that the system trusts is refused where ca-file names another`() throws {
    let port = try TestServer("port.py").port
    try Fixtures.write(
      folder.path + "/configuration",
      Array(
        """
        listener \(port) 127.0.0.1
        certfile \(folder.path)/server.pem
        keyfile \(folder.path)/server.key
        allow_anonymous true

        """.utf8))
    let output = try Programs.open(folder.path + "/broker")
    let broker = try ChildProcess(
      MQTTSinkTests.broker, ["-v", "-c", folder.path + "/configuration"],
      output: output.number, error: output.number)
    #expect(
      try eventually { try Fixtures.text(folder.path + "/broker").contains(" running") })
    let log = try log(
      "type = mqtt\nhost = localhost\nport = \(port)\ntopic = t\nunrouted = accept\n"
        + "time-limit = 20s")
    #expect(log.contains(" to system ("), "\(log)")
    #expect(log.contains("pinned: delivery of "), "\(log)")
    #expect(log.contains("the server's certificate is not trusted"), "\(log)")
    _ = consume broker
  }
}
