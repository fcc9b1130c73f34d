import CLinux
import Configuration
import Linux
import Seal
import Spool
import SealClient
import SpoolFixtures
import Testing

@testable import Pad

/// Sealing by the built paraph-seal, with keys that openssl makes, and by programs that fail.
@Suite struct SealingTests {
  let folder = TemporaryFolder()
  private let files: [Sealing.File] = [
    (.png, [0x89, 0x50]), (.svg, Array("<svg/>".utf8)), (.inkml, Array("<ink/>".utf8)),
    (.strokes, Array("{}".utf8)),
  ]

  private func configuration(_ keys: [SealKeys], _ more: String = "") throws -> SealConfiguration {
    try configuration(keys.map { $0.certificate }, more)
  }

  private func configuration(_ paths: [String], _ more: String = "") throws -> SealConfiguration {
    try PadConfiguration(
      "[seal]\nrecipients = \(paths.joined(separator: " "))\nswap = allow\n\(more)", file: "",
      models: Appliance.modelNames
    ).seal
  }

  private var program: String { Programs.path("paraph-seal") }

  /// A sealing that has been checked, and what the check found.
  private func checked(
    _ configuration: SealConfiguration, _ path: String? = nil, timeLimit: Int = 15_000,
    time: Int64? = nil
  ) -> (sealing: Sealing, problem: String?, warnings: [String]) {
    var sealing = Sealing(
      configuration, program: SealProgram(path ?? program, timeLimit: timeLimit),
      runtimeDirectory: nil)
    var warnings: [String] = []
    let problem = sealing.check(at: 0, time: time) { warnings.append($0) }
    // This machine may have swap.
    return (sealing, problem, warnings.filter { !$0.contains("swap") })
  }

  /// Writes a program of the shell.
  private func script(_ text: String) throws -> String {
    let path = folder.path + "/program"
    try Fixtures.write(path, Array("#!/bin/sh\n\(text)\n".utf8))
    chmod(path, 0o755)
    return path
  }

