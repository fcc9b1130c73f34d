internal import CLinux
internal import Configuration
internal import Control
internal import Linux
internal import Screen
internal import Text

/// The pad behind its control socket, on the main thread: typesets words, hands requests to the render thread,
/// and tells programs what becomes of them.
final class PadControl {
  private let configuration: PadConfiguration
  private let counted: CountedDrawing
  private let render: Mailbox<RenderMessage>
  private let save: Mailbox<SaveMessage>
  private var server: ControlServer?
  private var builder: SceneBuilder?
  /// The request or message that is open.
  private var signing: SignRequest?
  /// Whether the journal has `signing`: not before it is shown.
  private var isNoted = false
  /// Whether its program was told that `signing` is cancelled, although the render thread may not have ended it.
  private var isWithdrawn = false
  private var hasJournal: Bool
  private var message: MessageRequest?
  /// The request or message that waits for the first panel, and until when.
  private var early: (number: Int64, until: Int64)?
  private var info: PadInfo
  private var asksLatency = false
  /// A program waits until the input devices have been looked at.
  private var awaitsTouchscreens = false
  /// Until when what GetInfo answers is not looked at again: latencies, and input devices.
  private var measuredUntil: Int64 = 0
  private var surveyedUntil: Int64 = 0

  /// How long a request waits for the first panel, in nanoseconds.
  static let panelPatience: Int64 = 5_000_000_000
  /// How old what GetInfo answers may be, in nanoseconds: the latency, and the list of input devices, which are
  /// all opened for it, by a thread of its own: that may take long.
  static let measureInterval: Int64 = 100_000_000
  static let surveyInterval: Int64 = 10_000_000_000
  /// How long the end of the pad waits for clients to read their signatures, in nanoseconds.
  private static let drainLimit: Int64 = 1_000_000_000

  init(
    _ configuration: PadConfiguration, _ drawing: SignatureDrawing, device: String,
    render: Mailbox<RenderMessage>, save: Mailbox<SaveMessage>,
    journal: String? = Process.runtimeDirectory
  ) {
    hasJournal = journal != nil
    counted = CountedDrawing(path: journal) { drawing.file($0, of: $1) }
    self.configuration = configuration
    self.render = render
    self.save = save
    info = PadInfo(device: device, version: DaemonArguments.version)
  }

  /// For poll(2); −1 where there is no socket.
  var number: Int32 { server?.number ?? -1 }
  /// When `time(_:)` must be called, if ever.
  var deadline: Int64? {
    [server?.deadline, early?.until].compactMap { $0 }.min()
  }

  /// Opens the socket. Throws where one is asked for that cannot be had.
  func open() throws(SystemError) {
    guard let listener = try PadControl.listener(configuration.control) else { return }
    do throws(Errno) {
      server = try ControlServer(
        listener, users: try PadControl.users(configuration.control), info: info,
        allowsStrokes: configuration.control.watchStrokes,
        state: configuration.pad.invitesAlways ? .invited : .idle,
        draw: { [counted] in counted.file($1, of: $0) }, log: { StandardError.log(.warning, $0) })
    } catch { throw SystemError("epoll_create1", "", error) }
  }

  /// That of the service manager, the configured one, or the one in the runtime directory.
  private static func listener(
    _ wishes: ControlConfiguration
  ) throws(SystemError) -> SocketListener? {
    if let listener = SocketListener(activated: ()) { return listener }
    let path: String
    switch wishes.socket {
    case .none: return nil
    case .path(let wanted): path = wanted
    case .automatic:
      guard let folder = Process.runtimeDirectory else {
        StandardError.log(
          .warning,
          "control: no socket: RUNTIME_DIRECTORY is not set (systemd sets it for the service); programs cannot "
            + "ask for signatures: set it, or [control] socket to a path or none")
        return nil
      }
      path = folder + "/org.paraph.Pad"
    }
    return try SocketListener(
      path: path, mode: wishes.mode, owner: try id(wishes.owner, "owner", Account.user),
      group: try id(wishes.group, "group", Account.group))
  }

  private static func id(
    _ name: String?, _ key: String, _ find: (String) -> UInt32?
  ) throws(SystemError) -> UInt32? {
    guard let name else { return nil }
    guard let found = find(name) else {
      throw SystemError("[control] \(key)", name, Errno(ENOENT))
    }
    return found
  }

