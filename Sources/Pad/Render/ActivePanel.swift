internal import Control
internal import Display
internal import Ink
internal import Linux
internal import Touch

/// The pad on a panel that is lit: what the render thread does with all that comes, until it is told to stop
/// or the panel comes back with another size.
struct ActivePanel: ~Copyable {
  private(set) var panel: Panel
  private var model: PadModel
  private var blankTimer: BlankTimer
  private var first: FirstFrameGate
  private var gate = ContactGate()
  private var check = PanelCheck()
  /// It is to be answered.
  private var hasHeartbeat = false
  private let grab: TouchGrab
  private let feed: JournalFeed
  private let loop: RenderLoop

  /// Goes on with what was before.
  init(
    _ panel: consuming Panel, from snapshot: PadSnapshot, _ grab: TouchGrab, _ feed: JournalFeed,
    _ loop: RenderLoop
  ) {
    let (options, now) = (loop.options, MonotonicClock.now)
    model = PadModel(
      width: panel.width, height: panel.height, scale: panel.scale, model: options.model,
      theme: options.theme, minimumLength: options.minimumLength, rules: options.rules
    ) { feed.note($0) }
    self.panel = panel
    self.grab = grab
    self.feed = feed
    self.loop = loop
    blankTimer = BlankTimer(after: options.blankAfter, now: now)
    first = FirstFrameGate(now: now)
    if let finished = model.restore(snapshot, at: now) { loop.save.post(.publish(finished)) }
  }

  /// Nil if it was told to stop; else what goes on, on a panel of another size.
  ///
  /// - Parameter held: What it was told before there was a panel.
  mutating func run(told held: [RenderMessage]) throws(DisplayError) -> PadSnapshot? {
    do throws(DisplayError) {
      try runToTheEnd(told: held)
      return nil
    } catch {
      guard case .changed = error else { throw error }
      endContacts()
      model.setVisible(false, at: MonotonicClock.now)
      return model.snapshot
    }
  }

  private mutating func runToTheEnd(told held: [RenderMessage]) throws(DisplayError) {
    var poll = Poll()
    let contactsPlace = poll.add(loop.contacts.number)
    let messagesPlace = poll.add(loop.messages.number)
    let panelPlace = poll.add(panel.descriptor)
    for message in held {
      guard take(message) else { return tell() }
    }
    while true {
      if poll.isReadable(messagesPlace) {
        for message in loop.messages.takeAll() {
          // What ended in this pass is told: a request that is over is not to come back.
          guard take(message) else { return tell() }
        }
      }
      followVisibility()
      // The panel is never checked before the contacts that wait have been read.
      if poll.isReadable(contactsPlace) || check.isAsked {
        takeContacts()
        // Ink comes before what the clock and programs may change.
        if first.isOver { try show() }
      }
      let now = MonotonicClock.now
      model.time(now)
      tell()
      darken(at: now)
      if poll.isReadable(panelPlace) {
        try panel.handleEvents(
          mayProbe: check.isAllowed(isDrawing: model.isDrawing, at: now))
      }
      // A probe that was put off, or that an answer to the one before has asked for.
      if let probe = panel.nextProbe, now >= probe { check.ask(at: now) }
      if panel.takeReturn() {
        loop.save.post(.panel(panel.name))
        loop.main.post(.moved(PanelFacts(panel)))
      }
      if first.mayBeShown(at: now) { try show() }
      if hasHeartbeat || check.isAsked { try answerHeartbeat() }
      feed.wakeReader()
      wait(&poll)
    }
  }

  /// False at the end. Nothing may throw here: the messages behind this one would be lost.
  private mutating func take(_ message: RenderMessage) -> Bool {
    switch message {
    case .saved: model.saved(at: MonotonicClock.now)
    case .notSaved: model.notSaved()
    case .service(let available): model.service(available: available)
    case .setWords(let scene, let requests):
      model.setWords(scene, requests)
      first.hasWords()
    case .ask(let request):
      if mayShow(request) { model.ask(request, at: MonotonicClock.now) }
    case .show(let request):
      if mayShow(request) { model.show(request, at: MonotonicClock.now) }
    case .withdraw(let number): model.withdraw(number, at: MonotonicClock.now)
    case .measure: loop.main.post(.measured(panel.statistics.latency))
    case .leave:
      panel.leave()
      // Before the switch is allowed: the other terminal is to have its touches from the beginning.
      grab.want(isHere)
      loop.main.post(.left)
    case .comeBack:
      panel.comeBack()
      blankTimer.isOver(at: MonotonicClock.now)
      loop.main.post(.blanked(false))
    case .heartbeat:
      hasHeartbeat = true
      check.ask(at: MonotonicClock.now)
    case .stop: return false
    }
    return true
  }

