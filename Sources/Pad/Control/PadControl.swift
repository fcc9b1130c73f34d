internal import Configuration
internal import Control
internal import Ink
internal import Linux
internal import Raster
internal import Screen
internal import Text

/// Connects the control socket with the other threads. Belongs to the main thread.
///
/// Typesets requests, hands them to the render thread, and sends the session's events to clients.
final class PadControl {
  private let configuration: PadConfiguration
  private let drawing: CountedDrawing
  /// Besides the panel, clients that watch ink need this to draw it.
  private let pen: (model: StrokeModel.Kind, theme: Theme)
  private let render: Mailbox<RenderMessage>
  private let save: Mailbox<SaveMessage>
  private var server: ControlServer?
  private var builder: SceneBuilder?
  /// Lines for the operator, from a file.
  private var notes: [String] = []
  private var notesFile: NotesFile?
  /// The terminal on which requests are shown; nil: they are shown at once.
  var terminal: PadTerminal?
  /// The clients that wait for the front.
  private var waitingForFront: [Int] = []
  /// The open request.
  private var request: PadRequest?
  private let documents: RequestDocuments
  /// The request whose document cannot be shown, and why; its end is to come.
  private var unreadable: (number: Int64, problem: DocumentProblem)?
  /// The open request is of an earlier start, and the pages of its document are gone.
  private var hasLostDocument = false
  /// The last panel; nil: there was none yet.
  private var screen: ScreenGeometry?
  /// The page of the document that is read, from 1; nil: none is.
  private var readPage: Int?
  /// The last state of the session.
  private var state: PadState
  /// The journal has the open request: it was shown.
  private var isRecorded = false
  /// The client has cancelled the open request, which the render thread may not have ended yet.
  private var isWithdrawn = false
  private var hasJournal: Bool
  /// When the open request is refused because there is no panel; nil: it was handed to the render thread.
  private var panelDeadline: Int64?
  private var info: PadInfo {
    didSet { server?.update(info) }
  }
  /// When the list of input devices is too old.
  private var surveyExpiry: Int64 = 0
  /// A client has read the list of input devices.
  private var isListRead = false

  /// How long a request waits for the first panel, in nanoseconds.
  static let panelWait: Int64 = 5_000_000_000
  /// The shortest time between two lists that clients cause, in nanoseconds: listing opens each device.
  static let surveyInterval: Int64 = 10_000_000_000
  /// How long the end of the pad waits for clients to read their signatures, in nanoseconds.
  private static let drainLimit: Int64 = 1_000_000_000

  init(
    _ configuration: PadConfiguration, _ drawing: SignatureDrawing, device: String,
    render: Mailbox<RenderMessage>, save: Mailbox<SaveMessage>, main: Mailbox<MainMessage>,
    journal: String? = Process.runtimeDirectory, keeping document: RequestDocument? = nil
  ) {
    documents = RequestDocuments(
      in: journal, keeping: document?.upload, main: main, render: render)
    hasJournal = journal != nil
    self.drawing = CountedDrawing(path: journal) { drawing.file($0, of: $1) }
    pen = (drawing.model, drawing.theme)
    self.configuration = configuration
    state = configuration.pad.invitesAlways ? .invited : .idle
    self.render = render
    self.save = save
    info = PadInfo(device: device, version: DaemonArguments.version)
  }

  /// For poll(2); −1 without a socket.
  var number: Int32 { server?.number ?? -1 }
  /// The watch of the notes, for poll(2); −1 without notes.
  var notesNumber: Int32 { notesFile?.number ?? -1 }
  /// When `time(_:)` must be called; nil: never.
  var deadline: Int64? {
    earlier(
      earlier(server?.deadline, panelDeadline), earlier(terminal?.deadline, documents.deadline))
  }

  /// Whether the pad is at rest: no request is open, and nobody signs.
  var isResting: Bool { !request.hasValue && (state == .idle || state == .invited) }

  /// Starts watching the file of notes. The examination has warned if its folder is missing.
  func watchNotes() {
    guard let path = configuration.text.notes else { return }
    notesFile = try? NotesFile(path)
    readNotes()
  }

