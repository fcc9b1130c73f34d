import CLibcrypto
import CLinux
import Commands
import Configuration
import Linux
import Seal

/// Answers one request on standard input, or opens a sealed file. Exit codes are those of sysexits.h.
enum SealCommand {
  /// The limit of a sealed file, in bytes.
  private static let fileLimit = 40 << 20
  /// The limit of a key or certificate, in bytes.
  private static let keyLimit = 1 << 20

  private struct Failure: Error {
    let code: Int32
    let text: String
  }

  static func run(_ words: [String]) -> Never {
    // Where paraphd starts this program, the kernel must end this one first if memory is short. Before dumps are
    // forbidden, which makes the file root's.
    raiseOOMScore()
    // Neither ink nor keys in core dumps, nor for debuggers of the same user.
    CLinux_forbidDumps()
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try DaemonArguments.seal.parse(words) {
        BuildVersions.lines + [unsafe String(cString: OpenSSL_version(OPENSSL_VERSION))]
      }
    } catch { Process.end(EX_USAGE, "paraph-seal: \(error.line)") }
    switch invocation {
    case .print(let text): Process.end(EX_OK, output: text)
    case .run(let arguments):
      do throws(Failure) {
        if arguments.has("verify") {
          try verify(arguments)
        } else {
          try write(output(arguments))
        }
      } catch { Process.end(error.code, "paraph-seal: \(error.text)") }
      Process.end(EX_OK)
    }
  }

  private static func output(_ arguments: Arguments) throws(Failure) -> [UInt8] {
    if arguments.has("unseal") { return try unsealed(arguments) }
    if arguments.has("new-key") || arguments.has("request") || arguments.has("self-sign") {
      return try made(arguments)
    }
    return try reply(arguments)
  }

  private static func raiseOOMScore() {
    do throws(Errno) {
      let file = try FileDescriptor(opening: "/proc/self/oom_score_adj", O_WRONLY)
      try file.writeAll(Array("500".utf8))
    } catch {
      // Without /proc, or with a higher score, which is not this program's to lower.
    }
  }

  // MARK: - A request

  /// The reply to the request on standard input.
  private static func reply(_ arguments: Arguments) throws(Failure) -> [UInt8] {
    if isatty(0) == 1 {
      throw Failure(
        code: EX_USAGE, text: "reads a request of paraphd from standard input; see paraph-seal(8)")
    }
    let frame = try input(limit: SealFrame.sizeLimit)
    guard let content = SealFrame.content(of: frame) else {
      throw Failure(code: EX_DATAERR, text: "standard input is no request of paraphd, or cut")
    }
    return try bytes(of: reply(to: content, arguments))
  }

  private static func bytes(of reply: SealReply) throws(Failure) -> [UInt8] {
    guard let bytes = reply.bytes else {
      throw Failure(code: EX_SOFTWARE, text: "the reply is too long")
    }
    return bytes
  }

  private static func reply(to content: [UInt8], _ arguments: Arguments) -> SealReply {
    do throws(SealError) {
      switch SealRequest(content: content) {
      case nil: return .failed("the request is invalid: are all programs of the same version?")
      case .seal(let files, for: let certificates):
        let sealer = try Sealer(certificates)
        var sealed: [[UInt8]] = []
        for file in files { sealed.append(try sealer.seal(file)) }
        return .sealed(sealed)
      case .examine(let certificates):
        let sealer = try Sealer(certificates)
        _ = try sealer.seal([0])
        var descriptions: [SealCertificate] = []
        for certificate in sealer.certificates { descriptions.append(try certificate.description) }
        return .examined(descriptions)
      case .describe(let text):
        let certificate = try Certificate(text)
        _ = try certificate.key
        try certificate.checkSigning()
        return .examined([try certificate.description])
      case .sign(let bytes, by: let certificate):
        let key = try signingKey(arguments.value("sign-key"))
        return .signed(try Signer(key: key, certificate: certificate).sign(bytes))
      case .query(let bytes): return .query(try TimestampQuery.of(bytes))
      case .stamp(let stamp): return try TimestampCheck.reply(to: stamp)
      }
    } catch { return .failed(error.reason) }
  }

  /// The pad's key: in a TPM or token, a file, or the credential of the service.
  private static func signingKey(_ option: String?) throws(SealError) -> PrivateKey {
    if let option, PrivateKey.isURI(option) { return try PrivateKey(at: option) }
    var path = option
    if path == nil, let folder = unsafe getenv("CREDENTIALS_DIRECTORY") {
      path = unsafe String(cString: folder) + "/paraph-key"
    }
    guard let path else { throw SealError("there is no key: set [sign] key, or the credential") }
    let text: [UInt8]
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      if try file.status().mode & 0o004 != 0 {
        throw Errno(0)
      }
      guard let bytes = try file.readAll(limit: keyLimit) else { throw Errno(EFBIG) }
      text = bytes
    } catch {
      throw SealError(
        error.rawValue == 0
          ? "\(path) is readable by all users: run chmod o-r" : "\(path): \(error.text)")
    }
    return try PrivateKey(text)
  }

  // MARK: - Keys

  /// A new key, or what is made of a key, in PEM.
  private static func made(_ arguments: Arguments) throws(Failure) -> [UInt8] {
    if arguments.has("new-key") {
      return try sealing { () throws(SealError) in
        try PrivateKey.make(arguments.value("type") == "rsa" ? .rsa : .ellipticCurve).text
      }
    }
    guard let subject = arguments.value("subject") else {
      throw Failure(code: EX_USAGE, text: "a certificate or request needs '--subject'")
    }
    guard let days = Int32(arguments.value("days") ?? "3650"), (1...36_500).contains(days) else {
      throw Failure(code: EX_USAGE, text: "option '--days' must be from 1 to 36500")
    }
    let key = try privateKey(arguments)
    return try sealing { () throws(SealError) in
      let certificate = try KeyCertificate(key, subject: subject)
      return arguments.has("request")
        ? try certificate.request() : try certificate.selfSigned(days: days)
    }
  }

  /// The key of --key: a file, or in a TPM or token.
  private static func privateKey(_ arguments: Arguments) throws(Failure) -> PrivateKey {
    guard let name = arguments.value("key") else {
      throw Failure(code: EX_USAGE, text: "option '--key' is missing")
    }
    if PrivateKey.isURI(name) {
      do throws(SealError) { return try PrivateKey(at: name) } catch {
        throw Failure(code: EX_NOINPUT, text: error.reason)
      }
    }
    let text = try read(name)
    return try sealing { () throws(SealError) in try PrivateKey(text) }
  }

  private static func sealing<Result>(
    _ body: () throws(SealError) -> Result
  ) throws(Failure) -> Result {
    do throws(SealError) { return try body() } catch {
      throw Failure(code: EX_DATAERR, text: error.reason)
    }
  }

  // MARK: - Verifying

  private static func verify(_ arguments: Arguments) throws(Failure) {
    let paths = (certificate: arguments.value("certificate"), authority: arguments.value("ca"))
    let certificate = try paths.certificate.map { (path) throws(Failure) in
      try certificateText(path) { (text) throws(SealError) in _ = try Certificate(text) }
    }
    let authorities = try paths.authority.map { (path) throws(Failure) in
      try certificateText(path) { (text) throws(SealError) in
        if try !Signer.areAuthorities(text) { throw SealError("contains no certificate in PEM") }
      }
    }
    // Then only the certificates are checked.
    guard let content = arguments.value("content") else { return }
    guard certificate != nil || authorities != nil else {
      throw Failure(code: EX_USAGE, text: "option '--verify' needs '--certificate' or '--ca'")
    }
    let bytes = try read(content)
    let signature = try input(limit: keyLimit)
    var signer: SealCertificate?
    do throws(SealError) {
      if let certificate, try !Signer.isValid(signature, of: bytes, by: certificate) {
        throw SealError("the owner of the certificate has not signed this")
      }
      if let authorities {
        let time = arguments.value("time").flatMap { Int64($0) } ?? WallClock.now / 1_000_000_000
        signer = try Signer.certified(signature, of: bytes, by: authorities, at: time)
      }
    } catch { throw Failure(code: EX_DATAERR, text: error.reason) }
    if let signer { try write(Array("\(signer.subject)\n".utf8)) }
  }

  /// The content of a file with certificates, which `check` has accepted.
  private static func certificateText(
    _ path: String, _ check: ([UInt8]) throws(SealError) -> Void
  ) throws(Failure) -> [UInt8] {
    let text = try read(path)
    do throws(SealError) { try check(text) } catch {
      throw Failure(code: EX_NOINPUT, text: "\(path): \(error.reason)")
    }
    return text
  }

  // MARK: - Opening

  /// The content of the sealed file on standard input.
  private static func unsealed(_ arguments: Arguments) throws(Failure) -> [UInt8] {
    let key = try privateKey(arguments)
    var certificateText: [UInt8]?
    if let path = arguments.value("certificate") { certificateText = try read(path) }
    let sealed = try input(limit: fileLimit)
    do throws(SealError) {
      return try Opener(key: key, certificate: certificateText).open(sealed)
    } catch { throw Failure(code: EX_DATAERR, text: error.reason) }
  }

  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      guard let bytes = try file.readAll(limit: keyLimit) else { throw Errno(EFBIG) }
      return bytes
    } catch { throw Failure(code: EX_NOINPUT, text: "\(path): \(error.text)") }
  }

  private static func input(limit: Int) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try FileDescriptor(owning: 0).readAll(limit: limit)
    } catch { throw Failure(code: EX_IOERR, text: "standard input: \(error.text)") }
    guard let bytes else {
      throw Failure(code: EX_DATAERR, text: "standard input is larger than \(limit) bytes")
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(Errno) {
      try FileDescriptor(owning: 1).writeAll(bytes)
    } catch { throw Failure(code: EX_IOERR, text: "standard output: \(error.text)") }
  }
}
