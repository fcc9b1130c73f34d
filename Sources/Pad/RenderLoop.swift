internal import Control
internal import Display
internal import Ink
internal import Linux
internal import Raster
internal import Signature
internal import Touch

/// The render thread: contacts in, pictures out. It touches no file and waits for nothing but contacts,
/// messages, its own deadline and the panel.
final class RenderLoop: Sendable {
  /// What it needs of the configuration.
  struct Options: Sendable {
    var source: PanelSource
    var model: StrokeModel.Kind
    var theme: Theme
    var minimumLength: Float
    var rules: SessionRules
    /// What a pad that was killed has left.
    var snapshot: GlassSnapshot
    /// Nanoseconds without a touch until the panel goes dark; nil: never.
    var blankAfter: Int64?
    /// Hand the memory panel's picture to the save thread when *Done* is pressed.
    var keepsPicture: Bool
  }

  private let options: Options
  private let contacts: ContactRing
  private let messages: Mailbox<RenderMessage>
  private let save: Mailbox<SaveMessage>
  private let news: Mailbox<PadNews>
  /// What the ink does, to the save thread.
  private let ink: ContactRing

  /// How long the first picture waits for its words, in nanoseconds.
  private static let patience: Int64 = 500_000_000
  /// Steps of the ink that the save thread is woken for: it need not wake at every report.
  private static let inkBatch = 8

  init(
    _ options: Options, contacts: ContactRing, ink: ContactRing,
    messages: Mailbox<RenderMessage>, save: Mailbox<SaveMessage>, news: Mailbox<PadNews>
  ) {
    self.options = options
    self.ink = ink
    self.contacts = contacts
    self.messages = messages
    self.save = save
    self.news = news
  }

  /// Opens the panel on this thread, which then owns it, and runs until it is told to stop. A panel
  /// that is not there is waited for; one that comes back with another size gets the ink that was there.
  func run() {
    SharedCore.join(yields: true)
    var next: GlassSnapshot? = options.snapshot
    var held: [RenderMessage] = []
    while let snapshot = next {
      guard var panel = openPanel(holding: &held) else { break }
      tell(of: panel)
      do throws(DisplayError) {
        next = try run(&panel, from: snapshot, told: &held)
      } catch { return news.post(.renderEnded(reason: "device: \(error.text)")) }
      report(panel.statistics)
    }
    news.post(.renderEnded(reason: nil))
  }

  /// Nil if it is told to stop before there is a panel.
  private func openPanel(holding held: inout [RenderMessage]) -> Panel? {
    var before = ""
    while true {
      do throws(DisplayError) {
        return try options.source.open()
      } catch {
        // The same reason every second helps nobody.
        if error.text != before { news.post(.waiting(line: "device: \(error.text)")) }
        before = error.text
      }
      guard waitForPanel(holding: &held) else { return nil }
    }
  }

  /// Until something changes among the cards, or for a second: a card that another program holds is
  /// given back without a sound. What concerns the pad is held for it. False if it is told to stop.
  private func waitForPanel(holding held: inout [RenderMessage]) -> Bool {
    var watch = try? HotplugWatch()
    var poll = Poll()
    poll.add(messages.number)
    poll.add(watch?.number ?? -1)
    _ = try? poll.wait(milliseconds: 1000)
    _ = watch?.take()
    for message in messages.takeAll() {
      switch message {
      case .stop: return false
      case .heartbeat: news.post(.renderAlive)
      case .leave: news.post(.left)
      case .measure: news.post(.measured(nil))
      case .ask(let request), .show(let request):
        news.post(.told([.refused(request.number, .outOfService("there is no panel"))]))
      // The words are set anew for the panel that comes.
      case .comeBack, .setWords: break
      // What is withdrawn would be on the panel that comes: the session is to end it.
      case .saved, .notSaved, .service, .withdraw: held.append(message)
      }
    }
    return true
  }

