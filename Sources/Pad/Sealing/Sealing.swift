internal import CLinux
internal import Configuration
internal import Linux
internal import Seal
internal import Spool

/// Seals the files of signatures by paraph-seal, and tells why that is not possible. Belongs to the save thread, which
/// may wait.
struct Sealing {
  /// A file of an item.
  typealias File = (file: ItemFile, bytes: [UInt8])

  /// A certificate to which files are sealed, as it was when it was read.
  private struct Recipient {
    let path: String
    let text: [UInt8]
    let certificate: SealCertificate
  }

  private let configuration: SealConfiguration
  var program: SealProgram
  private let runtimeDirectory: String?
  private var paths: [String]
  /// Empty until all are read.
  private var recipients: [Recipient] = []
  /// Sealing has failed since the recipients were tested.
  private var isDoubtful = false
  /// Why sealing is not possible, as the last test found.
  private var failure: SealFailure?
  /// When the next test may be, CLOCK_MONOTONIC: each starts a process.
  private var nextTest: Int64 = 0
  /// The warnings of the last check.
  private var warnings: [String] = []

  /// The shortest time between two tests, in nanoseconds.
  private static let testInterval: Int64 = 4_000_000_000

  init(
    _ configuration: SealConfiguration, program: SealProgram? = nil,
    runtimeDirectory: String? = Process.runtimeDirectory
  ) {
    self.configuration = configuration
    self.program = program ?? SealProgram(configuration.service)
    self.runtimeDirectory = runtimeDirectory
    paths = configuration.recipients
  }

  /// Whether anything is sealed.
  var isActive: Bool { configuration.isActive }
  /// Whether replies to clients have no unsealed ink.
  var hidesInk: Bool { configuration.hidesInk }
  /// Whether the picture is sealed.
  var sealsPicture: Bool { configuration.isActive && configuration.sealsPicture }

  // MARK: - Sealing

  /// Replaces the files that have the movement of the hand, and the picture if so configured, by sealed ones.
  func seal(_ files: [File]) throws(SealFailure) -> [File] {
    guard isActive else { return files }
    let places = files.indices.filter { files[$0].file != .png || configuration.sealsPicture }
    if places.isEmpty { return files }
    if recipients.isEmpty { throw failure ?? .program("the recipients are unknown") }
    switch try program.ask(.seal(places.map { files[$0].bytes }, for: recipients.map { $0.text })) {
    case .sealed(let sealed):
      // paraph-seal must not be able to publish unsealed ink, or an item that receivers refuse.
      guard sealed.count == places.count,
        sealed.allSatisfy({ SealedForm.matches($0) && $0.count <= ItemFile.sizeLimit })
      else { throw SealFailure.program("what it sealed is invalid or too large") }
      var result = files
      for (place, bytes) in zip(places, sealed) {
        result[place] = (files[place].file.sealed, bytes)
      }
      return result
    case .failed(let reason): throw .program(reason)
    case .examined, .signed: throw SealFailure.program("its reply is invalid or cut")
    }
  }

  /// Sealing has failed: the next check tests it.
  mutating func failed() { isDoubtful = true }

  // MARK: - Whether it is possible

  /// Checks everything that sealing needs. Returns why the pad is out of service; nil: it can seal, or seals nothing.
  ///
  /// - Parameters:
  ///   - now: CLOCK_MONOTONIC.
  ///   - time: In seconds since 1970; nil: the clock is not synchronised, and dates mean nothing.
  ///   - warn: Receives a line for the log when it is new.
  mutating func check(at now: Int64, time: Int64?, warn: (String) -> Void) -> String? {
    guard isActive else { return nil }
    var lines: [String] = []
    defer {
      for line in lines where !warnings.contains(line) { warn(line) }
      warnings = lines
    }
    if let flaw = InkMemory(runtimeDirectory: runtimeDirectory).flaw {
      if configuration.refusesSwap { return "config: [seal] swap: \(flaw)" }
      lines.append("config: [seal] swap: \(flaw)")
    }
    test(at: now)
    if let failure { return failure.text }
    guard let time else { return nil }
    for recipient in recipients {
      let validity = CertificateValidity(of: recipient.certificate, at: time)
      guard let text = validity.text else { continue }
      let line = "config: [seal] recipients: \(recipient.path) \(text)"
      if validity.isOutside, configuration.refusesExpired { return line }
      lines.append(line)
    }
    return nil
  }

  /// Reads the certificates unless they are known, and has paraph-seal try them.
  private mutating func test(at now: Int64) {
    guard recipients.isEmpty || isDoubtful, now >= nextTest else { return }
    nextTest = now + Self.testInterval
    do throws(SealFailure) {
      if recipients.isEmpty {
        recipients = try read(paths)
      } else {
        for recipient in recipients { _ = try examine(recipient.text, of: recipient.path) }
      }
      isDoubtful = false
      failure = nil
    } catch { failure = error }
  }

  /// Takes other recipients, or the present content of their files. Keeps the former ones if a file cannot be used.
  ///
  /// - Parameter log: Receives a line.
  mutating func reload(_ paths: [String], log: (StandardError.Priority, String) -> Void) {
    guard isActive, !paths.isEmpty else { return }
    do throws(SealFailure) {
      recipients = try read(paths)
      (self.paths, isDoubtful, failure) = (paths, false, nil)
      log(.notice, "config: [seal] recipients: read \(paths.count) certificates again")
    } catch { log(.error, "\(error.text); the pad keeps its former recipients") }
  }

  private func read(_ paths: [String]) throws(SealFailure) -> [Recipient] {
    var recipients: [Recipient] = []
    for path in paths {
      let text: [UInt8]
      do throws(RecipientFile.Flaw) {
        text = try RecipientFile.read(path)
      } catch { throw .recipient(path, error.text) }
      let certificate = try examine(text, of: path)
      recipients.append(Recipient(path: path, text: text, certificate: certificate))
    }
    return recipients
  }

  private func examine(
    _ text: [UInt8], of path: String
  ) throws(SealFailure) -> SealCertificate {
    switch try program.ask(.examine([text])) {
    case .examined(let certificates):
      if certificates.count == 1 { return certificates[0] }
      throw SealFailure.program("its reply is invalid or cut")
    case .failed(let reason): throw .recipient(path, reason)
    case .sealed, .signed: throw SealFailure.program("its reply is invalid or cut")
    }
  }

  /// Has paraph-seal try the recipients, for the check of a configuration. Returns what is wrong.
  static func trial(_ configuration: SealConfiguration) -> [String] {
    let sealing = Sealing(configuration)
    let recipients: [Recipient]
    do throws(SealFailure) {
      recipients = try sealing.read(configuration.recipients)
    } catch {
      switch error {
      case .recipient(let path, let reason):
        return ["\(path): \(reason): the pad is out of service"]
      case .program, .signer: return ["\(error.text): the pad is out of service"]
      }
    }
    guard WallClock.isSynchronized else { return [] }
    let now = WallClock.now / 1_000_000_000
    return recipients.compactMap { recipient in
      CertificateValidity(of: recipient.certificate, at: now).text.map { "\(recipient.path) \($0)" }
    }
  }
}
