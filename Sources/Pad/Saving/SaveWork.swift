internal import CLinux
internal import Control
internal import Display
internal import Linux
internal import PNG
internal import Raster
internal import SealClient
internal import Spool
internal import Touch

/// The state of the save thread, which performs the messages that `SaveLoop` waits for.
struct SaveWork: ~Copyable {
  private var publisher: Publisher
  private var service: SpoolService
  private var journal: JournalWriter
  private var files: SignatureFiles
  private let picturePath: String?
  private let ink: ContactRing
  private let render: Mailbox<RenderMessage>
  private let main: Mailbox<MainMessage>

  /// Looks at the spool.
  ///
  /// - Parameters:
  ///   - picture: Where the picture of the memory panel is written; nil: nowhere.
  ///   - ink: The ink, from the render thread.
  init(
    _ publisher: consuming Publisher, _ service: consuming SpoolService,
    _ journal: consuming JournalWriter, _ files: SignatureFiles, picture: String?,
    ink: ContactRing, render: Mailbox<RenderMessage>, main: Mailbox<MainMessage>
  ) {
    // Called on the parameters: in an initialiser, Swift 6.2 treats both parts of `self` as one.
    service.check(&publisher)
    self.publisher = publisher
    self.service = service
    self.journal = journal
    self.files = files
    picturePath = picture
    self.ink = ink
    self.render = render
    self.main = main
  }

  /// How long to wait for messages; −1: without a limit.
  var milliseconds: Int32 { service.milliseconds }
  /// Whether clients watch a stroke that is being drawn.
  var isInkAwaited: Bool { journal.isStrokeWatched }

  /// Looks whether the spool takes signatures again.
  mutating func retry() { if !service.isAvailable { service.check(&publisher) } }

  /// Performs messages in their order; returns false after `.stop`.
  ///
  /// - Parameter hasInk: There may be ink.
  mutating func perform(_ messages: [SaveMessage], hasInk: Bool) -> Bool {
    let jobs = SaveMessage.merged(messages)
    // Ink that was drawn before a message was posted is recorded before it, and in one write with
    // the request that it answers.
    if hasInk || !jobs.isEmpty { journal.drain(ink, answering: SaveMessage.firstRequest(in: jobs)) }
    service.follow(journal.drawing)
    for message in jobs {
      switch message {
      case .panel(let name): files.panel = name
      case .touchscreen(let name): files.touchscreen = name
      case .sizeProblem(let problem):
        service.sizeProblem = problem
        service.check(&publisher)
      case .publish(let signature):
        if let failure = publish(signature) {
          service.savingFailed(failure)
        } else {
          service.check(&publisher)
        }
        service.exchange.release()
        // The person and the programs have their answer, and need not wait for this.
        publisher.syncChain()
      case .keep(let picture): keep(picture)
      case .encode(let screenshot): answer(screenshot)
      case .heartbeat:
        journal.retry()
        service.check(&publisher)
        main.post(.saveAlive)
      case .settle: main.post(.settled)
      case .recordRequest(let request):
        journal.record(request)
        if request != nil { service.requestBegins() }
      case .forgetSigned(let id): journal.forget(signed: id)
      case .watchInk(let on): journal.watch(on)
      case .recipients(let paths):
        // The running paraph-seal may have loaded the former key, which does not fit a new
        // certificate. And a TPM may serve only one process.
        service.exchange.end()
        service.sealing.reload(paths) { StandardError.log($0, $1) }
        service.signing.reload { StandardError.log($0, $1) }
        service.check(&publisher)
      case .stop: return false
      }
    }
    return true
  }

  /// Publishes a signature. Returns why that failed; nil: it is in the spool.
  private mutating func publish(_ signature: FinishedSignature) -> String? {
    journal.record(done: signature)
    do throws(SignatureFiles.Failure) {
      let (manifest, saved) = try files.publish(
        signature, by: &publisher, sealing: service.sealing, signing: service.signing,
        exchange: &service.exchange
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
      if case .sign(let failure) = error { service.signing.publishingFailed(failure) }
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
