internal import Linux
internal import Seal
internal import SealClient
internal import Spool

/// Checks whether signatures can be sealed and signed and the spool takes them, and tells the other threads.
struct SpoolService: ~Copyable {
  private let limits: SpoolLimits
  var sealing: Sealing
  var signing: Signing
  /// The conversation with paraph-seal for the signature on the glass.
  var exchange: SealExchange
  /// The drawing that `follow` received last.
  private var drawing = JournalWriter.Drawing()
  private let render: Mailbox<RenderMessage>
  private let main: Mailbox<MainMessage>
  var sizeProblem: String?
  var isAvailable: Bool { reason == nil }
  private var isPrepared = false
  /// The reasons that were logged since the pad was in service.
  private var reasons = LoggedReasons()
  /// The last error that was logged.
  private var logged: SpoolError?
  /// Why the spool takes no signatures; nil: it does.
  private var reason: String?
  /// When the disk is tried again after a failure, CLOCK_MONOTONIC; nil: no failure.
  private var retry: Int64?

  /// How often the spool is checked while out of service.
  static let retryMilliseconds: Int32 = 5000
  /// About the size of a signature, in bytes.
  private static let trialSize = 128 << 10

  init(
    limits: SpoolLimits, sealing: Sealing, signing: Signing, exchange: consuming SealExchange,
    sizeProblem: String?, render: Mailbox<RenderMessage>, main: Mailbox<MainMessage>
  ) {
    self.limits = limits
    self.sealing = sealing
    self.signing = signing
    self.exchange = exchange
    self.sizeProblem = sizeProblem
    self.render = render
    self.main = main
  }

  /// How long poll(2) may wait.
  var milliseconds: Int32 {
    let retry = isAvailable ? -1 : SpoolService.retryMilliseconds
    guard let deadline = exchange.deadline else { return retry }
    let left = Int32(clamping: max(0, deadline - MonotonicClock.now) / 1_000_000 + 1)
    return isAvailable ? left : min(left, retry)
  }

  /// Starts paraph-seal with the first stroke of a signature, so that *Done* does not wait for it.
  /// Releases it when the ink is wiped or its wait ends. A stroke that is taken back, as a palm's,
  /// starts no other process.
  mutating func follow(_ drawing: JournalWriter.Drawing) {
    exchange.expire(at: MonotonicClock.now)
    if drawing.number != self.drawing.number {
      exchange.release()
      self.drawing = JournalWriter.Drawing()
    }
    let signer = signing.prepared
    if drawing.strokes > self.drawing.strokes, isAvailable, sealing.isActive || signer != nil {
      exchange.prepare(.prepare(sealing.certificates, by: signer))
    }
    self.drawing = drawing
  }

  /// Saving a signature failed: the pad is out of service until a file can be written again; free
  /// space alone does not suffice. The next check is delayed, so that the person can read the
  /// notice.
  mutating func savingFailed(_ failure: String) {
    retry = MonotonicClock.now + Int64(SpoolService.retryMilliseconds) * 1_000_000
    sealing.failed()
    signing.failed()
    set(failure)
  }

  mutating func check(_ publisher: inout Publisher) {
    if let sizeProblem {
      return refuse(sizeProblem)
    }
    let now = MonotonicClock.now
    if let retry, now < retry { return }
    let time = WallClock.trustedSeconds
    let warn = { (line: String) in StandardError.log(.warning, line) }
    if let problem = sealing.check(at: now, time: time, warn: warn)
      ?? signing.check(at: now, time: time, warn: warn)
    {
      return refuse(problem)
    }
    do throws(SpoolError) {
      try prepare(&publisher)
      try publisher.checkCapacity(limits)
      if retry != nil { try publisher.checkWriting(size: SpoolService.trialSize) }
      if !isAvailable { StandardError.log(.notice, "paraph: the pad takes signatures again") }
      retry = nil
      logged = nil
      reasons = LoggedReasons()
      set(nil)
    } catch {
      // Logs each error once, not every five seconds.
      if !error.isSameProblem(as: logged) {
        StandardError.log(.error, "\(error.text): out of service")
      }
      logged = error
      set(error.text)
    }
  }

  /// Checks again what can change without a notice, such as swap space, before a person is asked to
  /// sign.
  mutating func requestBegins() {
    if isAvailable, let line = sealing.refusal(at: WallClock.trustedSeconds) { refuse(line) }
  }

  private mutating func prepare(_ publisher: inout Publisher) throws(SpoolError) {
    if isPrepared { return }
    let leftovers = try publisher.prepare { StandardError.log(.warning, $0) }
    if leftovers > 0 {
      StandardError.log(
        .notice, "paraph: removed \(leftovers) unfinished signatures of a crash")
    }
    isPrepared = true
  }

  private mutating func refuse(_ problem: String) {
    if reasons.add(problem) { StandardError.log(.error, "\(problem): out of service") }
    set(problem)
  }

  private mutating func set(_ reason: String?) {
    self.reason = reason
    main.post(.room(reason: reason))
    render.post(.service(available: isAvailable))
  }
}
