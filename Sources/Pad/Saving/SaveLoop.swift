internal import CLinux
internal import Configuration
internal import Control
internal import Display
internal import Ink
internal import Linux
internal import PNG
internal import Raster
internal import Spool
internal import Touch

/// The save thread: PNG, spool, and whether there is room. It never holds the glass, and the glass never
/// waits for it.
final class SaveLoop: Sendable {
  private let messages: Mailbox<SaveMessage>
  private let render: Mailbox<RenderMessage>
  private let main: Mailbox<MainMessage>
  /// What the ink does, from the render thread.
  private let ink: ContactRing
  private let files: SignatureFiles
  private let spoolPath: String
  private let limits: SpoolLimits
  private let picturePath: String?
  /// What was on the glass when the pad was started.
  private let left: RecoveredState

  /// Why no signature can be saved on the first panel.
  private let sizeProblem: String?

  /// Out of service, room is looked for this often.
  private static let retryMilliseconds: Int32 = 5000

  /// - Parameter sizeProblem: Why no signature can be saved on the panel that is lit; nil: each can.
  init(
    _ configuration: PadConfiguration, files: SignatureFiles, ink: ContactRing,
    left: RecoveredState,
    sizeProblem: String? = nil,
    messages: Mailbox<SaveMessage>, render: Mailbox<RenderMessage>, main: Mailbox<MainMessage>
  ) {
    self.sizeProblem = sizeProblem
    self.messages = messages
    self.render = render
    self.main = main
    self.ink = ink
    self.left = left
    self.files = files
    spoolPath = configuration.spool.path
    limits = SpoolLimits(configuration.spool)
    picturePath = configuration.display.picture
  }

  /// Runs until it is told to stop.
  func run() {
    // A picture is coded for as long as several frames: with one processor, ink would wait.
    Thread.becomeOrdinary()
    var publisher = Publisher(at: spoolPath)
    var files = self.files
    // Before what a crash has left in the spool goes, which the notes may speak of.
    var notes = JournalWriter(left, main: main)
    var room = Room(loop: self, sizeProblem: sizeProblem)
    room.check(&publisher)
    var poll = Poll()
    poll.add(messages.number)
    let inkPlace = poll.add(ink.number)
    while true {
      _ = try? poll.wait(milliseconds: room.isThere ? -1 : SaveLoop.retryMilliseconds)
      if !room.isThere { room.check(&publisher) }
      let jobs = messages.takeAll()
      // What was drawn before a job was posted is noted before the job.
      if poll.isReadable(inkPlace) || !jobs.isEmpty { notes.take(ink) }
      for message in jobs {
        switch message {
        case .panel(let name): files.panel = name
        case .sizeProblem(let problem):
          room.sizeProblem = problem
          room.check(&publisher)
        case .publish(let signature):
          if let failure = publish(signature, as: files, &publisher, &notes) {
            room.isNotSaved(failure)
          } else {
            room.check(&publisher)
          }
        case .keep(let picture): keep(picture)
        case .heartbeat:
          room.check(&publisher)
          main.post(.saveAlive)
        case .settle: main.post(.settled)
        case .noteRequest(let request): notes.note(request)
        case .forgetSigned(let id): notes.forget(signed: id)
        case .watchInk(let on): notes.isWatched = on
        case .stop: return
        }
      }
    }
  }

  /// Returns why it could not be saved; nil: it is in the spool.
  private func publish(
    _ signature: FinishedSignature, as files: SignatureFiles, _ publisher: inout Publisher,
    _ notes: inout JournalWriter
  ) -> String? {
    notes.note(done: signature)
    do throws(SignatureFiles.Failure) {
      let (manifest, saved) = try files.publish(signature, by: &publisher) {
        notes.note(publishing: $0)
      }
      notes.note(published: saved.id)
      let now = MonotonicClock.now
      StandardError.log(
        .info,
        "paraph: published signature \(manifest.sequence) in "
          + "\(TimeSpan(nanoseconds: now - signature.done).text) (monotonic \(now))")
      // The main thread tells the programs first and then the glass: what is drawn after "saved" must not be
      // told before it.
      main.post(.published(saved, request: signature.request))
      return nil
    } catch {
      notes.noteNotSaved()
      StandardError.log(.error, "\(error.text): the signature stays on the pad")
      render.post(.notSaved)
      return error.text
    }
  }

  private func keep(_ picture: PanelPicture) {
    guard let path = picturePath else { return }
    let header = PNGHeader(width: picture.width, height: picture.height, pixels: .xrgb)
    do throws(PNGError) {
      let png = try unsafe PNGFile.encode(picture.pixels.span.bytes, as: header)
      write(png, to: path)
    } catch {
      StandardError.log(.warning, "paraph: \(path): \(error.text)")
    }
  }

  /// For somebody who looks at it, not for keeps: nothing depends on it, so nothing waits for the disk.
  private func write(_ bytes: [UInt8], to path: String) {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o640)
      try unsafe file.writeAll(bytes.span.bytes)
    } catch {
      StandardError.log(.warning, "config: [display] picture \(path): \(error.text)")
    }
  }

  /// Whether signatures can be saved, and who was told so.
  private struct Room {
    let loop: SaveLoop
    var sizeProblem: String?
    private(set) var isThere = true
    private var isPrepared = false
    private var trouble: SpoolError?
    private var reason = ""
    /// When the disk is tried after a signature that could not be saved; CLOCK_MONOTONIC.
    private var retry: Int64?

    /// About as much as a signature takes.
    private static let trialSize = 128 << 10

    init(loop: SaveLoop, sizeProblem: String?) {
      self.loop = loop
      self.sizeProblem = sizeProblem
    }

    /// The last signature could not be saved. What free space says does not matter until a file can be
    /// written again, and who signed has had the time to read it.
    mutating func isNotSaved(_ failure: String) {
      retry = MonotonicClock.now + Int64(SaveLoop.retryMilliseconds) * 1_000_000
      tell(failure)
    }

    mutating func check(_ publisher: inout Publisher) {
      if let sizeProblem {
        if reason != sizeProblem { StandardError.log(.error, "\(sizeProblem): out of service") }
        return tell(sizeProblem)
      }
      if let retry, MonotonicClock.now < retry { return }
      do throws(SpoolError) {
        try prepare(&publisher)
        try publisher.checkCapacity(loop.limits)
        if retry != nil { try publisher.checkWriting(size: Room.trialSize) }
        if !isThere { StandardError.log(.notice, "paraph: the spool takes signatures again") }
        retry = nil
        trouble = nil
        tell(nil)
      } catch {
        // The same every five seconds helps nobody.
        if !error.isSameProblem(as: trouble) {
          StandardError.log(.error, "\(error.text): out of service")
        }
        trouble = error
        tell(error.text)
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

    private mutating func tell(_ reason: String?) {
      isThere = reason == nil
      self.reason = reason ?? ""
      loop.main.post(.room(reason: reason))
      loop.render.post(.service(available: isThere))
    }
  }
}