  /// The numbers of the users that may ask; none: every user may.
  static func users(_ wishes: ControlConfiguration) throws(Errno) -> [UInt32] {
    var users: [UInt32] = []
    for name in wishes.users {
      guard let user = Account.user(name) else {
        StandardError.log(.warning, "config: [control] users: there is no user \(name)")
        continue
      }
      users.append(user)
    }
    // Nobody at all is not everybody.
    return wishes.users.isEmpty || !users.isEmpty ? users : [.max]
  }

  // MARK: - What the threads tell

  /// A panel is lit: words are set for it.
  func lit(_ panel: PanelFacts, at now: Int64) {
    info.panel = PadInfo.Panel(
      name: panel.name, width: panel.width, height: panel.height,
      widthMillimetres: panel.glass.x, heightMillimetres: panel.glass.y)
    let text = configuration.text
    let report: (String) -> Void = { StandardError.log(.warning, $0) }
    let theme = ResolvedTheme(
      configuration.theme, on: panel.screen, undo: configuration.pad.undo, read: PictureFile.read)
    for line in theme.warnings { report(line) }
    do throws(FontError) {
      let fonts = try FontStack(
        fonts: (text.font.map { [$0] } ?? []) + text.fallbackFonts, report: report)
      builder = SceneBuilder(
        typesetter: Typesetter(fonts: fonts),
        catalogues: CatalogueFolder(text.catalogues, report: report),
        language: Language(text.language) ?? .english,
        glass: panel.glass, undo: configuration.pad.undo,
        options: theme.options, picture: theme.picture)
    } catch {
      report("config: \(error.text)")
      return refuseEarly("there is no font for its words", at: now)
    }
    guard let builder else { return }
    let waiting = early
    early = nil
    // The session does not know a request yet that has waited for this.
    let open = waiting == nil ? openRequest : nil
    if let overflow = open?.scene.overflow {
      // Whoever signs has read it on another panel.
      report(
        "device: the \(overflow.parameter) of the open request is too long for this panel: it is cut"
      )
    }
    render.post(.setWords(builder.resting(), open.map { [$0] } ?? []))
    if let waiting { begin(waiting.number, at: now) }
  }

  /// What waits for the first panel ends without.
  private func refuseEarly(_ reason: String, at now: Int64) {
    guard let waiting = early else { return }
    early = nil
    tell(.refused(waiting.number, .outOfService(reason)), at: now)
  }

  /// The same panel is lit by another driver.
  func moved(to name: String) { info.panel?.name = name }

  /// The open request or message with its words.
  private var openRequest: PadRequest? {
    guard let builder else { return nil }
    if let signing {
      let limit = signing.timeLimit ?? configuration.pad.timeLimit
      return PadRequest(
        number: signing.number, reference: signing.reference, timeLimit: limit,
        scene: builder.scene(signing, timeLimit: limit))
    }
    return message.map {
      PadRequest(number: $0.number, timeLimit: $0.timeLimit, scene: builder.scene($0))
    }
  }

  /// What was asked for, or signed, when the pad was killed.
  func adopt(_ left: RecoveredState, at now: Int64) {
    for note in left.signed { server?.adopt(note.signature, at: now) }
    guard let open = left.request else { return }
    signing = open.request
    isNoted = true
    let state: PadState =
      left.isDone ? .confirming : left.strokes.isEmpty ? .invited : .signing
    server?.adopt(
      open.request.number, reference: open.request.reference, in: state, limit: open.limit,
      at: now)
  }

  /// The journal cannot be written: the next start knows nothing of the open request.
  func journalIsLost() { hasJournal = false }

  /// The pad has ended. A message ends with it; so does a request, unless the journal has it: then its
  /// connection is closed without a last reply, and asking again with the same reference resumes it. The journal
  /// has no request that was never shown, as it waited for a notice's end or for the first panel. Clients that
  /// are told something have a moment to read it.
  func end(at now: Int64) {
    if let message { tell(.messageGone(message.number, acknowledged: false), at: now) }
    if let signing, isWithdrawn || !(isNoted && hasJournal) {
      tell(.cancelled(signing.number, by: isWithdrawn ? .program : .pad), at: now)
    }
    serve(server?.drain(for: PadControl.drainLimit) ?? [], at: now)
  }

  /// What the session has to tell.
  func hear(_ events: [ControlEvent], at now: Int64) {
    for event in events { tell(event, at: now) }
  }

