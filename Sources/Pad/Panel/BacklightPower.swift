internal import Configuration
internal import Display
internal import Linux

/// Switches the backlight off while the panel is blanked; some drivers leave it on.
///
/// A backlight may appear after the start of the pad, and another driver may replace it.
struct BacklightPower {
  private let choice: DisplayConfiguration.Backlight
  /// The folder of all backlights.
  private let folder: String
  /// Nil: there is none, or none yet.
  private var backlight: Backlight?
  private var isOff = false
  private var hasFailed = false
  /// The panel is not blanked, or nobody has blanked it yet.
  private var isWanted = true
  private var isMissingLogged = false

  /// Switches the configured backlight; does nothing while there is none.
  init(_ choice: DisplayConfiguration.Backlight, in folder: String = Backlight.folder) {
    self.choice = choice
    self.folder = folder
    find()
  }

  /// A panel was opened.
  mutating func panelOpened() {
    isWanted = true
    panelReturned()
  }

  /// The panel is there again: its driver may have brought another backlight.
  mutating func panelReturned() {
    hasFailed = false
    // It may have the name of the former one.
    backlight = nil
    setBlanked(!isWanted)
    guard case .named(let name) = choice, backlight == nil, !isMissingLogged else { return }
    isMissingLogged = true
    StandardError.log(
      .warning,
      "config: [display] backlight: \(name) does not exist; "
        + "no backlight is switched off until it does")
  }

  /// Follows the panel. An error is logged once, and nothing is switched off any more.
  ///
  /// Switching on is tried each time: without light nobody sees the picture.
  mutating func setBlanked(_ isBlanked: Bool) {
    isWanted = !isBlanked
    find()
    guard let backlight, isBlanked != isOff, !(isBlanked && hasFailed) else { return }
    do throws(SystemError) {
      try backlight.setPower(!isBlanked)
      isOff = isBlanked
    } catch {
      if !hasFailed {
        StandardError.log(.warning, "kernel: the backlight is not switched: \(error.text)")
      }
      hasFailed = true
    }
  }

  /// Switches a backlight on that could not be switched on. Called now and then.
  mutating func retry() {
    if hasFailed, isWanted { setBlanked(false) }
  }

  /// Looks for the backlight while there is none.
  private mutating func find() {
    if let backlight, backlight.exists { return }
    backlight =
      switch choice {
      case .automatic: Backlight(in: folder)
      case .none: nil
      case .named(let name): Backlight(named: name, in: folder)
      }
    guard let backlight else { return }
    hasFailed = false
    // A pad that was killed while blanked leaves it off.
    isOff = backlight.isOff
  }
}
