internal import Control
internal import Display
internal import Ink
internal import Linux
internal import Touch

/// The pad on a panel that is lit: what the render thread does with all that comes, until it is told to stop
/// or the panel comes back with another size.
struct LitPad: ~Copyable {
  private(set) var panel: Panel
  private var glass: Glass
  private var rest: IdleRest
  private var first: FirstPicture
  private var gate = ContactGate()
  private var check = PanelCheck()
  /// It is to be answered.
  private var hasHeartbeat = false
  private let grab: TouchGrab
  private let trace: InkTrace
  private let loop: RenderLoop

  /// Goes on with what was before.
  init(
    _ panel: consuming Panel, from snapshot: GlassSnapshot, _ grab: TouchGrab, _ trace: InkTrace,
    _ loop: RenderLoop
  ) {
    let (options, now) = (loop.options, MonotonicClock.now)
    glass = Glass(
      width: panel.width, height: panel.height, scale: panel.scale, model: options.model,
      theme: options.theme, minimumLength: options.minimumLength, rules: options.rules
    ) { trace.note($0) }
    self.panel = panel
    self.grab = grab
    self.trace = trace
    self.loop = loop
    rest = IdleRest(after: options.blankAfter, now: now)
    first = FirstPicture(now: now)
    if let finished = glass.restore(snapshot, at: now) { loop.save.post(.publish(finished)) }
  }

  /// Nil if it was told to stop; else what goes on, on a panel of another size.
  ///
  /// - Parameter held: What it was told before there was a panel.
  mutating func run(told held: [RenderMessage]) throws(DisplayError) -> GlassSnapshot? {
    do throws(DisplayError) {
      try runToTheEnd(told: held)
      return nil
    } catch {
      guard case .changed = error else { throw error }
      endContacts()
      glass.setVisible(false, at: MonotonicClock.now)
      return glass.snapshot
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
      glass.time(now)
      tell()
      darken(at: now)
      if poll.isReadable(panelPlace) {
        try panel.handleEvents(
          mayProbe: check.isAllowed(isDrawing: glass.isDrawing, at: now))
      }
      // A probe that was put off, or that an answer to the one before has asked for.
      if let probe = panel.nextProbe, now >= probe { check.ask(at: now) }
      if panel.takeReturn() {
        loop.save.post(.panel(panel.name))
        loop.news.post(.moved(PanelFacts(panel)))
      }
      if first.mayBeShown(at: now) { try show() }
      if hasHeartbeat || check.isAsked { try answerHeartbeat() }
      trace.wakeReader()
      wait(&poll)
    }
  }

  /// False at the end. Nothing may throw here: the messages behind this one would be lost.
  private mutating func take(_ message: RenderMessage) -> Bool {
    switch message {
    case .saved: glass.saved(at: MonotonicClock.now)
    case .notSaved: glass.notSaved()
    case .service(let available): glass.service(available: available)
    case .setWords(let scene, let requests):
      glass.setWords(scene, requests)
      first.hasWords()
    case .ask(let request):
      if mayShow(request) { glass.ask(request, at: MonotonicClock.now) }
    case .show(let request):
      if mayShow(request) { glass.show(request, at: MonotonicClock.now) }
    case .withdraw(let number): glass.withdraw(number, at: MonotonicClock.now)
    case .measure: loop.news.post(.measured(panel.statistics.latency))
    case .leave:
      panel.leave()
      // Before the switch is allowed: the other terminal is to have its touches from the beginning.
      grab.want(isHere)
      loop.news.post(.left)
    case .comeBack:
      panel.comeBack()
      rest.isOver(at: MonotonicClock.now)
      loop.news.post(.resting(false))
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
    loop.news.post(.told([.refused(request.number, .outOfService(reason))]))
    return false
  }

  private mutating func answerHeartbeat() throws(DisplayError) {
    // A display that stands still starves the watchdog, and the pad is started anew.
    if hasHeartbeat, !panel.isStuck { loop.news.post(.renderAlive) }
    hasHeartbeat = false
    guard check.take(isDrawing: glass.isDrawing, at: MonotonicClock.now) else { return }
    // Where the sandbox hides the kernel's events, this is when a cable is noticed.
    try panel.look()
  }

  /// Contacts count, and the touchscreen is the pad's alone, only while the pad is visible.
  private mutating func followVisibility() {
    let now = MonotonicClock.now
    grab.want(isHere)
    glass.setVisible(isHere, at: now)
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
    if let finished = glass.endContacts(at: MonotonicClock.now) { hand(over: finished) }
  }

  private mutating func takeContacts() {
    loop.contacts.beginReading()
    let isHere = isHere
    while let contact = loop.contacts.pop() {
      if isHere, rest.touched(at: contact.sample.time) { wake() }
      guard gate.passes(contact) else { continue }
      check.sampled(at: contact.sample.time)
      if let finished = glass.take(contact) { hand(over: finished) }
      panel.note(sampleAt: contact.sample.time)
    }
    let lost = loop.contacts.takeLost()
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
    glass.report { events.append($0) }
    if !events.isEmpty { loop.news.post(.told(events)) }
  }

  /// Lets the panel go dark where nobody is waited for, or wakes it for who is.
  private mutating func darken(at now: Int64) {
    if glass.isAsked {
      if rest.stir(at: now) { wake() }
    } else if rest.shouldRest(at: now) {
      if panel.blank() {
        loop.news.post(.resting(true))
      } else {
        // It shines on: the next touch must draw.
        rest.isOver(at: now)
      }
    }
  }

  private mutating func wake() {
    panel.wake()
    loop.news.post(.resting(false))
  }

  private mutating func show() throws(DisplayError) {
    let damage = glass.compose()
    try panel.present(glass.canvas, damage: damage)
    if let trouble = panel.takeTrouble() { tell(of: trouble) }
    glass.releaseMemory()
    glass.prefault()
    // Before the main thread is notified: it starts what touches.
    followVisibility()
    if first.isShownFirst() { loop.news.post(.shown(at: MonotonicClock.now)) }
  }

  private func tell(of trouble: DisplayError) {
    if panel.condition == .gone || panel.condition == .unplugged {
      loop.news.post(.waiting(line: "device: \(trouble.text)"))
    } else {
      StandardError.log(.warning, "device: \(trouble.text); it is tried again")
    }
  }

  private func wait(_ poll: inout Poll) {
    let checking = check.deadline(isDrawing: glass.isDrawing) ?? panel.nextProbe
    let deadline = earlier(
      earlier(earlier(glass.deadline, rest.deadline), first.deadline), checking)
    let milliseconds = deadline.map { max(0, ($0 - MonotonicClock.now) / 1_000_000 + 1) } ?? -1
    // A failed poll(2) cannot happen with descriptors of our own; the next round tries again.
    _ = try? poll.wait(milliseconds: Int32(clamping: milliseconds))
  }
}
