internal import Control
internal import Display
internal import Ink
internal import Linux
internal import Screen
internal import Touch

/// The render thread: contacts in, frames out.
///
/// Opens no file, and waits only for contacts, messages, deadlines and the panel.
final class RenderLoop: Sendable {
  /// The configuration of the render thread.
  struct Options: Sendable {
    var source: PanelSource
    var model: StrokeModel.Kind
    var theme: Theme
    var minimumLength: Float
    var rules: SessionRules
    /// The state of an earlier start.
    var snapshot: PadSnapshot
    /// How long the pad is unused before the panel is blanked, in nanoseconds; nil: forever.
    var blankAfter: Int64?
    /// Send the picture of the memory panel to the save thread at *Done*.
    var keepsPicture: Bool
    /// Another virtual terminal is shown at the start.
    var startsAway = false
  }

  let options: Options
  let contacts: ContactRing
  let messages: Mailbox<RenderMessage>
  let save: Mailbox<SaveMessage>
  let main: Mailbox<MainMessage>
  /// The ink, for the save thread.
  private let ink: ContactRing

  init(
    _ options: Options, contacts: ContactRing, ink: ContactRing,
    messages: Mailbox<RenderMessage>, save: Mailbox<SaveMessage>, main: Mailbox<MainMessage>
  ) {
    self.options = options
    self.ink = ink
    self.contacts = contacts
    self.messages = messages
    self.save = save
    self.main = main
  }

  /// Opens the panel on this thread, which then owns it, and runs until `.stop`.
  ///
  /// Waits for a panel that is missing. A panel of another size shows the ink of the last one.
  func run() {
    SharedCore.join()
    let feed = JournalFeed(into: ink)
    let grab = TouchGrab(main)
    var next: PadSnapshot? = options.snapshot
    var isAway = options.startsAway
    while var snapshot = next {
      guard let panel = openPanel(grab, &snapshot, feed, &isAway) else { break }
      save.post(.panel(panel.name))
      main.post(.lit(PanelFacts(panel)))
      var pad = ActivePanel(panel, from: snapshot, grab, feed, self)
      do throws(DisplayError) {
        next = try pad.run()
      } catch { return main.post(.renderEnded(reason: "device: \(error.text)")) }
      if let report = pad.panel.statistics.report { StandardError.log(.info, report) }
    }
    main.post(.renderEnded(reason: nil))
  }

  /// Opens the panel, or waits for it; nil: `.stop` came first.
  private func openPanel(
    _ grab: TouchGrab, _ snapshot: inout PadSnapshot, _ feed: JournalFeed, _ isAway: inout Bool
  ) -> Panel? {
    var logged = ""
    tellWipe(&snapshot, feed)
    while true {
      // A card that appears while another virtual terminal is shown belongs to that one.
      if !isAway {
        do throws(DisplayError) {
          return try options.source.open()
        } catch {
          // Logs each reason once.
          if error.text != logged { main.post(.waiting(line: "device: \(error.text)")) }
          logged = error.text
        }
      }
      grab.want(false)
      let now = MonotonicClock.now
      snapshot.hide(at: now)
      // A signature that was finished in an earlier start is saved without a panel.
      if let signature = snapshot.takeFinished(at: now) { save.post(.publish(signature)) }
      defer {
        tellWipe(&snapshot, feed)
        let events = snapshot.takeEvents()
        if !events.isEmpty { main.post(.told(events)) }
      }
      guard waitForPanel(&snapshot, &isAway) else { return nil }
    }
  }

  /// Records in the journal that ink was wiped.
  private func tellWipe(_ snapshot: inout PadSnapshot, _ feed: JournalFeed) {
    guard snapshot.takeWipe() else { return }
    feed.record(GlassContact(.cancel, Sample(time: MonotonicClock.now, position: .zero)))
    feed.wakeReader()
  }

  /// Waits for a change among the cards, for a second at most: no event says that another program
  /// has released a card. The session continues. Returns false for `.stop`.
  private func waitForPanel(_ snapshot: inout PadSnapshot, _ isAway: inout Bool) -> Bool {
    var watch = try? HotplugWatch()
    var poll = Poll()
    poll.add(messages.number)
    poll.add(watch?.number ?? -1)
    let retry = isAway ? nil : MonotonicClock.now + 1_000_000_000
    _ = try? poll.wait(until: earlier(retry, snapshot.deadline))
    _ = watch?.readChanges()
    discardContacts()
    let now = MonotonicClock.now
    for message in messages.takeAll() {
      switch message {
      case .stop: return false
      case .heartbeat: main.post(.renderAlive)
      case .leave:
        isAway = true
        main.post(.left)
      case .comeBack(let request):
        isAway = false
        if let request { refuse(request) }
      case .open(let request): refuse(request)
      case .takeScreenshot:
        main.post(.told([.screenshot(.outOfService("there is no panel"))]))
      // The scenes, slides and pages are prepared anew for the next panel.
      case .setScenes, .setResting, .setSlide, .sheet: break
      // There is nothing to press.
      case .press(_, let client): main.post(.told([.pressed(client, false)]))
      case .saved: snapshot.handle { $0.saved(at: now) }
      case .notSaved: snapshot.handle { $0.notSaved() }
      case .service(let available): snapshot.handle { $0.service(available: available) }
      case .withdraw(let number, let canceller):
        snapshot.handle { $0.withdraw(number, by: canceller, at: now) }
      case .withdrawWithoutInk(let number, let client):
        snapshot.handle { $0.withdrawWithoutInk(number, for: client, at: now) }
      case .setMirrored(let isMirrored):
        snapshot.handle {
          $0.setMirrored(isMirrored)
          return .none
        }
      }
    }
    snapshot.handle { $0.time(now) }
    return true
  }

  private func refuse(_ request: TypesetRequest) {
    main.post(.told([.refused(request.number, .outOfService("there is no panel"))]))
  }

  /// Discards touches without a panel, which must not draw on the next one.
  private func discardContacts() {
    contacts.beginReading()
    while contacts.pop() != nil {}
    _ = contacts.drainLost()
  }
}

/// Tells the main thread to grab or release the touchscreen: the pad has it only while it is visible.
final class TouchGrab {
  private let main: Mailbox<MainMessage>
  /// The input thread grabs its devices at first.
  private var isWanted = true

  init(_ main: Mailbox<MainMessage>) { self.main = main }

  /// Notifies the main thread of a change.
  func want(_ isWanted: Bool) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    main.post(.grabsTouch(isWanted))
  }
}
