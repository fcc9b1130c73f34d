internal import CLinux
internal import Configuration
internal import Linux
internal import Seal
internal import SealClient
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

  /// Whether the journal may have ink: not on a disk, unless the configuration allows that.
  var allowsJournal: Bool {
    !isActive || !configuration.refusesSwap
      || !InkMemory(runtimeDirectory: runtimeDirectory).isJournalOnDisk
  }

  // MARK: - Sealing

  /// The certificates to which the next files are sealed, in PEM.
  var certificates: [[UInt8]] { recipients.map { $0.text } }

  /// Replaces the files that have the movement of the hand, and the picture if so configured, by sealed ones.
  ///
  /// - Parameter isLast: Whether this is the last request to paraph-seal.
  func seal(
    _ files: [File], by exchange: inout SealExchange, isLast: Bool
  ) throws(SealFailure) -> [File] {
    guard isActive else { return files }
    let places = files.indices.filter { files[$0].file != .png || configuration.sealsPicture }
    if places.isEmpty { return files }
    if recipients.isEmpty { throw failure ?? .program("the recipients are unknown") }
    let request = SealRequest.seal(places.map { files[$0].bytes }, for: certificates)
    switch try exchange.ask(request, isLast: isLast) {
    case .sealed(let sealed):
      // Guards against a defective paraph-seal: it must not publish unsealed ink, an item that
      // receivers refuse, or truncated ink. GCM preserves the length and the envelope is added, so
      // that a sealed file is longer. A malicious paraph-seal has the ink anyway.
      guard sealed.count == places.count,
        zip(places, sealed).allSatisfy({ place, bytes in
          SealedForm.matches(bytes) && bytes.count > files[place].bytes.count
            && bytes.count <= ItemFile.sizeLimit
        })
      else { throw SealFailure.program("what it sealed is invalid or too large") }
      var result = files
      for (place, bytes) in zip(places, sealed) {
        result[place] = (files[place].file.sealed, bytes)
      }
      return result
    case .failed(let reason): throw .program(reason)
    default: throw SealFailure.program("its reply is invalid or cut")
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
    if let line = memoryFlaw {
      if configuration.refusesSwap { return line }
      lines.append(line)
    }
    test(at: now)
    if let failure { return failure.text }
    if let line = expiry(at: time) { return line }
    guard let time else { return nil }
    lines += recipients.compactMap { Self.dateWarning(of: $0, at: time)?.text }
    return nil
  }

  /// Why nothing may be sealed any more since the last check; nil: nothing has changed. Starts no process.
  ///
  /// - Parameter time: As of `check`.
  func refusal(at time: Int64?) -> String? {
    guard isActive else { return nil }
    if configuration.refusesSwap, let memoryFlaw { return memoryFlaw }
    return expiry(at: time)
  }

  /// Why unsealed ink may reach a disk; nil: it does not.
  private var memoryFlaw: String? {
    InkMemory(runtimeDirectory: runtimeDirectory).flaw.map { "config: [seal] swap: \($0)" }
  }

  /// Which certificate is refused because of its dates; nil: none.
  private func expiry(at time: Int64?) -> String? {
    guard let time, configuration.refusesExpired else { return nil }
    for recipient in recipients {
      if let warning = Self.dateWarning(of: recipient, at: time), warning.isOutside {
        return warning.text
      }
    }
    return nil
  }

  /// A line about a certificate that has expired, expires soon or is not valid yet; nil: neither.
  private static func dateWarning(
    of recipient: Recipient, at time: Int64
  ) -> (text: String, isOutside: Bool)? {
    let validity = CertificateValidity(of: recipient.certificate, at: time)
    return validity.text.map {
      ("config: [seal] recipients: \(recipient.path) \($0)", validity.isOutside)
    }
  }

  /// Reads the certificates unless they are known, and has paraph-seal try them.
  private mutating func test(at now: Int64) {
    guard recipients.isEmpty || isDoubtful, now >= nextTest else { return }
    let begin = MonotonicClock.now
    do throws(SealFailure) {
      if recipients.isEmpty {
        recipients = try read(paths)
      } else {
        _ = try examine(recipients.map { ($0.path, $0.text) })
      }
      isDoubtful = false
      failure = nil
    } catch { failure = error }
    nextTest = Self.nextTest(after: MonotonicClock.now - begin, at: now)
  }

  /// When the next test may begin, after one that began at `now` and took `duration`. The pause
  /// grows with the duration, because the save thread has other work.
  static func nextTest(after duration: Int64, at now: Int64) -> Int64 {
    now + duration + max(testInterval, 2 * duration)
  }

  /// Takes other recipients, or the present content of their files. Keeps the former ones if a file cannot be used.
  ///
  /// - Parameter log: Receives a line.
  mutating func reload(_ paths: [String], log: (StandardError.Priority, String) -> Void) {
    guard isActive, !paths.isEmpty else { return }
    // Without former recipients, later tests read the new files.
    let hasFormer = !recipients.isEmpty
    if !hasFormer { self.paths = paths }
    do throws(SealFailure) {
      recipients = try read(paths)
      (self.paths, isDoubtful, failure) = (paths, false, nil)
      log(.notice, "config: [seal] recipients: read \(paths.count) certificates again")
    } catch {
      if !hasFormer { failure = error }
      log(
        .error,
        "\(error.text); the pad \(hasFormer ? "keeps its former recipients" : "stays out of service")"
      )
    }
  }

  private func read(_ paths: [String]) throws(SealFailure) -> [Recipient] {
    var files: [(path: String, text: [UInt8])] = []
    for path in paths {
      do throws(RecipientFile.Flaw) {
        files.append((path, try RecipientFile.read(path)))
      } catch { throw .recipient(path, error.text) }
    }
    return try examine(files)
  }

  /// Has paraph-seal try all certificates at once, within one limit.
  private func examine(
    _ files: [(path: String, text: [UInt8])]
  ) throws(SealFailure) -> [Recipient] {
    switch try program.ask(.examine(files.map { $0.text })) {
    case .examined(let certificates):
      guard certificates.count == files.count else {
        throw SealFailure.program("its reply is invalid or cut")
      }
      return zip(files, certificates).map { file, certificate in
        Recipient(path: file.path, text: file.text, certificate: certificate)
      }
    case .failed(let reason):
      if files.count == 1 { throw .recipient(files[0].path, reason) }
      if let (place, reason) = SealReply.recipient(in: reason), files.indices.contains(place) {
        throw .recipient(files[place].path, reason)
      }
      throw .program(reason)
    default: throw SealFailure.program("its reply is invalid or cut")
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
      case .forbidden:
        return ["\(error.text): this user cannot try them; run it as the user paraph"]
      case .program, .unreachable, .signer, .token:
        return ["\(error.text): the pad is out of service"]
      }
    }
    guard WallClock.isSynchronized else { return [] }
    let now = WallClock.now / 1_000_000_000
    return recipients.compactMap { recipient in
      CertificateValidity(of: recipient.certificate, at: now).text.map { "\(recipient.path) \($0)" }
    }
  }
}
