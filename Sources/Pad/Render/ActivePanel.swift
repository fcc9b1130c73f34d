internal import Control
internal import Display
internal import Ink
internal import Linux
internal import Raster
internal import Touch

/// The render thread's work on one panel, until it is stopped or another panel is connected.
struct ActivePanel: ~Copyable {
  private(set) var panel: Panel
  private var model: PadModel
  private var blankTimer: BlankTimer
  private var first: FirstFrameGate
  private var gate = ContactGate()
  private var check = PanelCheck()
  private var capture = ScreenCapture()
  /// The last contact was not lifted.
  private var isTouched = false
  /// The pad's terminal is shown again, and no frame on it yet.
  private var awaitsFrame = false
  /// How long a request waits for a card that another program still has, in nanoseconds.
  private static let cardLimit: Int64 = 2_000_000_000
  /// A request that has come with a panel which another program still has, and until when it waits.
  private var waiting: (request: TypesetRequest, until: Int64)?
  /// The number of the request that the save thread was told of last.
  private var recordedRequest: Int64?
  /// The number of samples in the latency that was published last.
  private var publishedSamples: Int64 = 0
  /// Whether a heartbeat waits for its answer.
  private var hasHeartbeat = false
  private let grab: TouchGrab
  private let feed: JournalFeed
  private let loop: RenderLoop

  /// Continues with the ink, session and requests of a snapshot.
  init(
    _ panel: consuming Panel, from snapshot: PadSnapshot, _ grab: TouchGrab,
    _ feed: JournalFeed,
    _ loop: RenderLoop
  ) {
    let (options, now) = (loop.options, MonotonicClock.now)
    model = PadModel(
      width: panel.width, height: panel.height, scale: panel.scale, model: options.model,
      theme: options.theme, minimumLength: options.minimumLength, rules: options.rules
    ) { feed.record($0) }
    self.panel = panel
    self.grab = grab
    self.feed = feed
    self.loop = loop
    blankTimer = BlankTimer(after: options.blankAfter, now: now)
    first = FirstFrameGate(now: now)
    if let finished = model.restore(snapshot, at: now) { loop.save.post(.publish(finished)) }
  }

  /// Runs until it is stopped (nil) or another panel is connected (the snapshot for that).
  mutating func run() throws(DisplayError) -> PadSnapshot? {
    do throws(DisplayError) {
      try runLoop()
      return nil
    } catch {
      guard case .changed = error else { throw error }
      endContacts()
      endWaiting()
      model.setVisible(false, at: MonotonicClock.now)
      // Clients wait for what was decided, and not for the next panel.
      sendEvents()
      if capture.cancel() { answer(.outOfService("there is no panel")) }
      return model.snapshot
    }
  }

  private mutating func runLoop() throws(DisplayError) {
    var poll = Poll()
    let contactsPlace = poll.add(loop.contacts.number)
    let messagesPlace = poll.add(loop.messages.number)
    let panelPlace = poll.add(panel.descriptor)
    while true {
      if poll.isReadable(messagesPlace) {
        for message in loop.messages.takeAll() {
          // Requests that ended in this pass are reported, so that they are not restored.
          guard handle(message) else { return sendEvents() }
        }
      }
      followVisibility()
      // Read pending contacts before any check of the panel.
      if poll.isReadable(contactsPlace) || check.isRequested {
        readContacts()
        // Show ink before timeouts and requests.
        if first.isOver { try show() }
      }
      let now = MonotonicClock.now
      model.time(now)
      sendEvents()
      updateBlanking(at: now)
      if poll.isReadable(panelPlace) {
        try panel.handleEvents(
          mayProbe: check.isAllowed(isDrawing: model.isDrawing, at: now))
      }
      openWaiting(at: now)
      if let probe = panel.nextProbe, now >= probe { check.request(at: now) }
      reportPanelEvents()
      if first.mayBeShown(at: now) {
        try show()
        takeScreenshot(at: now)
      }
      if hasHeartbeat || check.isRequested { try answerHeartbeat() }
      feed.wakeReader()
      publishLatency()
      wait(&poll)
    }
  }