  /// Opens the socket.
  func open() throws(SystemError) {
    guard let listener = try ControlSocket.open(configuration.control) else { return }
    let users = ControlSocket.users(configuration.control)
    do throws(Errno) {
      server = try ControlServer(
        listener, users: users.known, names: users.unknown,
        webUser: Account.user(configuration.control.webUser), info: info,
        allowsStrokes: configuration.control.watchStrokes && !configuration.seal.hidesInk,
        allowsPresses: configuration.control.pressButtons,
        state: state,
        draw: { [drawing] in drawing.file($1, of: $0) }, log: { StandardError.log(.warning, $0) })
    } catch { throw SystemError("epoll_create1", "", error) }
  }

  /// Looks up the configured users that were unknown, for a reload. May wait for a directory service.
  func findUsers() {
    for name in server?.findUsers(Account.user) ?? [] {
      StandardError.log(
        .notice, "config: [control] users: user \(name) is known now; its calls are answered")
    }
  }

  /// Restores what was open or unread in an earlier start.
  func restore(_ state: RecoveredState, at now: Int64) {
    for var signature in state.signed {
      if configuration.seal.hidesInk {
        // The journal may be of a start without sealing, or with the picture in replies.
        if signature.sealed == nil { signature.hideInk(besides: [], picture: false) }
        if configuration.seal.sealsPicture { signature.png = [] }
      }
      server?.restore(signature, at: now)
    }
    guard let request = state.request else {
      // Without a panel, no session reports the state of the recovered ink.
      if !state.strokes.isEmpty, state.isDone || configuration.pad.invitesAlways {
        self.state = state.isDone ? .confirming : .signing
        server?.restore(self.state)
      }
      return
    }
    self.request = request
    isRecorded = true
    // A finished signature does not need the document any more.
    hasLostDocument = !documents.restore(request) && !state.isDone
    let start: PadState = request.document.hasValue ? .reading : .invited
    self.state = state.isDone ? .confirming : state.strokes.isEmpty ? start : .signing
    server?.restore(request, in: self.state, at: now)
  }

  /// Ends the pad's part of the conversation.
  ///
  /// Cancels the open request unless the journal has it. Otherwise its connection is closed without a reply, and
  /// asking again with the same reference resumes it. Clients have a moment to read their replies.
  func end(at now: Int64) {
    // A signature that is being saved is saved, also by the next start: it needs its request.
    let isGivenUp = isWithdrawn && state != .confirming
    if let request, request.kind == .message || isGivenUp || !(isRecorded && hasJournal) {
      send(request.givenUp(by: isWithdrawn ? .program : .pad), at: now)
    }
    serve(server?.drain(for: PadControl.drainLimit) ?? [], at: now)
  }

  /// Stops preparing pages at the program's end, so that the current page does not count as a
  /// crash.
  func stopPreparing() { documents.stop() }

  // MARK: - Messages of threads

  /// A panel was opened: typesets the scenes for it.
  func lit(_ panel: PanelFacts, at now: Int64) {
    info.panel = PadInfo.Panel(panel)
    info.latency = nil
    screen = panel.screen
    let surface = PadSurface(
      width: panel.width, height: panel.height, scaleX: panel.scale.x, scaleY: panel.scale.y,
      model: pen.model.rawValue, narrowest: pen.theme.law.narrowest, widest: pen.theme.law.widest,
      prediction: pen.theme.prediction, ink: pen.theme.ink, ground: pen.theme.colours.ground)
    serve(server?.show(surface, at: now) ?? [], at: now)
    let builder: SceneBuilder
    do throws(FontError) {
      builder = try SceneBuilder(configuration, on: panel.screen) {
        StandardError.log(.warning, $0)
      }
    } catch {
      StandardError.log(.warning, "config: \(error.text)")
      // The previous builder typesets for a panel of another size.
      self.builder = nil
      refuseWaiting("there is no font", at: now)
      return endWordlessQuestion(at: now)
    }
    self.builder = builder
    let isWaiting = panelDeadline != nil
    panelDeadline = nil
    // Sent before the scenes: the first frame waits for these, and must show the request.
    if isWaiting, let request { begin(request, at: now) }
    // The session does not have a request that has waited for the panel.
    let open =
      isWaiting
      ? nil
      : request.map {
        builder.typeset(open: $0, documents.content(of: $0)) { StandardError.log(.warning, $0) }
      }
    render.post(.setScenes(builder.resting(notes: notes), open))
    endUnreadable(open, at: now)
  }

