#if DEBUG
  import Configuration
  import Ink
  import Linux
  import Screen
  import Spool
  import Touch

  @testable import Control
  @testable import Pad

  /// The memory of a process of paraphd: its threads' parts, and the mailboxes between them.
  final class RunningPad {
    var session: Session
    var gate = ContactGate()
    var control: ControlService
    let ring: ContactRing
    let render: Mailbox<RenderMessage>
    let main: Mailbox<MainMessage>
    let save: Mailbox<SaveMessage>
    /// The save thread; nil: it has not begun.
    var work: SaveWork?
    var recovery: JournalRecovery
    /// Messages that the main thread has taken, and not handled.
    var inbox: [MainMessage] = []
    /// The strokes on the glass.
    var strokes: [Stroke]
    /// The number of the request that the save thread was told of last.
    var recorded: Int64?
    /// The request of the signature that is being saved was withdrawn meanwhile.
    var isWithdrawn = false
    /// The open request, of which the journal knows.
    var request: PadRequest?

    init(_ session: Session, _ recovery: consuming JournalRecovery) throws {
      self.session = session
      ring = try ContactRing()
      render = try Mailbox()
      main = try Mailbox()
      save = try Mailbox()
      control = ControlService(
        info: PadInfo(device: "d", version: "1"), allowsStrokes: false, draw: { _, _ in nil })
      strokes = recovery.state.strokes
      self.recovery = recovery
    }
  }
#endif
