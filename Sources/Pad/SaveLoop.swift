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
  private let news: Mailbox<PadNews>
  /// What the ink does, from the render thread.
  private let ink: ContactRing
  private let files: SignatureFiles
  private let spoolPath: String
  private let limits: RoomLimits
  private let picturePath: String?
  /// What was on the glass when the pad was started.
  private let left: LeftInk

  /// Out of service, room is looked for this often.
  private static let retryMilliseconds: Int32 = 5000

  init(
    _ configuration: PadConfiguration, files: SignatureFiles, ink: ContactRing, left: LeftInk,
    messages: Mailbox<SaveMessage>, render: Mailbox<RenderMessage>, news: Mailbox<PadNews>
  ) {
    self.messages = messages
    self.render = render
    self.news = news
    self.ink = ink
    self.left = left
    self.files = files
    spoolPath = configuration.spool.path
    limits = RoomLimits(configuration.spool)
    picturePath = configuration.display.picture
  }

  /// Runs until it is told to stop.
  func run() {
    // A picture is coded for as long as several frames: with one processor, ink would wait.
    Thread.becomeOrdinary()
    var publisher = Publisher(at: spoolPath)
    var files = self.files
    // Before what a crash has left in the spool goes, which the notes may speak of.
    var notes = InkNotes(left, news: news)
    var room = Room(loop: self)
    room.prepare(&publisher)
    var poll = Poll()
    poll.add(messages.number)
    let inkPlace = poll.add(ink.number)
    while true {
      _ = try? poll.wait(milliseconds: room.isThere ? -1 : SaveLoop.retryMilliseconds)
      if !room.isThere { room.prepare(&publisher) }
      let jobs = messages.takeAll()
      // What was drawn before a job was posted is noted before the job.
      if poll.isReadable(inkPlace) || !jobs.isEmpty { notes.take(ink) }
      for message in jobs {
        switch message {
        case .panel(let name): files.panel = name
        case .publish(let signature):
          publish(signature, as: files, &publisher, &notes)
          room.check(&publisher)
        case .keep(let picture): keep(picture)
        case .checkRoom: room.check(&publisher)
        case .noteRequest(let request): notes.note(request)
        case .forget: notes.clearGlass()
        case .forgetSigned(let id): notes.forget(signed: id)
        case .watchInk(let on): notes.isWatched = on
        case .stop: return
        }
      }
    }
  }

  private func publish(
    _ signature: FinishedSignature, as files: SignatureFiles, _ publisher: inout Publisher,
    _ notes: inout InkNotes
  ) {
    notes.note(done: signature)
    do throws(SignatureFiles.Failure) {
      let (manifest, saved) = try files.publish(signature, by: &publisher) {
        notes.note(publishing: $0)
      }
      notes.note(published: saved.id)
      render.post(.saved)
      let now = MonotonicClock.now
      StandardError.log(
        .info,
        "paraph: published signature \(manifest.sequence) in "
          + "\(TimeSpan(nanoseconds: now - signature.done).text) (monotonic \(now))")
      news.post(.published(saved, request: signature.request))
    } catch {
      notes.noteNotSaved()
      StandardError.log(.error, "\(error.text): the signature stays on the pad")
      news.post(.room(reason: error.text))
      render.post(.notSaved)
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

  /// Whether there is room for signatures, and who was told so.
  private struct Room {
    let loop: SaveLoop
    private(set) var isThere = true
    private var isPrepared = false
    private var reason = ""
    private var trouble: SpoolError?

    init(loop: SaveLoop) { self.loop = loop }

    mutating func prepare(_ publisher: inout Publisher) {
      guard !isPrepared else { return check(&publisher) }
      attempt { () throws(SpoolError) in
        let leftovers = try publisher.prepare()
        if leftovers > 0 {
          StandardError.log(
            .notice, "paraph: removed \(leftovers) unfinished signatures of a crash")
        }
      }
      isPrepared = isThere
      if isThere { check(&publisher) }
    }

    mutating func check(_ publisher: inout Publisher) {
      let limits = loop.limits
      attempt { () throws(SpoolError) in try publisher.checkRoom(limits) }
    }

    private mutating func attempt(_ body: () throws(SpoolError) -> Void) {
      do throws(SpoolError) {
        try body()
        if !isThere { StandardError.log(.notice, "paraph: the spool takes signatures again") }
        tell(true)
        reason = ""
        trouble = nil
      } catch {
        // The same every five seconds helps nobody.
        if !error.isSameTrouble(as: trouble) {
          StandardError.log(.error, "\(error.text): out of service")
        }
        trouble = error
        reason = error.text
        tell(false)
      }
    }

    private mutating func tell(_ available: Bool) {
      isThere = available
      loop.news.post(.room(reason: available ? nil : reason))
      loop.render.post(.service(available: available))
    }
  }
}
