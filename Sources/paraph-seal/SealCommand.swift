import CLibcrypto
import CLinux
import Commands
import Configuration
import Linux
import Seal

/// The command line: answers requests, makes keys, verifies, or opens a sealed file. Exit codes are those of sysexits.h.
enum SealCommand {
  /// The limit of a sealed file, in bytes.
  private static let fileLimit = 40 << 20
  /// The limit of a key or certificate, in bytes.
  static let keyLimit = 1 << 20

  struct Failure: Error {
    let code: Int32
    let text: String
  }

  static func run(_ words: [String]) -> Never {
    // If paraphd starts this program and memory is short, the kernel must kill this program first.
    // Set before dumps are forbidden, because that makes the file root's.
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
        } else if let output = try output(arguments) {
          try write(output)
        } else {
          try SealService.run(signKey: arguments.value("sign-key"))
        }
      } catch { Process.end(error.code, "paraph-seal: \(error.text)") }
      Process.end(EX_OK)
    }
  }

  /// Nil: requests are answered.
  private static func output(_ arguments: Arguments) throws(Failure) -> [UInt8]? {
    if arguments.has("unseal") { return try unsealed(arguments) }
    if arguments.has("new-key") || arguments.has("request") || arguments.has("self-sign") {
      return try made(arguments)
    }
    return nil
  }

  private static func raiseOOMScore() {
    do throws(Errno) {
      let file = try FileDescriptor(opening: "/proc/self/oom_score_adj", O_WRONLY)
      try file.writeAll(Array("500".utf8))
    } catch {
      // There is no /proc, or the score is higher already, and this program may not lower it.
    }
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
      try certificateText(path) { (text) throws(SealError) in
        try Signer.checkCertificates(text)
      }
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
        let owner =
          CertificateText.number(in: certificate) == 1
          ? "the owner of the certificate has not" : "no owner of these certificates has"
        throw SealError("\(owner) signed this")
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
