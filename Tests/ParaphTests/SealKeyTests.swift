import CLinux
import Linux
import SpoolFixtures
import Testing

/// `paraph seal` beside the commands of openssl that do the same.
@Suite struct SealKeyTests {
  let folder = TemporaryFolder(on: TemporaryFolder.filesystems.last ?? "/tmp")

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func openssl(_ arguments: String...) throws -> Programs.Result {
    try Programs.run(path: "/usr/bin/openssl", arguments)
  }

  private func names() throws -> [String] { try Linux.Folder.names(of: folder.path) }

  /// Signs by a key, and verifies by its certificate.
  private func expectSignature(_ key: String, _ certificate: String) throws {
    try Fixtures.write(path("content"), [1, 2, 3])
    let signed = try openssl(
      "cms", "-sign", "-binary", "-in", path("content"), "-signer", certificate, "-inkey", key,
      "-outform", "DER", "-out", path("p7s"))
    #expect(signed.end == .exit(0), "\(signed.text)")
    let verified = try openssl(
      "cms", "-verify", "-binary", "-inform", "DER", "-in", path("p7s"), "-content",
      path("content"), "-CAfile", certificate, "-out", "/dev/null")
    #expect(verified.end == .exit(0), "\(verified.text)")
  }

  @Test(arguments: [("ec", "ASN1 OID: prime256v1"), ("rsa", "(3072 bit")])
  func `openssl reads the key, the request and the certificate`(
    _ type: String, _ expected: String
  ) throws {
    let (key, request, certificate) = (path("pad.key"), path("pad.csr"), path("pad.pem"))
    let made = try Tool.run("seal", "new-key", "--type", type, "-o", key)
    #expect(made.status == 0 && made.output.isEmpty && made.error.isEmpty, "\(made)")
    #expect(try FileStatus(of: key).mode & 0o777 == 0o600)
    #expect(try openssl("pkey", "-in", key, "-noout", "-text", "-check").output.contains(expected))
    let subject = "/CN=counter \\/ 3/O=Zürich"
    #expect(
      try Tool.run("seal", "request", "--key", key, "--subject", subject, "-o", request).status == 0
    )
    let read = try openssl(
      "req", "-in", request, "-verify", "-noout", "-subject", "-nameopt", "utf8")
    #expect(read.end == .exit(0) && read.text.contains("verify OK"), "\(read.text)")
    #expect(read.output == "subject=CN=counter / 3, O=Zürich\n", "\(read.output)")
    let signed = try Tool.run(
      "seal", "self-sign", "--key", key, "--subject", subject, "--days", "40", "-o", certificate)
    #expect(signed.status == 0, "\(signed)")
    // The pad reads it as another user. The umask is that of any other file.
    _ = try FileDescriptor(opening: path("other"), O_CREAT | O_WRONLY, mode: 0o644)
    let readable = try FileStatus(of: path("other")).mode & 0o777
    for made in [request, certificate] {
      #expect(try FileStatus(of: made).mode & 0o777 == readable)
    }
    let checked = try openssl("verify", "-x509_strict", "-CAfile", certificate, certificate)
    #expect(checked.end == .exit(0), "\(checked.text)")
    let day = 86_400
    #expect(try openssl("x509", "-in", certificate, "-checkend", "\(39 * day)").end == .exit(0))
    #expect(try openssl("x509", "-in", certificate, "-checkend", "\(41 * day)").end == .exit(1))
    let usage = try openssl("x509", "-in", certificate, "-noout", "-ext", "keyUsage").output
    #expect(usage.contains("Digital Signature, Non Repudiation"))
    try expectSignature(key, certificate)
  }

  @Test func `keys and certificates by the commands of the documentation serve as well`() throws {
    let (key, certificate) = (path("pad.key"), path("pad.pem"))
    let made = try openssl(
      "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
    #expect(made.end == .exit(0), "\(made.text)")
    // Of openssl's key, and openssl's certificate of ours.
    #expect(
      try Tool.run("seal", "self-sign", "--key", key, "--subject", "/CN=a", "-o", certificate)
        .status == 0)
    try expectSignature(key, certificate)
    #expect(try Tool.run("seal", "new-key", "-o", path("own.key")).status == 0)
    let signed = try openssl(
      "req", "-x509", "-new", "-key", path("own.key"), "-subj", "/CN=b", "-days", "10", "-addext",
      "basicConstraints=critical,CA:FALSE", "-addext",
      "keyUsage=critical,digitalSignature,nonRepudiation", "-out", path("own.pem"))
    #expect(signed.end == .exit(0), "\(signed.text)")
    try expectSignature(path("own.key"), path("own.pem"))
    // As an authority does.
    #expect(
      try Tool.run(
        "seal", "request", "--key", path("own.key"), "--subject", "/CN=c", "-o", path("csr")
      )
      .status == 0)
    let issued = try openssl(
      "x509", "-req", "-in", path("csr"), "-CA", certificate, "-CAkey", key, "-days", "10",
      "-out", path("issued.pem"))
    #expect(issued.end == .exit(0), "\(issued.text)")
  }

  @Test func `two certificates of one name differ in their numbers`() throws {
    #expect(try Tool.run("seal", "new-key", "-o", path("pad.key")).status == 0)
    let numbers = try ["a", "b"].map { name in
      #expect(
        try Tool.run(
          "seal", "self-sign", "--key", path("pad.key"), "--subject", "/CN=x", "-o", path(name)
        ).status == 0)
      return try openssl("x509", "-in", path(name), "-noout", "-serial").output
    }
    #expect(numbers[0] != numbers[1] && numbers[0].hasPrefix("serial="))
  }

  @Test func `nothing is replaced, and a mistake is one line and no file`() throws {
    let key = path("pad.key")
    try Fixtures.write(key, [1])
    #expect(try Tool.run("seal", "new-key", "-o", key).isMistake(73))
    #expect(try Fixtures.read(key) == [1])
    unlink(key)
    symlink(path("nowhere"), key)
    #expect(try Tool.run("seal", "new-key", "-o", key).isMistake(73))
    unlink(key)
    #expect(try Tool.run("seal", "new-key", "-o", path("none/key")).isMistake(73))
    #expect(try Tool.run("seal", "new-key").isMistake(64))
    #expect(try Tool.run("seal", "new-key", "--type", "dsa", "-o", key).isMistake(64))
    func request(_ key: String, _ subject: String) throws -> Tool.Result {
      try Tool.run("seal", "request", "--key", key, "--subject", subject, "-o", path("csr"))
    }
    #expect(try request(key, "/CN=x").isMistake(66))
    #expect(try request("/proc/self/status", "/CN=x").isMistake(65))
    #expect(try Tool.run("seal", "new-key", "-o", key).status == 0)
    for subject in ["", "/", "CN=x", "/CN=", "/=x", "/CN=x/", "/CN", "/NONE=x", "/C=Germany"] {
      let result = try request(key, subject)
      #expect(result.isMistake(65), "\(subject): \(result)")
    }
    for days in ["0", "-1", "x", "36501", "99999999999"] {
      let result = try Tool.run(
        "seal", "self-sign", "--key", key, "--subject", "/CN=x", "--days=\(days)", "-o", path("pem")
      )
      #expect(result.isMistake(64), "\(days): \(result)")
    }
    let edwards = try SealKeys(.edwards, "edwards", in: folder)
    let result = try request(edwards.key, "/CN=x")
    #expect(result.error == "paraph: the key is neither RSA nor EC\n", "\(result)")
    for name in ["pin-value", "PIN-Value"] {
      let result = try request("pkcs11:object=pad?\(name)=1234", "/CN=x")
      #expect(result.error.contains("must not contain a PIN"), "\(result)")
      #expect(!result.error.contains("1234"), "\(result)")
    }
    let locked = path("locked.key")
    _ = try openssl("pkcs8", "-topk8", "-in", key, "-out", locked, "-passout", "pass:secret")
    #expect(try request(locked, "/CN=x").error.contains("has a passphrase"))
    #expect(try names() == ["edwards.key", "edwards.pem", "locked.key", "pad.key"])
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `a disk that fails at any call leaves no file, and a key that is reported is on the disk`()
    throws
  {
    let all = try SystemCalls.faults(
      of: "paraph", ["seal", "new-key", "-o", path("first.key")], from: folder.path)
    #expect(all.count > 10)
    unlink(path("first.key"))
    let faults = Soak.isOn ? all : Array(all.shuffled().prefix(30))
    for fault in faults {
      let key = path("pad.key")
      let result = try SystemCalls.run("paraph", ["seal", "new-key", "-o", key], with: fault)
      if result.end == .exit(0) {
        #expect(try openssl("pkey", "-in", key, "-noout").end == .exit(0), "\(fault)")
      } else if Fixtures.exists(key) {
        // Whole, but perhaps not there after a power cut: its folder could not be synchronised.
        #expect(fault.name == "fsync", "\(fault)")
        #expect(try openssl("pkey", "-in", key, "-noout").end == .exit(0), "\(fault)")
      }
      unlink(key)
      let left = try names()
      #expect(left.isEmpty, "\(fault): \(left)")
    }
  }

  @Test(
    .enabled(if: SystemCalls.isAvailable, "needs strace"),
    arguments: ["linkat", "fsync", "write", "renameat2"])
  func `a command that is killed leaves a whole key or none`(_ call: String) throws {
    // The last one is of filesystems without unnamed files; its draft is hidden.
    let other =
      call == "renameat2" ? ["-e", "inject=openat:error=EOPNOTSUPP:when=\(try unnamed())"] : []
    let result = try Programs.run(
      path: SystemCalls.tracer,
      ["-qq", "-o", "/dev/null", "-e", "inject=\(call):signal=SIGKILL:when=1"] + other
        + [Programs.path("paraph"), "seal", "new-key", "-o", path("pad.key")])
    #expect(result.end != .exit(0))
    #expect(
      try !Fixtures.exists(path("pad.key"))
        || openssl("pkey", "-in", path("pad.key"), "-noout").end == .exit(0))
    #expect(try names().allSatisfy { $0 == "pad.key" || $0.hasPrefix(".pad.key.paraph-") })
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `on a filesystem without unnamed files, a key is made and nothing is replaced`() throws {
    let number = try unnamed()
    func run() throws -> Programs.Result {
      try Programs.run(
        path: SystemCalls.tracer,
        [
          "-qq", "-o", "/dev/null", "-e", "inject=openat:error=EOPNOTSUPP:when=\(number)",
          Programs.path("paraph"), "seal", "new-key", "-o", path("pad.key"),
        ])
    }
    #expect(try run().end == .exit(0))
    let key = try Fixtures.read(path("pad.key"))
    #expect(try FileStatus(of: path("pad.key")).mode & 0o777 == 0o600)
    #expect(try run().end == .exit(73))
    #expect(try Fixtures.read(path("pad.key")) == key)
    #expect(try names() == ["pad.key"])
  }

  /// Which call of openat(2) opens the unnamed file.
  private func unnamed() throws -> Int {
    let (trace, key) = (path("trace"), path("traced.key"))
    let result = try Programs.run(
      path: SystemCalls.tracer,
      [
        "-qq", "-o", trace, "-e", "trace=openat", Programs.path("paraph"), "seal", "new-key", "-o",
        key,
      ])
    try #require(result.end == .exit(0), "\(result.text)")
    let calls = try Fixtures.text(trace).split(separator: "\n").filter { $0.hasPrefix("openat(") }
    unlink(trace)
    unlink(key)
    return try #require(calls.firstIndex { $0.contains("O_TMPFILE") }) + 1
  }
}