  /// Cancels the open question, because its choices cannot be shown without a font.
  private func endWordlessQuestion(at now: Int64) {
    guard let request, request.kind == .question else { return }
    cancel(request.number, by: .pad, at: now)
  }

  /// Reads the notes, and shows them if they have changed.
  func readNotes() {
    switch notesFile?.read() {
    case nil: return
    case .lines(let lines): notes = lines
    case .failed(let reason):
      StandardError.log(.warning, "config: [text] notes: \(reason): no notes are shown")
      notes = []
    }
    if let builder { render.post(.setResting(builder.resting(notes: notes))) }
  }

  /// There is no panel, or it was unplugged.
  func panelIsGone() { info.panel = nil }

  /// The same panel is there again, perhaps on another card.
  func returned(_ panel: PanelFacts) { info.panel = PadInfo.Panel(panel) }

  /// Events of the session.
  func handle(_ events: [ControlEvent], at now: Int64) {
    for event in events { send(event, at: now) }
  }

  /// A signature is in the spool.
  func published(_ signature: SavedSignature, request: Int64?, at now: Int64) {
    send(.signed(request, signature), at: now)
    // Without a socket, no client asks for the signature.
    if server == nil { save.post(.forgetSigned(signature.id)) }
  }

  /// Why the spool takes no signatures; nil: it does.
  func room(_ reason: String?) { info.reason = reason }

  /// The latency on this panel.
  func measured(_ latency: PadInfo.Latency?) { info.latency = latency }

  /// Writing the journal failed: the next start cannot resume the open request.
  func journalIsLost() { hasJournal = false }

  /// The journal is written again, and has the open request.
  func journalHasReturned() { hasJournal = true }

  /// Whether the input devices must be listed anew: a client has read a list that is old.
  func needsSurvey(at now: Int64) -> Bool {
    defer { isListRead = false }
    guard isListRead, now >= surveyExpiry else { return false }
    // Also where listing fails.
    surveyExpiry = now + PadControl.surveyInterval
    return true
  }

  /// The input devices were listed.
  func surveyed(_ touchscreens: [PadInfo.Touchscreen], at now: Int64) {
    info.touchscreens = touchscreens
    let names = touchscreens.filter { $0.rejection == nil }.map { $0.name }
    save.post(.touchscreen(names.isEmpty ? nil : names.joined(separator: ", ")))
    surveyExpiry = now + PadControl.surveyInterval
  }

  private func send(_ event: ControlEvent, at now: Int64) {
    var event = event
    if case .state(let state, _, _) = event { (self.state, readPage) = (state, nil) }
    if case .reading(_, let page, _) = event { readPage = page }
    if let terminal { handle(terminal.follow(event, at: now), at: now) }
    switch event {
    case .refused(let number, .outOfService(let reason)):
      if reason.isEmpty {
        // Only the save thread knows the reason.
        event = .refused(number, .outOfService(info.reason ?? "signatures cannot be saved"))
      }
      requestEnded(number)
    case .refused(let number, _), .cancelled(let number, _), .timedOut(let number),
      .messageGone(let number, _, _), .answered(let number, _), .signed(let number?, _):
      requestEnded(number)
    case .state(.invited, let number?, let deadline), .reading(let number, _, let deadline):
      record(number, deadline)
    case .state(.signing, let number?, let deadline) where request?.deadline != deadline:
      // The time limit restarts when the person continues after a failed save.
      record(number, deadline)
    default: break
    }
    if case .cancelled(let number, by: .pad) = event, let (ended, problem) = unreadable,
      ended == number
    {
      // Its client learns the reason, and the others that the pad has cancelled it.
      unreadable = nil
      serve(server?.event(.refused(number, .badDocument(problem)), at: now) ?? [], at: now)
    }
    serve(server?.event(event, at: now) ?? [], at: now)
  }

  /// Records the open request in the journal, with the present end of its time limit.
  private func record(_ number: Int64, _ deadline: Int64?) {
    guard request?.number == number else { return }
    request?.deadline = deadline
    isRecorded = true
    save.post(.recordRequest(request))
  }

