internal import Configuration
internal import Linux
internal import Seal
internal import SealClient

/// Has paraph-seal sign manifests with the pad's key, and tells why that is not possible. Belongs to the save thread,
/// which may wait.
struct Signing {
  /// The pad's certificate, as it was when it was read.
  private struct Signer {
    let text: [UInt8]
    let certificate: SealCertificate
  }

  /// The certificate's file; nil: nothing is signed.
  private let path: String?
  var program: SealProgram
  /// Nil until it is read.
  private var signer: Signer?
  /// Signing has failed since it was tested.
  private var isDoubtful = false
  /// Why signing is not possible, as the last test found, or a token's failure after it.
  private var failure: SealFailure?
  /// When the next test may be, CLOCK_MONOTONIC: each starts a process.
  private var nextTest: Int64 = 0
  /// The warning of the last check.
  private var warning: String?
  /// Whether the pad's configuration names a key in a token with a PIN.
  private let hasTokenKey: Bool
  /// Whether a token has failed since the last reload. If systemd starts paraph-seal, only such a
  /// failure shows that the key is in a token.
  private var hasTokenFailed = false
  /// A token has failed before this start, and whether the key is in it now is not known yet.
  private var isTokenUnknown = false
  private var failures: TokenFailures

  /// The failures after which a token is not tried before a reload: it may block itself after three wrong PINs.
  private static let tokenLimit = 2

  /// - Parameter runtimeDirectory: Where failures of a token are counted over restarts; nil: they are not.
  init(
    _ configuration: PadConfiguration, program: SealProgram? = nil,
    runtimeDirectory: String? = nil
  ) {
    let sign = configuration.sign
    path = sign.certificate
    hasTokenKey = sign.key?.utf8.starts(with: "pkcs11:".utf8) == true
    self.program = program ?? SealProgram(configuration.seal.service, key: sign.key)
    failures = TokenFailures(in: runtimeDirectory)
    guard failures.count > 0 else { return }
    // The key may be in a file by now. A file in the configuration does not prove that, because the service may have
    // another key.
    (hasTokenFailed, isTokenUnknown) = (true, !hasTokenKey)
    if let path { failure = earlierFailure(path) }
  }

  private var isToken: Bool { hasTokenKey || hasTokenFailed }
  private var mayTry: Bool { !isToken || failures.count < Self.tokenLimit }

  /// Why a token that has failed before this start is not tried; nil: it may be.
  private func earlierFailure(_ path: String) -> SealFailure? {
    mayTry ? nil : Self.last(.token(path, "the token has failed before this start"))
  }

  /// Whether manifests are signed.
  var isActive: Bool { path != nil }

  /// The certificate that the next signature names, in PEM; nil: it is not known yet, or nothing is signed.
  var certificate: [UInt8]? { signer?.text }

  /// The certificate whose key paraph-seal may load in advance; nil: none. A token's key is not
  /// loaded in advance: each wrong PIN counts, and a stroke that nobody sends must not cost a try.
  var prepared: [UInt8]? { isToken ? nil : certificate }

  /// Signs these bytes: detached CMS SignedData in DER. This is the last request to paraph-seal.
  func sign(_ bytes: [UInt8], by exchange: inout SealExchange) throws(SealFailure) -> [UInt8] {
    guard let path, let signer else {
      throw failure ?? .program("the pad's certificate is unknown")
    }
    return try sign(bytes, signer.text, path, by: &exchange, isLast: true)
  }

  private func sign(
    _ bytes: [UInt8], _ certificate: [UInt8], _ path: String, by exchange: inout SealExchange,
    until limit: Int64? = nil, isLast: Bool
  ) throws(SealFailure) -> [UInt8] {
    try Self.signature(
      in: exchange.ask(.sign(bytes, by: certificate), until: limit, isLast: isLast), path)
  }

