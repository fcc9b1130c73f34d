import CLinux
import Linux
import Seal

/// Answers the requests of a program on standard input, one after the other, until it closes the connection.
struct SealService: ~Copyable {
  /// The location of the pad's key, from the option `--sign-key`; nil: the credential.
  private let signKey: String?
  private let output = FileDescriptor(owning: 1)
  /// Read once, so that a signature waits for it only if it was not prepared.
  private var key: PrivateKey?
  /// Why it could not be read. It is not tried again: a token blocks itself after a few wrong PINs.
  private var keyFailure: SealError?
  /// The sealer of the last certificates, in PEM. A signature uses the prepared ones, unless they
  /// were replaced meanwhile.
  private var sealer: (texts: [[UInt8]], sealer: Sealer)?
  private var signer: (text: [UInt8], signer: Signer)?

  /// How long a request may take, in seconds: a TPM may hang, and the caller is gone after 8.
  private static let timeLimit: UInt32 = 30

  static func run(signKey: String?) throws(SealCommand.Failure) {
    if isatty(0) == 1 {
      throw SealCommand.Failure(
        code: EX_USAGE, text: "reads requests of paraphd from standard input; see paraph-seal(8)")
    }
    var service = SealService(signKey: signKey)
    var input = Input()
    while let content = try input.next() {
      if let reply = service.reply(to: content) { try service.write(reply) }
      // No time limit while the process waits for the next request.
      alarm(0)
    }
  }

  private init(signKey: String?) { self.signKey = signKey }

  private borrowing func write(_ reply: SealReply) throws(SealCommand.Failure) {
    guard let bytes = reply.bytes else {
      throw SealCommand.Failure(code: EX_SOFTWARE, text: "the reply is too long")
    }
    do throws(Errno) { try output.writeAll(bytes) } catch {
      throw SealCommand.Failure(code: EX_IOERR, text: "standard output: \(error.text)")
    }
  }

  /// Nil: the request has none.
  private mutating func reply(to content: [UInt8]) -> SealReply? {
    do throws(SealError) {
      switch SealRequest(content: content) {
      case nil: return .failed("the request is invalid: are all programs of the same version?")
      case .prepare(let recipients, by: let signer):
        prepare(recipients, signer)
        return nil
      case .seal(let files, for: let certificates):
        let sealer = try sealer(for: certificates)
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
        do throws(SealError) { return .signed(try sign(bytes, by: certificate)) } catch {
          // Reported as a token's failure, because the caller may not know where the key is, and
          // must not try a PIN again and again.
          if isToken { return .tokenFailed(error.reason) }
          throw error
        }
      case .tryKey(of: let certificate):
        return isToken ? .untried : .signed(try sign([], by: certificate))
      case .query(let bytes): return .query(try TimestampQuery.of(bytes))
      case .stamp(let stamp): return try TimestampCheck.reply(to: stamp)
      }
    } catch { return .failed(error.reason) }
  }

  /// Seals and signs a dummy, because OpenSSL loads an algorithm at its first use.
  private mutating func prepare(_ recipients: [[UInt8]], _ signer: [UInt8]?) {
    do throws(SealError) {
      if !recipients.isEmpty { _ = try sealer(for: recipients).seal([0]) }
      // A token counts wrong PINs, and a stroke that nobody sends must not cost a try.
      if let signer, !isToken { _ = try sign([], by: signer) }
    } catch {
      // The request that needs it reports the failure.
    }
  }

  private var isToken: Bool { signKey.map { PrivateKey.isInToken($0) } ?? false }

  private mutating func sign(_ bytes: [UInt8], by certificate: [UInt8]) throws(SealError) -> [UInt8]
  {
    let signature = try signer(by: certificate).sign(bytes)
    // Verified here, so that a receiver is not the first to notice a defective token.
    guard try Signer.isValid(signature, of: bytes, by: certificate) else {
      throw SealError("the signature of the key is invalid")
    }
    return signature
  }

  private mutating func sealer(for texts: [[UInt8]]) throws(SealError) -> Sealer {
    if let sealer, sealer.texts == texts { return sealer.sealer }
    let made = try Sealer(texts)
    sealer = (texts, made)
    return made
  }

  private mutating func signer(by text: [UInt8]) throws(SealError) -> Signer {
    if let signer, signer.text == text { return signer.signer }
    let made = try Signer(key: signingKey(), certificate: text)
    signer = (text, made)
    return made
  }

  /// The pad's key: in a TPM or token, a file, or the credential of the service.
  private mutating func signingKey() throws(SealError) -> PrivateKey {
    if let key { return key }
    if let keyFailure { throw keyFailure }
    do throws(SealError) {
      let read = try Self.readKey(signKey)
      key = read
      return read
    } catch {
      if let signKey, PrivateKey.isURI(signKey) { keyFailure = error }
      throw error
    }
  }

  private static func readKey(_ option: String?) throws(SealError) -> PrivateKey {
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
      guard let bytes = try file.readAll(limit: SealCommand.keyLimit) else { throw Errno(EFBIG) }
      text = bytes
    } catch {
      throw SealError(
        error.rawValue == 0
          ? "\(path) is readable by all users: run chmod o-r" : "\(path): \(error.text)")
    }
    return try PrivateKey(text)
  }

  /// Standard input, split into frames.
  private struct Input: ~Copyable {
    private let file = FileDescriptor(owning: 0)
    private var bytes: [UInt8] = []
    private var isFirst = true

    init() {}

    /// The content of the next frame; nil: the connection has ended before it.
    mutating func next() throws(SealCommand.Failure) -> [UInt8]? {
      // The first request must arrive in time. Later ones may wait for the person.
      if isFirst { alarm(SealService.timeLimit) }
      defer { isFirst = false }
      if bytes.isEmpty, try !read(), !isFirst { return nil }
      alarm(SealService.timeLimit)
      while bytes.count < SealFrame.headSize { try readMore() }
      guard let size = SealFrame.contentSize(head: Array(bytes[..<SealFrame.headSize])) else {
        throw Self.invalid
      }
      let end = SealFrame.headSize + size
      while bytes.count < end { try readMore() }
      let content = Array(bytes[SealFrame.headSize..<end])
      bytes.removeFirst(end)
      return content
    }

    private static var invalid: SealCommand.Failure {
      SealCommand.Failure(code: EX_DATAERR, text: "standard input is no request of paraphd, or cut")
    }

    private mutating func readMore() throws(SealCommand.Failure) {
      if try !read() { throw Self.invalid }
    }

    /// Returns false at the end.
    private mutating func read() throws(SealCommand.Failure) -> Bool {
      do throws(Errno) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var span = chunk.mutableSpan
        var part = unsafe span.mutableBytes
        let count = try file.read(into: &part)
        bytes += chunk[..<count]
        return count > 0
      } catch {
        throw SealCommand.Failure(code: EX_IOERR, text: "standard input: \(error.text)")
      }
    }
  }
}