  private func requestEnded(_ number: Int64) {
    guard let ended = request, ended.number == number else { return }
    (request, hasLostDocument) = (nil, false)
    if ended.document.hasValue { documents.end() }
    if ended.kind == .signature { save.post(.recordRequest(nil)) }
  }

  // MARK: - Requests of clients

  /// Serves the socket.
  func turn(at now: Int64) { serve(server?.turn(at: now) ?? [], at: now) }

  /// Handles what was due at `now`.
  func time(_ now: Int64) {
    if let terminal { handle(terminal.time(now), at: now) }
    if let panelDeadline, panelDeadline <= now { refuseWaiting("there is no panel yet", at: now) }
    documents.expire(at: now)
    serve(server?.time(now) ?? [], at: now)
  }

  private func serve(_ requests: [ControlRequest], at now: Int64) {
    for request in requests {
      switch request {
      case .open(var request):
        if request.kind != .message {
          request.timeLimit = request.timeLimit ?? configuration.pad.timeLimit
        }
        let problem = documents.open(&request)
        self.request = request
        (isRecorded, isWithdrawn) = (false, false)
        if let problem {
          send(.refused(request.number, .badDocument(problem)), at: now)
        } else {
          begin(request, at: now)
        }
      case .putPage(let part):
        send(.pagePut(part.client, documents.put(part, at: now)), at: now)
      case .discardDocument(let client): documents.discard(client: client)
      case .cancel(let number): cancel(number, at: now)
      case .cancelWithoutInk(let number, let client):
        if !cancelUnseen(number, by: .program, at: now) {
          render.post(.withdrawWithoutInk(number, client: client))
        }
      case .refreshDevices: isListRead = true
      case .takeScreenshot(let allowsInk): render.post(.takeScreenshot(allowsInk: allowsInk))
      case .watchInk(let on):
        save.post(.watchInk(on))
        render.post(.setMirrored(on))
      case .press(let button, let client): render.post(.press(Button(button), client))
      case .forget(let id): save.post(.forgetSigned(id))
      case .bringToFront(let client): bringToFront(client, at: now)
      case .sendToBack(let client): sendToBack(client, at: now)
      }
    }
  }

  private func begin(_ request: PadRequest, at now: Int64) {
    let document = documents.content(of: request)
    if let typeset = builder?.typeset(request, document) {
      if let problem = documents.problem(of: typeset.scene) {
        return send(.refused(request.number, .badDocument(problem)), at: now)
      }
      if let overflow = typeset.scene.overflow {
        let refusal = ControlEvent.Refusal.tooLong(overflow.parameter, limit: overflow.limit)
        return send(.refused(request.number, refusal), at: now)
      }
      guard let terminal else { return render.post(.open(typeset)) }
      return handle(terminal.open(typeset, at: now), at: now)
    }
    if screen == nil {
      // Clients may start before the first panel is open.
      panelDeadline = now + PadControl.panelWait
      if let terminal { handle(terminal.expect(request.number, at: now), at: now) }
    } else {
      send(.refused(request.number, .outOfService("there is no font")), at: now)
    }
  }

  /// Refuses the request that waits for the first panel.
  private func refuseWaiting(_ reason: String, at now: Int64) {
    guard panelDeadline != nil, let request else { return }
    panelDeadline = nil
    send(.refused(request.number, .outOfService(reason)), at: now)
  }

  private func cancel(
    _ number: Int64, by canceller: ControlEvent.Canceller = .program, at now: Int64
  ) {
    if cancelUnseen(number, by: canceller, at: now) { return }
    if request?.number == number, canceller == .program { isWithdrawn = true }
    render.post(.withdraw(number, by: canceller))
  }

  private func cancelUnseen(
    _ number: Int64, by canceller: ControlEvent.Canceller, at now: Int64
  ) -> Bool {
    guard let request else { return false }
    return endUnseen(number, with: request.givenUp(by: canceller), at: now)
  }

  /// Ends a request that the render thread does not have. Returns false if it has the request.
  private func endUnseen(
    _ number: Int64, with event: ControlEvent, at now: Int64
  ) -> Bool {
    let isUnseen = panelDeadline != nil || terminal?.withdrawWaiting(number) != nil
    guard isUnseen, request?.number == number else { return false }
    panelDeadline = nil
    send(event, at: now)
    return true
  }
}

// MARK: - Documents