  private func tell(of panel: borrowing Panel) {
    news.post(
      .lit(
        PanelFacts(
          width: panel.width, height: panel.height, scale: panel.scale,
          quarterTurns: panel.geometry.rotation.quarterTurns, name: panel.name,
          summary: panel.summary)))
  }

  /// Nil if it was told to stop; else what goes on, on a panel of another size.
  private func run(
    _ panel: inout Panel, from snapshot: GlassSnapshot, told held: inout [RenderMessage]
  ) throws(DisplayError) -> GlassSnapshot? {
    let (ink, pending) = (ink, InkPending())
    var glass = Glass(
      width: panel.width, height: panel.height, scale: panel.scale, model: options.model,
      theme: options.theme, minimumLength: options.minimumLength, rules: options.rules
    ) { step in
      ink.push(step)
      pending.count += step.phase == .move ? 1 : RenderLoop.inkBatch
    }
    if let finished = glass.restore(snapshot, at: MonotonicClock.now) {
      save.post(.publish(finished))
    }
    var first = FirstPicture(latest: MonotonicClock.now + RenderLoop.patience)
    var rest = IdleRest(after: options.blankAfter, now: MonotonicClock.now)
    var poll = Poll()
    let contactsPlace = poll.add(contacts.number)
    let messagesPlace = poll.add(messages.number)
    let panelPlace = poll.add(panel.descriptor)
    do throws(DisplayError) {
      for message in held where !take(message, &glass, &panel, &rest, &first) { return nil }
      held = []
      while true {
        if poll.isReadable(messagesPlace) {
          for message in messages.takeAll()
          where !take(message, &glass, &panel, &rest, &first) {
            return nil
          }
        }
        if poll.isReadable(contactsPlace) { takeContacts(&glass, &panel, &rest) }
        let now = MonotonicClock.now
        glass.time(now)
        tell(&glass)
        if glass.isAsked {
          if rest.stir(at: now) { wake(&panel) }
        } else if rest.shouldRest(at: now) {
          sleep(&panel, &rest, now)
        }
        if poll.isReadable(panelPlace) { try panel.handleEvents() }
        if first.mayBeShown(at: now) {
          try show(&glass, on: &panel)
          if first.isShownFirst() { news.post(.shown(at: MonotonicClock.now)) }
        }
        // After the frame, so that it does not wait for the waking.
        if pending.count >= RenderLoop.inkBatch {
          ink.wake()
          pending.count = 0
        }
        wait(&poll, until: earlier(earlier(glass.deadline, rest.deadline), first.deadline))
      }
    } catch {
      guard case .changed = error else { throw error }
      return glass.snapshot
    }
  }

  private func wake(_ panel: inout Panel) {
    panel.wake()
    news.post(.resting(false))
  }

  private func sleep(_ panel: inout Panel, _ rest: inout IdleRest, _ now: Int64) {
    if panel.blank() {
      news.post(.resting(true))
    } else {
      // It shines on: the next touch must draw.
      rest.isOver(at: now)
    }
  }

  /// Steps of the ink since the save thread was woken.
  private final class InkPending {
    var count = 0
  }

  /// Whether the words have come that the first picture waits for.
  private struct FirstPicture {
    private(set) var deadline: Int64?
    private var hasShown = false

    init(latest: Int64) { deadline = latest }

    mutating func hasWords() { deadline = nil }

    mutating func mayBeShown(at now: Int64) -> Bool {
      if let deadline, now >= deadline { self.deadline = nil }
      return deadline == nil
    }

    /// Whether this picture is the first.
    mutating func isShownFirst() -> Bool {
      defer { hasShown = true }
      return !hasShown
    }
  }

  /// Hands on what programs are to be told.
  private func tell(_ glass: inout Glass) {
    var events: [ControlEvent] = []
    glass.report { events.append($0) }
    if !events.isEmpty { news.post(.told(events)) }
  }