  /// A signature is in the spool.
  func published(_ signature: SavedSignature, request: Int64?, at now: Int64) {
    tell(.signed(request, signature), at: now)
    // Without a socket nobody has asked.
    if server == nil { save.post(.forgetSigned(signature.id)) }
  }

  /// There is room for signatures, or why there is not.
  func room(_ reason: String?) { info.reason = reason }

  /// What was asked of the render thread.
  func measured(_ latency: PadInfo.Latency?, at now: Int64) {
    asksLatency = false
    measuredUntil = now + PadControl.measureInterval
    info.latency = latency
    awaitsTouchscreens = needsTouchscreens(at: now)
    if !awaitsTouchscreens { tell(.info(info), at: now) }
  }

  /// Whether the input devices must be looked at before programs are answered.
  func needsTouchscreens(at now: Int64) -> Bool { now >= surveyedUntil }

  /// The input devices that were looked at.
  func looked(at touchscreens: [PadInfo.Touchscreen], at now: Int64) {
    info.touchscreens = touchscreens
    surveyedUntil = now + PadControl.surveyInterval
    if awaitsTouchscreens { tell(.info(info), at: now) }
    awaitsTouchscreens = false
  }

  /// An input device was opened or lost.
  func touchscreensChanged() { surveyedUntil = 0 }

  private func tell(_ event: ControlEvent, at now: Int64) {
    var event = event
    switch event {
    case .refused(let number, .outOfService(let reason)):
      if reason.isEmpty {
        // The session does not know what the save thread has told.
        event = .refused(number, .outOfService(info.reason ?? "signatures cannot be saved"))
      }
      isOver(number)
    case .refused(let number, _), .cancelled(let number, _), .timedOut(let number),
      .messageGone(let number, _), .signed(let number?, _):
      isOver(number)
    case .state(.invited, let number?, let limit):
      if let signing, signing.number == number {
        isNoted = true
        save.post(.noteRequest(JournaledRequest(signing, limit: limit)))
      }
    default: break
    }
    serve(server?.event(event, at: now) ?? [], at: now)
  }

  private func isOver(_ number: Int64) {
    if signing?.number == number {
      signing = nil
      save.post(.noteRequest(nil))
    }
    if message?.number == number { message = nil }
  }

  // MARK: - What programs want

  /// What waits at the sockets.
  func turn(at now: Int64) { serve(server?.turn(at: now) ?? [], at: now) }

  /// The clock stands at `now`.
  func time(_ now: Int64) {
    if let early, early.until <= now { refuseEarly("there is no panel yet", at: now) }
    serve(server?.time(now) ?? [], at: now)
  }

  private func serve(_ requests: [ControlRequest], at now: Int64) {
    for request in requests {
      switch request {
      case .sign(let request):
        signing = request
        (isNoted, isWithdrawn) = (false, false)
        begin(request.number, at: now)
      case .show(let request):
        message = request
        begin(request.number, at: now)
      case .cancel(let number): cancel(number, at: now)
      case .describe:
        if now < measuredUntil && !needsTouchscreens(at: now) {
          tell(.info(info), at: now)
        } else if !asksLatency {
          // Many may ask; the render thread is asked once.
          asksLatency = true
          render.post(.measure)
        }
      case .watchInk(let on): save.post(.watchInk(on))
      case .forget(let id): save.post(.forgetSigned(id))
      }
    }
  }

  private func begin(_ number: Int64, at now: Int64) {
    if let openRequest {
      if let overflow = openRequest.scene.overflow {
        let refusal = ControlEvent.Refusal.tooLong(overflow.parameter, limit: overflow.limit)
        return tell(.refused(number, refusal), at: now)
      }
      return render.post(signing == nil ? .show(openRequest) : .ask(openRequest))
    }
    if info.panel == nil {
      // Programs start with the pad: its first panel takes a moment.
      early = (number, now + PadControl.panelPatience)
    } else {
      tell(.refused(number, .outOfService("there is no font for its words")), at: now)
    }
  }

  private func cancel(_ number: Int64, at now: Int64) {
    guard early?.number == number else {
      if signing?.number == number { isWithdrawn = true }
      return render.post(.withdraw(number))
    }
    early = nil
    tell(
      message == nil
        ? .cancelled(number, by: .program) : .messageGone(number, acknowledged: false), at: now)
  }
}
