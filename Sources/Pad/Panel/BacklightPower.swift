internal import Configuration
internal import Display
internal import Linux

/// Switches the backlight off while the panel is blanked; some drivers leave it on.
struct BacklightPower {
  private let backlight: Backlight?
  private var isOff: Bool
  private var hasFailed = false

  /// Finds the configured backlight; does nothing if there is none.
  init(_ choice: DisplayConfiguration.Backlight) {
    backlight =
      switch choice {
      case .automatic: Backlight()
      case .none: nil
      case .named(let name): Backlight(named: name)
      }
    // A pad that was killed while blanked leaves it off.
    isOff = backlight?.isOff ?? false
    if case .named(let name) = choice, backlight == nil {
      StandardError.log(
        .warning,
        "config: [display] backlight: \(name) does not exist; no backlight is switched off")
    }
  }

  /// Follows the panel. An error is logged once, as the picture does not depend on it.
  mutating func setBlanked(_ isBlanked: Bool) {
    guard let backlight, isBlanked != isOff, !hasFailed else { return }
    do throws(SystemError) {
      try backlight.setPower(!isBlanked)
      isOff = isBlanked
    } catch {
      hasFailed = true
      StandardError.log(.warning, "kernel: the backlight is not switched: \(error.text)")
    }
  }
}