  private func failure(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? SealFailure)?.text ?? "\(error)" }
    return nil
  }

  // MARK: - Sealing

  @Test func `every recipient opens the sealed files by openssl, and the picture stays plain`()
    throws
  {
    let keys = try [
      SealKeys(.rsa, "notary", in: folder), SealKeys(.ellipticCurve, "archive", in: folder),
    ]
    let (sealing, problem, warnings) = checked(try configuration(keys))
    #expect(problem == nil && warnings.isEmpty)
    let sealed = try sealing.seal(files)
    #expect(sealed.map { $0.file } == [.png, .sealedSVG, .sealedInkML, .sealedStrokes])
    #expect(sealed[0].bytes == files[0].bytes)
    for (place, file) in sealed.enumerated().dropFirst() {
      #expect(SealedForm.matches(file.bytes))
      for key in keys { #expect(try key.open(file.bytes, in: folder) == files[place].bytes) }
    }
    let stranger = try SealKeys(.rsa, "stranger", in: folder)
    #expect(try stranger.open(sealed[1].bytes, in: folder) == nil)
  }

  @Test func `openssl names the algorithms of the documentation`() throws {
    let keys = try [
      SealKeys(.rsa, "notary", in: folder), SealKeys(.ellipticCurve, "archive", in: folder),
    ]
    let (sealing, _, _) = checked(try configuration(keys))
    let path = folder.path + "/strokes.json.cms"
    try Fixtures.write(path, try sealing.seal([files[3]])[0].bytes)
    let result = try Programs.run(
      path: "/usr/bin/openssl",
      ["cms", "-cmsout", "-print", "-noout", "-inform", "DER", "-in", path])
    #expect(result.end == .exit(0), "\(result.text)")
    let lines = result.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    for line in [
      "contentType: id-smime-ct-authEnvelopedData (", "algorithm: aes-256-gcm (",
      "algorithm: rsaesOaep (", "algorithm: dhSinglePass-stdDH-sha256kdf-scheme (",
    ] { #expect(lines.contains { $0.hasPrefix(line) }, "\(line): \(result.output)") }
    // The digest of OAEP, and that of its mask.
    #expect(lines.count { $0.hasSuffix(":sha256") } == 2, "\(result.output)")
    for name in ["notary", "archive"] {
      #expect(lines.contains { $0.hasPrefix("issuer: ") && $0.hasSuffix(name) })
    }
  }

  @Test func `the picture is sealed if the configuration says so`() throws {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder)
    let (sealing, problem, _) = checked(try configuration([key], "picture = yes"))
    #expect(problem == nil)
    let sealed = try sealing.seal([files[0]])
    #expect(sealed.map { $0.file } == [.sealedPNG])
    #expect(try key.open(sealed[0].bytes, in: folder) == files[0].bytes)
  }

  @Test func `without recipients nothing is sealed or checked`() throws {
    let (sealing, problem, _) = checked(try configuration([SealKeys]()), "/nowhere")
    #expect(problem == nil)
    #expect(try sealing.seal(files).map { $0.file } == files.map { $0.file })
  }

  @Test func `a file of the spool's limit is sealed`() throws {
    let key = try SealKeys(.rsa, "notary", in: folder)
    let (sealing, _, _) = checked(try configuration([key]))
    let large = [UInt8](repeating: 7, count: ItemFile.sizeLimit - 4096)
    #expect(try sealing.seal([(.strokes, large)])[0].bytes.count <= ItemFile.sizeLimit)
    // With its envelope it would be larger than receivers accept.
    let larger = [UInt8](repeating: 7, count: ItemFile.sizeLimit)
    #expect(
      failure { _ = try sealing.seal([(.strokes, larger)]) }
        == "paraph-seal: what it sealed is invalid or too large")
  }

  // MARK: - Recipients

  @Test func `a certificate that is missing, damaged or unsuitable puts the pad out of service`()
    throws
  {
    let good = try SealKeys(.rsa, "good", in: folder)
    func problem(_ path: String) throws -> String? {
      checked(try configuration([good.certificate, path])).problem
    }
    func line(_ path: String, _ reason: String) -> String {
      "config: [seal] recipients: \(path): \(reason)"
    }
    let missing = folder.path + "/missing.pem"
    #expect(try problem(missing) == line(missing, "No such file or directory"))
    #expect(
      try problem(good.key)
        == line(good.key, "contains a private key, which does not belong in this file"))
    let damaged = folder.path + "/damaged.pem"
    let text = try Fixtures.text(good.certificate)
    try Fixtures.write(damaged, Array(text.replacing("MII", with: "AII").utf8))
    #expect(try problem(damaged)?.hasPrefix(line(damaged, "the certificate is damaged")) == true)
    for (kind, reason) in [
      (SealKeys.Kind.edwards, "the certificate's key is neither RSA nor EC"),
      (.shortRSA, "the certificate's RSA key has fewer than 2048 bits"),
      (.weakCurve, "the certificate's EC key has a strength below 112 bits"),
      (.signingRSA, "the certificate's key usage has no keyEncipherment"),
      (.signingCurve, "the certificate's key usage has no keyAgreement"),
    ] {
      let keys = try SealKeys(kind, "unsuitable", in: folder)
      #expect(try problem(keys.certificate) == line(keys.certificate, reason))
    }
  }

  @Test func `dates are checked if the clock is right, and refused if configured`() throws {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder, days: 100)
    let now = WallClock.now / 1_000_000_000
    let day: Int64 = 86_400
    func found(_ time: Int64?, _ more: String = "") throws -> (String?, [String]) {
      let (_, problem, warnings) = checked(try configuration([key], more), time: time)
      return (problem, warnings)
    }
    let line = "config: [seal] recipients: \(key.certificate) "
    #expect(try found(now) == (nil, []))
    #expect(try found(now + 90 * day + 60) == (nil, [line + "expires in 9 days"]))
    #expect(try found(now + 102 * day) == (nil, [line + "expired 2 days ago"]))
    #expect(try found(now + 102 * day, "expired = refuse") == (line + "expired 2 days ago", []))
    #expect(
      try found(now - 2 * day, "expired = refuse").0?.hasPrefix(line + "becomes valid") == true)
    // A Pi without a network starts in another year.
    #expect(try found(nil, "expired = refuse") == (nil, []))
  }

  @Test func `a warning is logged once, and again when it changes`() throws {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder, days: 10)
    var sealing = Sealing(
      try configuration([key]), program: SealProgram(program), runtimeDirectory: nil)
    let now = WallClock.now / 1_000_000_000
    var lines: [String] = []
    for time in [now + 60, now + 120, now + 86_520] {
      _ = sealing.check(at: 0, time: time) { if !$0.contains("swap") { lines.append($0) } }
    }
    #expect(lines.map { $0.hasSuffix("in 9 days") } == [true, false])
  }

  @Test func `a reload takes other recipients, and keeps the former ones if one is unusable`()
    throws
  {
    let old = try SealKeys(.ellipticCurve, "old", in: folder)
    let new = try SealKeys(.ellipticCurve, "new", in: folder)
    var (sealing, _, _) = checked(try configuration([old]))
    var lines: [String] = []
    sealing.reload([old.key]) { lines.append($1) }
    #expect(
      lines == [
        "config: [seal] recipients: \(old.key): contains a private key, which does not belong in this file; the pad keeps "
          + "its former recipients"
      ])
    #expect(try old.open(sealing.seal(files)[1].bytes, in: folder) == files[1].bytes)
    sealing.reload([new.certificate]) { lines.append($1) }
    let sealed = try sealing.seal(files)[1].bytes
    #expect(try new.open(sealed, in: folder) == files[1].bytes)
    #expect(try old.open(sealed, in: folder) == nil)
  }

  @Test func `without former recipients, a failed reload keeps the new paths`() throws {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder)
    let (wrong, path) = (folder.path + "/wrong.pem", folder.path + "/program")
    var sealing = Sealing(
      try configuration([wrong]), program: SealProgram(path), runtimeDirectory: nil)
    #expect(sealing.check(at: 0, time: nil) { _ in }?.contains(wrong) == true)
    var lines: [String] = []
    sealing.reload([key.certificate]) { lines.append($1) }
    #expect(
      lines == [
        "paraph-seal: \(path): No such file or directory; the pad stays out of service"
      ])
    symlink(program, path)
    #expect(sealing.check(at: 60_000_000_000, time: nil) { _ in } == nil)
    #expect(try key.open(sealing.seal(files)[3].bytes, in: folder) == files[3].bytes)
  }

  // MARK: - Faults

  @Test func `a slow test of many recipients has one limit, and is not repeated at once`() throws {
    let keys = try (0..<3).map { try SealKeys(.ellipticCurve, "notary\($0)", in: folder) }
    let slow = try script("exec sleep 60")
    var sealing = Sealing(
      try configuration(keys), program: SealProgram(slow, timeLimit: 300), runtimeDirectory: nil)
    let late = "paraph-seal: no reply within 300 ms"
    #expect(sealing.check(at: 0, time: nil) { _ in } == late)
    // A test of 8 s lets the thread work for 16 s.
    #expect(Sealing.nextTest(after: 8_000_000_000, at: 5) == 24_000_000_005)
    #expect(Sealing.nextTest(after: 0, at: 5) == 4_000_000_005)
    // This one would answer. All recipients are one request to one process.
    let calls = folder.path + "/calls"
    sealing.program = SealProgram(try script("echo >>\(calls); exec \(program)"))
    #expect(sealing.check(at: 4_200_000_000, time: nil) { _ in } == late)
    #expect(!Fixtures.exists(calls))
    #expect(sealing.check(at: 60_000_000_000, time: nil) { _ in } == nil)
    #expect(try Fixtures.read(calls).count == 1)
  }

  @Test func `the program has no variables of this one, and ends first if memory is short`() throws
  {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder)
    setenv("NOTIFY_SOCKET_OF_TEST", "1", 1)
    let found = folder.path + "/found"
    let (_, problem, _) = checked(
      try configuration([key]), try script("/usr/bin/env >\(found); exec \(program)"))
    #expect(problem == nil)
    let names = try Fixtures.text(found).split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(Set(names).subtracting(["PWD", "OLDPWD", "SHLVL", "_"]).isEmpty, "\(names)")
    // It waits for its request.
    let pair = try SocketPair()
    let child = try ChildProcess(program, [], input: pair.other.number, output: pair.other.number)
    #expect(
      eventually { (try? Fixtures.text("/proc/\(child.pid)/oom_score_adj")) == "500\n" })
  }

  @Test func `a missing program is named, and the pad is in service when it is back`() throws {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder)
    let path = folder.path + "/program"
    var sealing = Sealing(
      try configuration([key]), program: SealProgram(path), runtimeDirectory: nil)
    let missing = "paraph-seal: \(path): No such file or directory"
    #expect(sealing.check(at: 0, time: nil) { _ in } == missing)
    #expect(failure { _ = try sealing.seal(files) } == missing)
    symlink(program, path)
    // Each test starts a process: not more often than every four seconds.
    #expect(sealing.check(at: 3_000_000_000, time: nil) { _ in } == missing)
    #expect(sealing.check(at: 5_000_000_000, time: nil) { _ in } == nil)
    #expect(try sealing.seal(files).count == 4)
    unlink(path)
    // Known only when it fails.
    #expect(sealing.check(at: 10_000_000_000, time: nil) { _ in } == nil)
    #expect(failure { _ = try sealing.seal(files) } == missing)
    sealing.failed()
    #expect(sealing.check(at: 15_000_000_000, time: nil) { _ in } == missing)
  }

  @Test(arguments: [
    ("exit 3", "ended without a reply (exit code 3)"),
    ("kill -9 $$", "ended without a reply (signal 9)"),
    // Before it has read the request, and after.
    ("exec 0<&-; kill -9 $$", "ended without a reply (signal 9)"),
    ("cat >/dev/null; kill -11 $$", "ended without a reply (signal 11)"),
    ("sleep 60", "no reply within 300 ms"),
    ("cat >/dev/null; printf PSL1; sleep 60", "no reply within 300 ms"),
    ("echo garbage", "its reply is invalid or cut"),
    ("cat >/dev/null; printf 'PSL1\\000\\000\\000\\011\\001'", "its reply is invalid or cut"),
    // Unsealed ink in a reply: "{}" as a sealed file.
    (
      "cat >/dev/null; printf 'PSL1\\000\\000\\000\\007\\001\\000\\000\\000\\002{}'",
      "what it sealed is invalid or too large"
    ),
    // A sealed file of 15 bytes, which has no ink.
    (
      "cat >/dev/null; printf 'PSL1\\000\\000\\000\\024\\001\\000\\000\\000\\017"
        + "\\060\\015\\006\\013\\052\\206\\110\\206\\367\\015\\001\\011\\020\\001\\027'",
      "what it sealed is invalid or too large"
    ),
    // A description instead of files, and more bytes than the reply has.
    (
      "cat >/dev/null; printf 'PSL1\\000\\000\\000\\007\\001\\000\\000\\000\\002{}x'",
      "its reply is invalid or cut"
    ),
    (
      "cat >/dev/null; printf 'PSL1\\000\\000\\000\\010\\003\\000\\000\\000\\003why'", "why"
    ),
  ])
  func `a program that fails at any step is an error with its reason`(
    _ text: String, _ reason: String
  ) throws {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder)
    var (sealing, problem, _) = checked(try configuration([key]))
    try #require(problem == nil)
    // The program is replaced by one that fails.
    let limit = reason.hasPrefix("no reply") ? 300 : 8000
    sealing.program = SealProgram(try script(text), timeLimit: limit)
    let large = [UInt8](repeating: 7, count: 1 << 20)
    #expect(failure { _ = try sealing.seal([(.strokes, large)]) } == "paraph-seal: \(reason)")
  }

  @Test(.enabled(if: Sanitizer.isOff, "a sanitizer has memory of its own"))
  func `a program without memory is an error`() throws {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder)
    var (sealing, _, _) = checked(try configuration([key]))
    sealing.program = SealProgram(
      try script("ulimit -c 0; ulimit -v 60000; exec \(program) 2>/dev/null"))
    let large = [UInt8](repeating: 7, count: 24 << 20)
    let reason = try #require(failure { _ = try sealing.seal([(.strokes, large)]) })
    #expect(reason.hasPrefix("paraph-seal: "))
    // The program runs with this memory: a short file is sealed.
    #expect(try sealing.seal([(.strokes, [1])]).count == 1)
  }

  @Test func `systemd's socket is used if it is named`() throws {
    let key = try SealKeys(.ellipticCurve, "notary", in: folder)
    let path = folder.path + "/socket"
    // As a socket unit with Accept=yes: a process for each connection.
    let server = try ChildProcess(
      "/usr/bin/python3",
      [
        "-c",
        """
        import socket, subprocess, sys
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(sys.argv[1])
        listener.listen()
        while True:
            connection, _ = listener.accept()
            subprocess.Popen([sys.argv[2]], stdin=connection, stdout=connection)
            connection.close()
        """, path, program,
      ])
    // It may not listen yet when the file is there.
    #expect(eventually { (try? FileDescriptor(connectingTo: path)) != nil })
    let (sealing, problem, _) = checked(try configuration([key]), path)
    #expect(problem == nil)
    #expect(try key.open(sealing.seal(files)[3].bytes, in: folder) == files[3].bytes)
    _ = consume server
    #expect(
      failure { _ = try sealing.seal(files) } == "paraph-seal: \(path): Connection refused")
  }
}
