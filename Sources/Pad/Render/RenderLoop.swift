internal import Control
internal import Display
internal import Ink
internal import Linux
internal import Screen
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
    var snapshot: PadSnapshot
    /// Nanoseconds without a touch until the panel goes dark; nil: never.
    var blankAfter: Int64?
    /// Hand the memory panel's picture to the save thread when *Done* is pressed.
    var keepsPicture: Bool
  }

  let options: Options
  let contacts: ContactRing
  let messages: Mailbox<RenderMessage>
  let save: Mailbox<SaveMessage>
  let main: Mailbox<MainMessage>
  /// What the ink does, to the save thread.
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

  /// Opens the panel on this thread, which then owns it, and runs until it is told to stop. A panel
  /// that is not there is waited for; one that comes back with another size gets the ink that was there.
  func run() {
    SharedCore.join()
    let trace = JournalFeed(into: ink)
    let grab = TouchGrab(main)
    var next: PadSnapshot? = options.snapshot
    var held: [RenderMessage] = []
    while let snapshot = next {
      guard let panel = openPanel(grab, holding: &held) else { break }
      save.post(.panel(panel.name))
      main.post(.lit(PanelFacts(panel)))
      var pad = ActivePanel(panel, from: snapshot, grab, trace, self)
      do throws(DisplayError) {
        next = try pad.run(told: held)
      } catch { return main.post(.renderEnded(reason: "device: \(error.text)")) }
      held = []
      if let report = pad.panel.statistics.report { StandardError.log(.info, report) }
    }
    main.post(.renderEnded(reason: nil))
  }

  /// Nil if it is told to stop before there is a panel.
  private func openPanel(_ grab: TouchGrab, holding held: inout [RenderMessage]) -> Panel? {
    var before = ""
    var isAway = false
    while true {
      // A card that comes while another terminal is shown belongs to that one.
      if !isAway {
        do throws(DisplayError) {
          return try options.source.open()
        } catch {
          // The same reason every second helps nobody.
          if error.text != before { main.post(.waiting(line: "device: \(error.text)")) }
          before = error.text
        }
      }
      grab.want(false)
      guard waitForPanel(holding: &held, &isAway) else { return nil }
    }
  }

  /// Until something changes among the cards, or for a second: a card that another program holds is
  /// given back without a sound. What concerns the pad is held for it. False if it is told to stop.
  private func waitForPanel(holding held: inout [RenderMessage], _ isAway: inout Bool) -> Bool {
    var watch = try? HotplugWatch()
    var poll = Poll()
    poll.add(messages.number)
    poll.add(watch?.number ?? -1)
    _ = try? poll.wait(milliseconds: 1000)
    _ = watch?.readChanges()
    discardContacts()
    for message in messages.takeAll() {
      switch message {
      case .stop: return false
      case .heartbeat: main.post(.renderAlive)
      case .leave:
        isAway = true
        main.post(.left)
      case .comeBack: isAway = false
      case .measure: main.post(.measured(nil))
      case .ask(let request), .show(let request):
        main.post(.told([.refused(request.number, .outOfService("there is no panel"))]))
      // The words are set anew for the panel that comes.
      case .setWords: break
      // What is withdrawn would be on the panel that comes: the session is to end it.
      case .saved, .notSaved, .service, .withdraw: held.append(message)
      }
    }
    return true
  }
}

extension RenderLoop {
  /// What is touched while there is no panel is not meant for the pad, and must not be drawn on the next one.
  private func discardContacts() {
    contacts.beginReading()
    while contacts.pop() != nil {}
    _ = contacts.drainLost()
  }
}

extension PanelFacts {
  init(_ panel: borrowing Panel) {
    self.init(
      width: panel.width, height: panel.height, scale: panel.scale,
      quarterTurns: panel.geometry.rotation.quarterTurns, connector: panel.connector,
      name: panel.name, summary: panel.summary)
  }
}
