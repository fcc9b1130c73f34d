internal import Display
internal import Ink
internal import Linux
internal import Raster
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
    /// Hand the memory panel's picture to the save thread when *Done* is pressed.
    var keepsPicture: Bool
  }

  private let options: Options
  private let contacts: ContactRing
  private let messages: Mailbox<RenderMessage>
  private let save: Mailbox<SaveMessage>
  private let news: Mailbox<PadNews>

  init(
    _ options: Options, contacts: ContactRing, messages: Mailbox<RenderMessage>,
    save: Mailbox<SaveMessage>, news: Mailbox<PadNews>
  ) {
    self.options = options
    self.contacts = contacts
    self.messages = messages
    self.save = save
    self.news = news
  }

  /// Opens the panel on this thread, which then owns it, and runs until it is told to stop.
  func run() {
    do throws(DisplayError) {
      var panel = try options.source.open()
      try run(&panel)
      report(panel.statistics)
      news.post(.renderEnded(reason: nil))
    } catch {
      news.post(.renderEnded(reason: "device: \(error.text)"))
    }
  }

  private func run(_ panel: inout Panel) throws(DisplayError) {
    var glass = Glass(
      width: panel.width, height: panel.height, scale: panel.scale, model: options.model,
      theme: options.theme, minimumLength: options.minimumLength)
    news.post(
      .lit(
        PanelFacts(
          width: panel.width, height: panel.height, scale: panel.scale,
          quarterTurns: panel.geometry.rotation.quarterTurns, name: panel.name)))
    var poll = Poll()
    let contactsPlace = poll.add(contacts.number)
    let messagesPlace = poll.add(messages.number)
    let panelPlace = poll.add(panel.descriptor)
    try show(&glass, on: &panel)
    while true {
      wait(&poll, until: glass.deadline)
      if poll.isReadable(messagesPlace) {
        for message in messages.takeAll() where !take(message, &glass) { return }
      }
      if poll.isReadable(contactsPlace) { takeContacts(&glass, &panel) }
      glass.time(MonotonicClock.now)
      if poll.isReadable(panelPlace) { try panel.handleEvents() }
      try show(&glass, on: &panel)
    }
  }

  private func wait(_ poll: inout Poll, until deadline: Int64?) {
    let milliseconds = deadline.map { max(0, ($0 - MonotonicClock.now) / 1_000_000 + 1) } ?? -1
    // A failed poll(2) cannot happen with descriptors of our own; the next round tries again.
    _ = try? poll.wait(milliseconds: Int32(clamping: milliseconds))
  }

  private func show(_ glass: inout Glass, on panel: inout Panel) throws(DisplayError) {
    let damage = glass.compose()
    try panel.present(glass.canvas, damage: damage)
  }

  /// False at the end.
  private func take(_ message: RenderMessage, _ glass: inout Glass) -> Bool {
    switch message {
    case .saved: glass.saved(at: MonotonicClock.now)
    case .notSaved: glass.notSaved()
    case .service(let available): glass.service(available: available)
    case .heartbeat: news.post(.renderAlive)
    case .stop: return false
    }
    return true
  }

  private func takeContacts(_ glass: inout Glass, _ panel: inout Panel) {
    contacts.beginReading()
    while let contact = contacts.pop() {
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

  private func report(_ statistics: PanelStatistics) {
    let latency = statistics.stampToCommit
    guard latency.count > 0 else { return }
    func text(_ share: Double) -> String { TimeSpan(nanoseconds: latency.quantile(share)).text }
    StandardError.log(
      .info,
      "paraph: measured stamp to pixels p50 \(text(0.5)), p99 \(text(0.99)), "
        + "longest \(TimeSpan(nanoseconds: latency.longest).text), \(latency.count) samples, "
        + "\(statistics.frames) frames, \(statistics.missedFlips) missed, "
        + "\(statistics.bytesWritten / max(1, statistics.frames)) bytes a frame")
  }
}