  private static func signature(
    in reply: SealReply, _ path: String
  ) throws(SealFailure) -> [UInt8] {
    switch reply {
    case .signed(let signature):
      if signature.count <= sizeLimit, SealedForm.matches(signature, .signedData) {
        return signature
      }
      throw .program("its signature is invalid or too large")
    case .failed(let reason): throw .signer(path, reason)
    case .tokenFailed(let reason): throw .token(path, reason)
    default: throw .program("its reply is invalid or cut")
    }
  }

  /// The limit of a signature that receivers accept, in bytes.
  private static let sizeLimit = 64 << 10

  /// Saving has failed: the next check tests signing.
  mutating func failed() { isDoubtful = true }

  /// Counts a failure that may have cost a token one of its tries: its own, or the end of a
  /// paraph-seal that was given the token's URI. If only the service names the key, paraph-seal
  /// reports that it is in a token. The pad is out of service until a test succeeds, even if no
  /// test is due or allowed.
  mutating func count(_ failure: SealFailure) {
    switch failure {
    case .token: hasTokenFailed = true
    case .program: guard hasTokenKey else { return }
    case .unreachable, .forbidden, .signer, .recipient: return
    }
    failures.add()
    self.failure = failures.count < Self.tokenLimit ? failure : Self.last(failure)
    isDoubtful = true
  }

  /// Counts the failure of a signature that was to be published. Before the certificate is known,
  /// the token was not used.
  mutating func publishingFailed(_ failure: SealFailure) { if signer != nil { count(failure) } }

  /// Checks certificate and key. Returns why the pad is out of service; nil: it can sign, or signs nothing.
  ///
  /// - Parameters:
  ///   - now: CLOCK_MONOTONIC.
  ///   - time: In seconds since 1970; nil: the clock is not synchronised, and dates mean nothing.
  ///   - warn: Receives a line for the log when it is new.
  mutating func check(at now: Int64, time: Int64?, warn: (String) -> Void) -> String? {
    guard let path else { return nil }
    if signer == nil || isDoubtful, now >= nextTest, isTokenUnknown || mayTry {
      let begin = MonotonicClock.now
      do throws(SealFailure) {
        if isTokenUnknown { try findToken(path) }
        if mayTry {
          try test(path)
          succeeded()
        }
      } catch {
        failure = error
        count(error)
      }
      nextTest = Sealing.nextTest(after: MonotonicClock.now - begin, at: now)
    }
    if let failure { return failure.text }
    guard let time, let signer else { return nil }
    let text = CertificateValidity(of: signer.certificate, at: time).text
    let line = text.map { "config: [sign] certificate: \(path) \($0)" }
    if let line, line != warning { warn(line) }
    warning = line
    return nil
  }

  /// Asks whether the key is in a token, which is not used for that. Forgets a token's failures if it is not.
  private mutating func findToken(_ path: String) throws(SealFailure) {
    let text = try Self.text(path)
    var exchange = SealExchange(with: program)
    defer { exchange.end() }
    let reply = try exchange.ask(.tryKey(of: text), isLast: true)
    isTokenUnknown = false
    if reply == .untried || Self.isOfOtherVersion(reply) {
      failure = earlierFailure(path)
    } else {
      (hasTokenFailed, failure) = (false, nil)
      failures.clear()
    }
  }

  private mutating func succeeded() {
    (isDoubtful, failure) = (false, nil)
    failures.clear()
  }

  /// The failure after which a token is not tried.
  private static func last(_ failure: SealFailure) -> SealFailure {
    let end =
      "; the token is not tried again before a reload: "
      + "systemctl kill --kill-whom=main -s HUP paraphd"
    return switch failure {
    case .token(let path, let reason): .token(path, reason + end)
    case .program(let reason): .program(reason + end)
    case .unreachable, .forbidden, .signer, .recipient: failure
    }
  }

