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
    var held: [RenderMessage] = []
    var isAway = options.startsAway
    while let snapshot = next {
      guard let panel = openPanel(grab, holding: &held, &isAway) else { break }
      save.post(.panel(panel.name))
      main.post(.lit(PanelFacts(panel)))
      var pad = ActivePanel(panel, from: snapshot, grab, feed, self)
      do throws(DisplayError) {
        next = try pad.run(told: held)
      } catch { return main.post(.renderEnded(reason: "device: \(error.text)")) }
      held = []
      if let report = pad.panel.statistics.report { StandardError.log(.info, report) }
    }
    main.post(.renderEnded(reason: nil))
  }

  /// Opens the panel, or waits for it; nil: `.stop` came first.
  private func openPanel(
    _ grab: TouchGrab, holding held: inout [RenderMessage], _ isAway: inout Bool
  ) -> Panel? {
    var logged = ""
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
      guard waitForPanel(holding: &held, &isAway) else { return nil }
    }
  }

  /// Waits for a change among the cards, for a second at most: no event says that a card is no longer held by
  /// another program. Holds messages for the next panel. Returns false for `.stop`.
  private func waitForPanel(holding held: inout [RenderMessage], _ isAway: inout Bool) -> Bool {
    var watch = try? HotplugWatch()
    var poll = Poll()
    poll.add(messages.number)
    poll.add(watch?.number ?? -1)
    _ = try? poll.wait(milliseconds: isAway ? -1 : 1000)
    _ = watch?.readChanges()
    discardContacts()
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
      // The scenes are typeset anew for the next panel, and slides and pages scaled.
      case .setScenes, .setResting, .setSlide, .sheet: break
      // There is nothing to press.
      case .press(_, let client): main.post(.told([.pressed(client, false)]))
      // The next panel's session handles them.
      case .saved, .notSaved, .service, .withdraw, .withdrawWithoutInk, .setMirrored:
        held.append(message)
      }
    }
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