  /// Handles a message; false for `stop`. It cannot throw, as the messages behind this one would be lost.
  private mutating func handle(_ message: RenderMessage) -> Bool {
    switch message {
    case .saved: model.saved(at: MonotonicClock.now)
    case .notSaved: model.notSaved()
    case .service(let available): model.service(available: available)
    case .setScenes(let resting, let request):
      model.setScenes(resting, request)
      first.hasWords()
    case .setResting(let scene): model.setResting(scene)
    case .setSlide(let slide): model.setSlide(slide)
    case .sheet(let scene, let page, let sheet):
      model.take(sheet, page: page, of: scene, at: MonotonicClock.now)
    case .open(let request):
      if mayShow(request) { open(request) }
    case .withdraw(let number, let canceller):
      if !withdrawWaiting(number, by: canceller) {
        model.withdraw(number, by: canceller, at: MonotonicClock.now)
      }
    case .withdrawWithoutInk(let number, let client):
      if !withdrawWaiting(number, by: .program) {
        // A finger may be down that was not read yet.
        readContacts()
        model.withdrawWithoutInk(number, for: client, at: MonotonicClock.now)
      }
    case .press(let button, let client):
      // Nobody sees what a button does while the panel is away.
      guard absence == nil else {
        loop.main.post(.told([.pressed(client, false)]))
        return true
      }
      let finished = model.press(button, for: client, at: MonotonicClock.now)
      if let finished { hand(over: finished) }
    case .setMirrored(let isMirrored): model.setMirrored(isMirrored)
    case .leave:
      panel.release()
      endWaiting()
      // Release the touchscreen before the switch: the first touch belongs to the other terminal.
      grab.want(isHere)
      // A blanked pad has switched the backlight off.
      loop.main.post(.blanked(false))
      loop.main.post(.left)
    case .comeBack(let request):
      panel.acquire()
      blankTimer.restart(at: MonotonicClock.now)
      loop.main.post(.blanked(false))
      awaitsFrame = true
      if let request {
        let now = MonotonicClock.now
        waiting = (request, now + ActivePanel.cardLimit)
        openWaiting(at: now)
      }
    case .takeScreenshot(let allowsInk):
      capture.request(allowsInk: allowsInk, at: MonotonicClock.now)
    case .heartbeat:
      hasHeartbeat = true
      check.request(at: MonotonicClock.now)
    case .stop: return false
    }
    return true
  }

  /// Opens the request that waits for the panel, or refuses it if its time is over.
  private mutating func openWaiting(at now: Int64) {
    guard let waiting else { return }
    // Only another program's hold on the card ends soon.
    if panel.condition == .away, now < waiting.until { return }
    endWaiting()
  }

  /// Ends a request that waits for the panel; false if it does not.
  private mutating func withdrawWaiting(
    _ number: Int64, by canceller: ControlEvent.Canceller
  ) -> Bool {
    guard let request = waiting?.request, request.number == number else { return false }
    waiting = nil
    loop.main.post(.told([request.request.givenUp(by: canceller)]))
    return true
  }

  /// Opens or refuses the request that waits for the panel at once.
  private mutating func endWaiting() {
    guard let request = waiting?.request else { return }
    waiting = nil
    if mayShow(request) { open(request) }
  }

  private mutating func open(_ request: TypesetRequest) {
    model.open(request, at: MonotonicClock.now)
    recordRequest()
  }

  /// Has the shown request recorded before any ink that answers it: the main thread, which records it too, may be
  /// late.
  private mutating func recordRequest() {
    guard let request = model.session.openSignature, request.number != recordedRequest else {
      return
    }
    recordedRequest = request.number
    loop.save.post(.recordRequest(request))
  }

  /// Refuses a request while the panel cannot show it.
  private func mayShow(_ request: TypesetRequest) -> Bool {
    guard let reason = absence else { return true }
    loop.main.post(.told([.refused(request.number, .outOfService(reason))]))
    return false
  }

  /// Why the panel cannot show a request; nil: it can.
  private var absence: String? {
    switch panel.condition {
    case .active, .blank: nil
    case .away: "the panel shows something else"
    case .unplugged, .gone: "there is no panel"
    }
  }

  /// Takes the screenshot that is due, from the canvas.
  private mutating func takeScreenshot(at now: Int64) {
    guard let allowsInk = capture.take(isDrawing: model.isDrawing, at: now) else { return }
    if let absence { return answer(.outOfService(absence)) }
    if model.hasInk && !allowsInk { return answer(.inkNotAllowed) }
    let pixels =
      panel.condition == .active
      ? model.canvas.pixels : [UInt32](repeating: 0xFF00_0000, count: panel.width * panel.height)
    loop.save.post(
      .encode(PanelPicture(width: panel.width, height: panel.height, pixels: pixels)))
  }

  private func answer(_ screenshot: ControlEvent.Screenshot) {
    loop.main.post(.told([.screenshot(screenshot)]))
  }

  private mutating func answerHeartbeat() throws(DisplayError) {
    // Does not answer while the display is stuck, so that the watchdog restarts the pad.
    if hasHeartbeat, !panel.isStuck { loop.main.post(.renderAlive) }
    hasHeartbeat = false
    guard check.begin(isDrawing: model.isDrawing, at: MonotonicClock.now) else { return }
    // If the sandbox blocks uevents, this finds a pulled cable.
    try panel.check()
  }

