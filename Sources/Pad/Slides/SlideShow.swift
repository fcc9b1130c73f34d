internal import Configuration
internal import Linux
internal import Raster
internal import Screen

/// Shows the pictures of `[pad] slides` in turn while the pad rests. Belongs to the main thread.
///
/// Each picture is read and scaled on a thread of its own, which then ends: that may take a second on a board.
struct SlideShow {
  private let path: String
  private let interval: Int64
  private let ground: UInt32
  private let main: Mailbox<MainMessage>
  private var screen: ScreenGeometry?
  /// The number of the panel, by which an answer for an earlier one is recognised.
  private var panelNumber = 0
  private var shown: SlideFolder.File?
  /// When the next picture is due.
  private var due: Int64 = 0
  private var isReading = false
  /// Whether the panel is blanked.
  var isBlanked = false
  /// Whether the panel shows the pad: there is one, and no other virtual terminal has it.
  var isVisible = true
  /// The refusals that hold, so that each is logged once.
  private var refused: [SlideFolder.Refusal] = []

  /// The answer of the thread.
  struct Answer: Sendable {
    fileprivate let panel: Int
    fileprivate let next: SlideFolder.Next
    fileprivate let refused: [SlideFolder.Refusal]
  }

  /// Nil without a folder.
  init?(_ configuration: PadConfiguration, main: Mailbox<MainMessage>) {
    guard let path = configuration.pad.slides else { return nil }
    self.path = path
    self.main = main
    interval = configuration.pad.slideTime
    ground = configuration.theme.colours.ground
  }

  /// A panel was opened, which shows no picture yet.
  mutating func lit(_ screen: ScreenGeometry) {
    self.screen = screen
    panelNumber += 1
    (shown, due) = (nil, 0)
    isBlanked = false
  }

  /// When `turn` must be called; nil: not while nothing else happens.
  func deadline(isResting: Bool) -> Int64? {
    isReading || isBlanked || !isVisible || screen == nil || !isResting ? nil : due
  }

  /// Starts to read the next picture if it is due. `.slide` is the answer.
  mutating func turn(at now: Int64, isResting: Bool) {
    guard let screen, let deadline = deadline(isResting: isResting), now >= deadline else { return }
    due = now + interval
    let folder = SlideFolder(path: path, screen: screen, ground: ground)
    let (main, panel, shown, known) = (main, panelNumber, shown, refused)
    do throws(Errno) {
      try Thread(name: "paraph-slides") {
        Thread.becomeOrdinary()
        let (next, refused) = folder.next(after: shown, refused: known)
        main.post(.slide(Answer(panel: panel, next: next, refused: refused)))
      }.detach()
      isReading = true
    } catch {
      StandardError.log(.warning, "kernel: cannot read the slides: \(error.text)")
    }
  }

  /// Handles the thread's answer.
  ///
  /// - Parameters:
  ///   - log: Receives a line for each file that was not refused before.
  ///   - show: Receives another picture; nil: there is none any more.
  mutating func answered(
    _ answer: Answer, log: (String) -> Void, show: (GroundPicture?) -> Void
  ) {
    isReading = false
    for refusal in answer.refused where !refused.contains(refusal) {
      log("config: [pad] slides: \(refusal.reason); it is left out")
    }
    refused = answer.refused
    // Another panel may have been opened meanwhile.
    guard panelNumber == answer.panel else { return }
    switch answer.next {
    case .same: break
    case .nothing:
      shown = nil
      show(nil)
    case .picture(let file, let picture):
      shown = file
      show(picture)
    }
  }
}