  /// Tests whether the present key belongs to the certificate that was read, or to the present one.
  private mutating func test(_ path: String) throws(SealFailure) {
    // One limit for both attempts, because the save thread has other work.
    let limit = program.limit
    if let signer {
      var exchange = SealExchange(with: program)
      defer { exchange.end() }
      do throws(SealFailure) {
        _ = try sign([], signer.text, path, by: &exchange, until: limit, isLast: true)
        return
      } catch {
        // A second request would cost the token a second try.
        if case .token = error { throw error }
        if isToken { throw error }
      }
    }
    signer = try tested(path, until: limit)
  }

  /// Reads the certificate, and has paraph-seal sign something.
  private func tested(_ path: String, until limit: Int64? = nil) throws(SealFailure) -> Signer {
    let text = try Self.text(path)
    let limit = limit ?? program.limit
    var exchange = SealExchange(with: program)
    defer { exchange.end() }
    _ = try sign([], text, path, by: &exchange, until: limit, isLast: false)
    let certificate = try Self.description(of: text, path, by: &exchange, until: limit)
    return Signer(text: text, certificate: certificate)
  }

  private static func text(_ path: String) throws(SealFailure) -> [UInt8] {
    do throws(RecipientFile.Flaw) {
      return try RecipientFile.read(path)
    } catch { throw .signer(path, error.text) }
  }

  private static func description(
    of text: [UInt8], _ path: String, by exchange: inout SealExchange, until limit: Int64
  ) throws(SealFailure) -> SealCertificate {
    switch try exchange.ask(.describe(text), until: limit, isLast: true) {
    case .examined(let certificates):
      if certificates.count == 1 { return certificates[0] }
      throw SealFailure.program("its reply is invalid or cut")
    case .failed(let reason): throw .signer(path, reason)
    default: throw SealFailure.program("its reply is invalid or cut")
    }
  }

  /// Reads the certificate again. Keeps the former one if the file, or the key, cannot be used.
  ///
  /// - Parameter log: Receives a line.
  mutating func reload(log: (StandardError.Priority, String) -> Void) {
    guard let path else { return }
    (hasTokenFailed, isTokenUnknown) = (false, false)
    do throws(SealFailure) {
      signer = try tested(path)
      succeeded()
      log(.notice, "config: [sign] certificate: read again")
    } catch {
      // paraph-seal reads the key anew for each signature: it may not be the former certificate's any more.
      (isDoubtful, nextTest) = (true, 0)
      failures.clear()
      count(error)
      log(.error, "\(error.text); the pad tries its former certificate with the present key")
    }
  }

  /// Has paraph-seal try certificate and key, for the check of a configuration. Returns what is wrong.
  ///
  /// Does not use a key in a token, and says so: nothing counts the wrong PINs of checks but the token.
  static func trial(_ configuration: PadConfiguration) -> String? {
    guard let path = configuration.sign.certificate else { return nil }
    do throws(SealFailure) {
      return try Signing(configuration).tryKey(path).map { "\(path): \($0)" }
    } catch {
      switch error {
      case .signer(let path, let reason), .token(let path, let reason):
        return "\(path): \(reason): the pad is out of service"
      default: return "\(error.text): the pad is out of service"
      }
    }
  }

  /// Returns why the key was not tried; nil: it was.
  private func tryKey(_ path: String) throws(SealFailure) -> String? {
    let (text, limit) = (try Self.text(path), program.limit)
    var exchange = SealExchange(with: program)
    defer { exchange.end() }
    let reply = try exchange.ask(.tryKey(of: text), until: limit, isLast: false)
    var reason: String?
    if reply == .untried {
      reason = "the key is in a token and was not tried, because the token counts wrong PINs"
    } else if Self.isOfOtherVersion(reply) {
      reason = "the key was not tried, because paraph-seal is of another version"
    } else {
      _ = try Self.signature(in: reply, path)
    }
    _ = try Self.description(of: text, path, by: &exchange, until: limit)
    return reason
  }

  /// Whether paraph-seal does not know the request.
  private static func isOfOtherVersion(_ reply: SealReply) -> Bool {
    guard case .failed(let reason) = reply else { return false }
    return reason.utf8.starts(with: "the request is invalid".utf8)
  }
}