extension PadControl {
  /// Cancels the open request if this panel cannot show its document.
  private func endUnreadable(_ open: TypesetRequest?, at now: Int64) {
    let problem =
      hasLostDocument
      ? DocumentProblem(page: nil, "its pages are gone", isLost: true)
      : open.flatMap { documents.problem(of: $0.scene) }
    hasLostDocument = false
    guard let problem, let request else { return }
    StandardError.log(
      .error,
      "paraph: the document of the open request cannot be shown (\(problem.reason)); the request is cancelled"
    )
    end(request, unreadable: problem, at: now)
  }

  /// Cancels a request whose document cannot be shown; its client learns the reason.
  private func end(_ request: PadRequest, unreadable problem: DocumentProblem, at now: Int64) {
    let event = ControlEvent.refused(request.number, .badDocument(problem))
    if endUnseen(request.number, with: event, at: now) { return }
    // Has no effect on a signature that is being saved.
    unreadable = (request.number, problem)
    render.post(.withdraw(request.number, by: .pad))
  }

  /// Prepares pages of the open request's document, which the render thread wants.
  func prepare(_ pages: [Int], read: Int, of scene: Scene) {
    guard let request, request.number == scene.number, let screen else { return }
    documents.prepare(pages, read: read, of: scene, for: request, on: screen, by: builder)
  }

  /// A page is prepared. A document that cannot be shown ends its request.
  func prepared(_ answer: RequestDocuments.Answer, at now: Int64) {
    guard let problem = documents.prepared(answer) else { return }
    // The person may have turned to another one.
    guard let request, request.number == answer.scene.number, readPage == answer.page + 1 else {
      return
    }
    StandardError.log(
      .error,
      "paraph: page \(answer.page + 1) of the document cannot be shown (\(problem.reason)); the request is cancelled"
    )
    end(request, unreadable: problem, at: now)
  }
}

// MARK: - The front

extension PadControl {
  /// Handles the result of an input to the terminal.
  func handle(_ outcome: PadTerminal.Outcome, at now: Int64) {
    switch outcome {
    case .none: break
    case .front: answerFront(nil, at: now)
    case .refused(let reason): answerFront(reason, at: now)
    }
    showSide(at: now)
    guard case .refused(let reason) = outcome else { return }
    if let number = terminal?.withdrawWaiting() {
      send(.refused(number, .outOfService(reason)), at: now)
    } else if isRecorded, screen == nil, let request {
      send(.unavailable(request.number, reason), at: now)
    } else {
      refuseWaiting(reason, at: now)
    }
  }

  /// Reports to clients which side is in front. Refuses waiting calls of Front if the other side
  /// is, after another client's Back or a person's switch.
  private func showSide(at now: Int64) {
    let side = terminal?.side ?? .pad
    if info.foreground != side { info.foreground = side }
    if side == .other { answerFront("the panel was returned to the other side", at: now) }
  }

  private func bringToFront(_ client: Int, at now: Int64) {
    guard let terminal, terminal.isShared else {
      return send(.foreground(client, .notShared), at: now)
    }
    waitingForFront.append(client)
    handle(terminal.hold(at: now), at: now)
  }

  private func sendToBack(_ client: Int, at now: Int64) {
    guard let terminal, terminal.isShared else {
      return send(.foreground(client, .notShared), at: now)
    }
    if request.hasValue || terminal.isSigning {
      return send(.foreground(client, .busy), at: now)
    }
    handle(terminal.yield(at: now), at: now)
    send(.foreground(client, .done), at: now)
  }

  private func answerFront(_ reason: String?, at now: Int64) {
    let clients = waitingForFront
    // Cleared before the answers, because these call this function again.
    waitingForFront = []
    for client in clients {
      send(.foreground(client, reason.map { .outOfService($0) } ?? .done), at: now)
    }
  }
}

extension PadInfo.Panel {
  /// The description of a panel for clients.
  fileprivate init(_ panel: PanelFacts) {
    self.init(
      name: panel.name, width: panel.width, height: panel.height,
      widthMillimetres: panel.glass.x, heightMillimetres: panel.glass.y)
  }
}

extension Button {
  /// The button that a client names.
  fileprivate init(_ button: ControlRequest.Button) {
    self =
      switch button {
      case .done: .done
      case .clear: .clear
      }
  }
}