  /// Grabs the touchscreen and accepts contacts only while the pad is visible.
  private mutating func followVisibility() {
    let now = MonotonicClock.now
    grab.want(isHere)
    model.setVisible(isHere, at: now)
    if panel.isShowing {
      gate.open(at: now)
    } else if gate.isOpen {
      gate.close()
      endContacts()
    }
  }

  /// Whether nothing else is shown in the pad's place. A touch unblanks a blanked panel.
  private var isHere: Bool { panel.condition == .active || panel.condition == .blank }

  private mutating func endContacts() {
    if let finished = model.endContacts(at: MonotonicClock.now) { hand(over: finished) }
  }

  private mutating func readContacts() {
    loop.contacts.beginReading()
    let isHere = isHere
    while let contact = loop.contacts.pop() {
      if isHere, blankTimer.touched(at: contact.sample.time) { unblank() }
      isTouched = contact.phase == .down || contact.phase == .move
      guard gate.passes(contact) else { continue }
      check.sampled(at: contact.sample.time)
      if let finished = model.take(contact) { hand(over: finished) }
      panel.record(sampleAt: contact.sample.time)
    }
    let lost = loop.contacts.drainLost()
    if lost > 0 {
      StandardError.log(.warning, "paraph: render thread too slow: \(lost) touch reports lost")
    }
  }

  /// Publishes the latency when no contact is down.
  private mutating func publishLatency() {
    // The statistics are a copy of 7 KB: not while the hand draws.
    guard !isTouched else { return }
    let statistics = panel.statistics
    guard statistics.stampToCommit.count != publishedSamples else { return }
    publishedSamples = statistics.stampToCommit.count
    loop.main.post(.measured(statistics.latency))
  }

  private mutating func hand(over finished: FinishedSignature) {
    // The save thread may be done before the next frame: clients must hear "confirming" before "saved".
    sendEvents()
    if loop.options.keepsPicture, let picture = panel.picture() {
      loop.save.post(.keep(picture))
    }
    loop.save.post(.publish(finished))
  }

  /// Sends the session's events to the clients.
  private mutating func sendEvents() {
    recordRequest()
    var events: [ControlEvent] = []
    model.report { events.append($0) }
    if !events.isEmpty { loop.main.post(.told(events)) }
    if let wanted = model.takeWantedPages() {
      loop.main.post(.pagesWanted(wanted.scene, wanted.pages, read: wanted.read))
    }
  }

  /// Blanks the panel after a while without contacts; unblanks it for a request.
  private mutating func updateBlanking(at now: Int64) {
    if model.isAsked {
      if blankTimer.requestIsOpen(at: now) { unblank() }
    } else if blankTimer.shouldBlank(at: now) {
      if panel.blank() {
        loop.main.post(.blanked(true))
      } else {
        // It stays on: the next touch must draw.
        blankTimer.restart(at: now)
      }
    }
  }

  private mutating func unblank() {
    panel.unblank()
    loop.main.post(.blanked(false))
  }

  private mutating func show() throws(DisplayError) {
    // Once for each frame, and as late as possible: fingers report more often.
    if model.isScrolled, panel.announce() { model.scroll() }
    let damage = model.compose()
    try panel.present(model.canvas, damage: damage)
    reportPanelEvents()
    model.releaseMemory()
    model.prefault()
    // Before the main thread is notified, as it starts the input thread.
    followVisibility()
    if awaitsFrame, panel.isShowing {
      awaitsFrame = false
      loop.main.post(.inFront(at: MonotonicClock.now))
    }
    if first.isShownFirst() { loop.main.post(.shown(at: MonotonicClock.now)) }
  }

  private mutating func reportPanelEvents() {
    while let event = panel.nextEvent() {
      switch event {
      case .failed(let error) where panel.condition == .gone || panel.condition == .unplugged:
        loop.main.post(.waiting(line: "device: \(error.text)"))
      case .failed(let error):
        StandardError.log(.warning, "device: \(error.text); retrying")
      case .returned:
        loop.save.post(.panel(panel.name))
        loop.main.post(.moved(PanelFacts(panel)))
      case .seemsUnplugged(let connector):
        StandardError.log(
          .notice,
          "device: \(connector): nothing is connected while the panel is dark "
            + "(it is unplugged or asleep); the next touch or request sends it a picture")
      }
    }
  }

  private func wait(_ poll: inout Poll) {
    let checking = check.deadline(isDrawing: model.isDrawing) ?? panel.nextProbe
    let deadline = earlier(
      earlier(earlier(model.deadline, blankTimer.deadline), first.deadline),
      earlier(earlier(checking, capture.deadline), waiting?.until))
    // An error of poll(2) is ignored; the next pass polls again.
    _ = try? poll.wait(until: deadline)
  }
}