  private func wait(_ poll: inout Poll, until deadline: Int64?) {
    let milliseconds = deadline.map { max(0, ($0 - MonotonicClock.now) / 1_000_000 + 1) } ?? -1
    // A failed poll(2) cannot happen with descriptors of our own; the next round tries again.
    _ = try? poll.wait(milliseconds: Int32(clamping: milliseconds))
  }

  private func show(_ glass: inout Glass, on panel: inout Panel) throws(DisplayError) {
    let damage = glass.compose()
    try panel.present(glass.canvas, damage: damage)
    if let trouble = panel.takeTrouble() {
      StandardError.log(.warning, "device: \(trouble.text); it is tried again")
    }
  }

  /// False at the end.
  private func take(
    _ message: RenderMessage, _ glass: inout Glass, _ panel: inout Panel,
    _ rest: inout IdleRest, _ first: inout FirstPicture
  ) -> Bool {
    switch message {
    case .saved: glass.saved(at: MonotonicClock.now)
    case .notSaved: glass.notSaved()
    case .service(let available): glass.service(available: available)
    case .setWords(let scene, let requests):
      glass.setWords(scene, requests)
      first.hasWords()
    case .ask(let request): glass.ask(request, at: MonotonicClock.now)
    case .show(let request): glass.show(request, at: MonotonicClock.now)
    case .withdraw(let number): glass.withdraw(number, at: MonotonicClock.now)
    case .measure: news.post(.measured(latency(panel.statistics)))
    case .leave:
      panel.leave()
      news.post(.left)
    case .comeBack:
      panel.comeBack()
      rest.isOver(at: MonotonicClock.now)
      news.post(.resting(false))
    case .heartbeat:
      // A display that stands still starves the watchdog, and the pad is started anew.
      if !panel.isStuck { news.post(.renderAlive) }
      // Where the sandbox hides the kernel's events, this is when a cable is noticed.
      try? panel.look()
    case .stop: return false
    }
    return true
  }

  private func takeContacts(
    _ glass: inout Glass, _ panel: inout Panel, _ rest: inout IdleRest
  ) {
    contacts.beginReading()
    while let contact = contacts.pop() {
      let ends = contact.phase == .up || contact.phase == .cancel
      switch rest.touched(at: contact.sample.time, ends: ends) {
      case .pad: break
      case .wake:
        wake(&panel)
        continue
      case .nothing: continue
      }
      if let finished = glass.take(contact) { hand(over: finished, &panel) }
      panel.note(sampleAt: contact.sample.time)
    }
    let lost = contacts.takeLost()
    if lost > 0 {
      StandardError.log(.warning, "paraph: \(lost) reports of the touchscreen were lost: too slow")
    }
  }

  private func hand(over finished: FinishedSignature, _ panel: inout Panel) {
    if options.keepsPicture, let picture = panel.picture() { save.post(.keep(picture)) }
    save.post(.publish(finished))
  }

  private func latency(_ statistics: PanelStatistics) -> PadInfo.Latency? {
    let latency = statistics.stampToCommit
    guard latency.count > 0 else { return nil }
    return PadInfo.Latency(
      samples: latency.count, p50: latency.quantile(0.5), p99: latency.quantile(0.99),
      longest: latency.longest)
  }

  private func report(_ statistics: PanelStatistics) {
    let latency = statistics.stampToCommit
    guard latency.count > 0 else { return }
    func text(_ share: Double) -> String { TimeSpan(nanoseconds: latency.quantile(share)).text }
    StandardError.log(
      .info,
      "paraph: measured stamp to pixels p50 \(text(0.5)), p99 \(text(0.99)), "
        + "longest \(TimeSpan(nanoseconds: latency.longest).text), \(latency.count) samples, "
        + "\(statistics.lateSamples) late, \(statistics.frames) frames, "
        + "\(statistics.missedFlips) missed, \(statistics.lostFlips) lost, "
        + "\(statistics.modeSets) times lit, "
        + "\(statistics.bytesWritten / max(1, statistics.frames)) bytes a frame")
  }
}