  /// Refuses a request that nobody could see.
  private func mayShow(_ request: PadRequest) -> Bool {
    let reason: String
    switch panel.condition {
    case .lit, .blank: return true
    case .away: reason = "the panel shows something else"
    case .unplugged, .gone: reason = "there is no panel"
    }
    loop.main.post(.told([.refused(request.number, .outOfService(reason))]))
    return false
  }

  private mutating func answerHeartbeat() throws(DisplayError) {
    // A display that stands still starves the watchdog, and the pad is started anew.
    if hasHeartbeat, !panel.isStuck { loop.main.post(.renderAlive) }
    hasHeartbeat = false
    guard check.take(isDrawing: model.isDrawing, at: MonotonicClock.now) else { return }
    // Where the sandbox hides the kernel's events, this is when a cable is noticed.
    try panel.look()
  }

  /// Contacts count, and the touchscreen is the pad's alone, only while the pad is visible.
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

  /// Whether nothing else is shown in the pad's place. One that rests in the dark is woken by a touch.
  private var isHere: Bool { panel.condition == .lit || panel.condition == .blank }

  private mutating func endContacts() {
    if let finished = model.endContacts(at: MonotonicClock.now) { hand(over: finished) }
  }

  private mutating func takeContacts() {
    loop.contacts.beginReading()
    let isHere = isHere
    while let contact = loop.contacts.pop() {
      if isHere, blankTimer.touched(at: contact.sample.time) { wake() }
      guard gate.passes(contact) else { continue }
      check.sampled(at: contact.sample.time)
      if let finished = model.take(contact) { hand(over: finished) }
      panel.note(sampleAt: contact.sample.time)
    }
    let lost = loop.contacts.drainLost()
    if lost > 0 {
      StandardError.log(.warning, "paraph: \(lost) reports of the touchscreen were lost: too slow")
    }
  }

  private func hand(over finished: FinishedSignature) {
    if loop.options.keepsPicture, let picture = panel.picture() {
      loop.save.post(.keep(picture))
    }
    loop.save.post(.publish(finished))
  }

  /// Hands on what programs are to be told.
  private mutating func tell() {
    var events: [ControlEvent] = []
    model.report { events.append($0) }
    if !events.isEmpty { loop.main.post(.told(events)) }
  }

  /// Lets the panel go dark where nobody is waited for, or wakes it for who is.
  private mutating func darken(at now: Int64) {
    if model.isAsked {
      if blankTimer.stir(at: now) { wake() }
    } else if blankTimer.shouldRest(at: now) {
      if panel.blank() {
        loop.main.post(.blanked(true))
      } else {
        // It shines on: the next touch must draw.
        blankTimer.isOver(at: now)
      }
    }
  }

  private mutating func wake() {
    panel.wake()
    loop.main.post(.blanked(false))
  }

  private mutating func show() throws(DisplayError) {
    let damage = model.compose()
    try panel.present(model.canvas, damage: damage)
    if let trouble = panel.takeTrouble() { tell(of: trouble) }
    model.releaseMemory()
    model.prefault()
    // Before the main thread is notified: it starts what touches.
    followVisibility()
    if first.isShownFirst() { loop.main.post(.shown(at: MonotonicClock.now)) }
  }

  private func tell(of trouble: DisplayError) {
    if panel.condition == .gone || panel.condition == .unplugged {
      loop.main.post(.waiting(line: "device: \(trouble.text)"))
    } else {
      StandardError.log(.warning, "device: \(trouble.text); it is tried again")
    }
  }

  private func wait(_ poll: inout Poll) {
    let checking = check.deadline(isDrawing: model.isDrawing) ?? panel.nextProbe
    let deadline = earlier(
      earlier(earlier(model.deadline, blankTimer.deadline), first.deadline), checking)
    let milliseconds = deadline.map { max(0, ($0 - MonotonicClock.now) / 1_000_000 + 1) } ?? -1
    // A failed poll(2) cannot happen with descriptors of our own; the next round tries again.
    _ = try? poll.wait(milliseconds: Int32(clamping: milliseconds))
  }
}
