internal import CLinux
public import Configuration
internal import Control
internal import Display
internal import Ink
internal import Linux
internal import PNG
internal import Raster
internal import Seal
internal import SealClient
public import Spool
internal import Touch

/// The save thread: writes signatures and the journal, and checks whether the spool takes signatures.
///
/// The render thread never waits for it.
final class SaveLoop: Sendable {
  private let messages: Mailbox<SaveMessage>
  private let render: Mailbox<RenderMessage>
  private let main: Mailbox<MainMessage>
  /// The ink, from the render thread.
  private let ink: ContactRing
  private let files: SignatureFiles
  private let sealing: Sealing
  private let signing: Signing
  private let program: SealProgram
  private let spoolPath: String
  private let limits: SpoolLimits
  private let picturePath: String?
  private let runtimeDirectory: String?
  /// The recovered state, for the journal.
  private let recovered: RecoveredState
  /// Why signatures on the first panel are too large to be saved.
  private let sizeProblem: String?

  /// How often the spool is checked while out of service.
  fileprivate static let retryMilliseconds: Int32 = 5000
  /// How often ink is fetched for clients that watch a stroke: a frame of 60 Hz and this are below 30 ms.
  private static let mirrorMilliseconds: Int32 = 10

  /// - Parameter sizeProblem: Why signatures on the panel are too large to be saved; nil: they are not.
  init(
    _ configuration: PadConfiguration, files: SignatureFiles, ink: ContactRing,
    recovered: RecoveredState, sizeProblem: String? = nil,
    runtimeDirectory: String? = Process.runtimeDirectory,
    messages: Mailbox<SaveMessage>, render: Mailbox<RenderMessage>, main: Mailbox<MainMessage>
  ) {
    self.sizeProblem = sizeProblem
    self.messages = messages
    self.render = render
    self.main = main
    self.ink = ink
    self.recovered = recovered
    self.files = files
    self.runtimeDirectory = runtimeDirectory
    sealing = Sealing(configuration.seal, runtimeDirectory: runtimeDirectory)
    signing = Signing(configuration)
    program = SealProgram(configuration.seal.service, key: configuration.sign.key)
    spoolPath = configuration.spool.path
    limits = SpoolLimits(configuration.spool)
    picturePath = configuration.display.picture
  }

  /// Runs until `.stop`.
  func run() {
    // Encoding a picture takes several frames: with one processor, ink would wait.
    Thread.becomeOrdinary()
    var publisher = Publisher(at: spoolPath)
    var files = self.files
    // Before the drafts of a crash are removed, to which the journal may refer.
    let path = sealing.allowsJournal ? runtimeDirectory : nil
    if path == nil, let runtimeDirectory {
      // Ink of a start without sealing, too.
      InkJournal.forget(in: runtimeDirectory)
      main.post(.journalLost)
    }
    var journal = JournalWriter(recovered, in: path, main: main)
    var service = SpoolService(
      limits: limits, sealing: sealing, signing: signing,
      exchange: SealExchange(with: program), sizeProblem: sizeProblem, render: render, main: main)
    service.check(&publisher)
    var poll = Poll()
    poll.add(messages.number)
    let inkPlace = poll.add(ink.number)
    while true {
      let limit = service.milliseconds
      // The render thread sends ink in batches: while clients watch a stroke, it is fetched sooner.
      let isAwaited = journal.isStrokeWatched
      let isReady =
        (try? poll.wait(milliseconds: isAwaited ? SaveLoop.mirrorMilliseconds : limit)) ?? false
      // A hundred times a second is too often to look at the spool.
      if !service.isAvailable && (isReady || !isAwaited) { service.check(&publisher) }
      let jobs = SaveMessage.merged(messages.takeAll())
      // Ink drawn before a message was posted is recorded before it.
      if poll.isReadable(inkPlace) || !jobs.isEmpty || isAwaited { journal.drain(ink) }
      service.follow(strokes: journal.strokeCount)
      for message in jobs {
        switch message {
        case .panel(let name): files.panel = name
        case .touchscreen(let name): files.touchscreen = name
        case .sizeProblem(let problem):
          service.sizeProblem = problem
          service.check(&publisher)
        case .publish(let signature):
          if let failure = publish(
            signature, as: files, &publisher, service.sealing, service.signing,
            &service.exchange, &journal)
          {
            service.savingFailed(failure)
          } else {
            service.check(&publisher)
          }
          service.exchange.end()
        case .keep(let picture): keep(picture)
        case .encode(let screenshot): answer(screenshot)
        case .heartbeat:
          service.check(&publisher)
          main.post(.saveAlive)
        case .settle: main.post(.settled)
        case .recordRequest(let request): journal.record(request)
        case .forgetSigned(let id): journal.forget(signed: id)
        case .watchInk(let on): journal.watch(on)
        case .recipients(let paths):
          service.sealing.reload(paths) { StandardError.log($0, $1) }
          service.signing.reload { StandardError.log($0, $1) }
          // A key of before the reload does not fit a certificate of after it.
          service.exchange.end()
          service.check(&publisher)
        case .stop: return
        }
      }
    }
  }

