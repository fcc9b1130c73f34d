internal import Configuration
internal import Display
internal import Linux

/// Switches the backlight off while the panel is blanked; some drivers leave it on.
struct BacklightPower {
  private let backlight: Backlight?
  private var isOff: Bool
  private var hasFailed = false
  /// The panel is not blanked, or nobody has blanked it yet.
  private var isWanted = true

  /// Switches a backlight; does nothing if it is nil.
  init(of backlight: Backlight?) {
    self.backlight = backlight
    // A pad that was killed while blanked leaves it off.
    isOff = backlight?.isOff ?? false
  }

  /// Finds the configured backlight; does nothing if there is none.
  init(_ choice: DisplayConfiguration.Backlight) {
    switch choice {
    case .automatic: self.init(of: Backlight())
    case .none: self.init(of: nil)
    case .named(let name): self.init(of: Backlight(named: name))
    }
    if case .named(let name) = choice, backlight == nil {
      StandardError.log(
        .warning,
        "config: [display] backlight: \(name) does not exist; no backlight is switched off")
    }
  }

  /// Follows the panel. An error is logged once, and nothing is switched off any more.
  ///
  /// Switching on is tried each time: without light nobody sees the picture.
  mutating func setBlanked(_ isBlanked: Bool) {
    isWanted = !isBlanked
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
}