  /// Publishes a signature. Returns why that failed; nil: it is in the spool.
  private func publish(
    _ signature: FinishedSignature, as files: SignatureFiles, _ publisher: inout Publisher,
    _ sealing: Sealing, _ signing: Signing, _ exchange: inout SealExchange,
    _ journal: inout JournalWriter
  ) -> String? {
    journal.record(done: signature)
    do throws(SignatureFiles.Failure) {
      let (manifest, saved) = try files.publish(
        signature, by: &publisher, sealing: sealing, signing: signing, exchange: &exchange
      ) {
        journal.record(publishing: $0)
      }
      journal.record(published: saved.id, signature.strokes)
      let now = MonotonicClock.now
      StandardError.log(
        .info,
        "paraph: published signature \(manifest.sequence) in "
          + "\(TimeSpan(nanoseconds: now - signature.done).text) (monotonic \(now))")
      // The main thread tells the clients first and the render thread then: clients must not see ink of the next
      // signature before "saved".
      main.post(.published(saved, request: signature.request))
      return nil
    } catch {
      StandardError.log(.error, "\(error.text): the signature stays on the pad")
      render.post(.notSaved)
      return error.text
    }
  }

  private func keep(_ picture: PanelPicture) {
    guard let path = picturePath else { return }
    do throws(PNGError) {
      write(try picture.png, to: path)
    } catch {
      StandardError.log(.warning, "paraph: \(path): \(error.text)")
    }
  }

  /// Encodes a screenshot for clients on a thread of its own: signatures and the journal do not wait for it.
  private func answer(_ picture: PanelPicture) {
    let main = self.main
    let failed: @Sendable (String) -> Void = { reason in
      StandardError.log(.warning, "paraph: cannot encode a screenshot: \(reason)")
      main.post(.told([.screenshot(.outOfService("the screenshot cannot be encoded"))]))
    }
    do throws(Errno) {
      try Thread(name: "paraph-encode") {
        do throws(PNGError) {
          main.post(.told([.screenshot(.png(try picture.png))]))
        } catch { failed(error.text) }
      }.detach()
    } catch { failed(error.text) }
  }

  /// Writes the picture without waiting for the disk: no other program depends on it.
  private func write(_ bytes: [UInt8], to path: String) {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o640)
      try unsafe file.writeAll(bytes.span.bytes)
    } catch {
      StandardError.log(.warning, "config: [display] picture \(path): \(error.text)")
    }
  }
}

extension PanelPicture {
  /// The picture as PNG.
  fileprivate var png: [UInt8] {
    get throws(PNGError) {
      let header = PNGHeader(width: width, height: height, pixels: .xrgb)
      return try unsafe PNGFile.encode(pixels.span.bytes, as: header)
    }
  }
}

/// Checks whether signatures can be sealed and signed and the spool takes them, and tells the other threads.
private struct SpoolService: ~Copyable {
  private let limits: SpoolLimits
  var sealing: Sealing
  var signing: Signing
  /// With the process of paraph-seal for the signature on the glass.
  var exchange: SealExchange
  /// The number of strokes at the last call of `follow`.
  private var strokes = 0
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

  /// About the size of a signature, in bytes.
  private static let trialSize = 128 << 10

  init(
    limits: SpoolLimits, sealing: Sealing, signing: Signing, exchange: consuming SealExchange,
    sizeProblem: String?,
    render: Mailbox<RenderMessage>, main: Mailbox<MainMessage>
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
    let retry = isAvailable ? -1 : SaveLoop.retryMilliseconds
    guard let deadline = exchange.deadline else { return retry }
    let left = Int32(clamping: max(0, deadline - MonotonicClock.now) / 1_000_000 + 1)
    return isAvailable ? left : min(left, retry)
  }

  /// Has paraph-seal start with the first stroke of a signature, so that nobody waits for that after *Done*, and end
  /// when the ink is wiped or the person is gone.
  mutating func follow(strokes: Int) {
    if strokes > self.strokes, isAvailable, sealing.isActive || signing.isActive {
      exchange.prepare(.prepare(sealing.certificates, by: signing.certificate))
    } else if strokes == 0 || exchange.deadline.map({ $0 <= MonotonicClock.now }) == true {
      exchange.end()
    }
    self.strokes = strokes
  }

  /// Saving a signature failed. Free space says nothing until a file can be written again; and the person has time
  /// to read the notice.
  mutating func savingFailed(_ failure: String) {
    retry = MonotonicClock.now + Int64(SaveLoop.retryMilliseconds) * 1_000_000
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
    let time = WallClock.isSynchronized ? WallClock.now / 1_000_000_000 : nil
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

extension SpoolLimits {
  /// The limits of the configuration.
  public init(_ configuration: SpoolConfiguration) {
    self.init(
      minimumFree: configuration.minimumFree, maximumItems: configuration.maximumItems,
      maximumBytes: configuration.maximumBytes)
  }
}
