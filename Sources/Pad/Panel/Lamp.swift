internal import Configuration
internal import Display
internal import Linux

/// The lamp behind the panel, which goes out while the panel rests: with many drivers it does so by
/// itself, with some it would shine through a black picture.
struct Lamp {
  private let backlight: Backlight?
  /// A pad that was killed in the dark has left it out.
  private var isOut: Bool
  private var isRefused = false

  /// The one that the configuration means; where it means none, nothing is done.
  init(_ wish: DisplayConfiguration.Backlight) {
    backlight =
      switch wish {
      case .automatic: Backlight()
      case .none: nil
      case .named(let name): Backlight(named: name)
      }
    isOut = backlight?.isOut ?? false
    if case .named(let name) = wish, backlight == nil {
      StandardError.log(.warning, "config: [display] backlight: there is no lamp \(name)")
    }
  }

  /// Goes out or on with the panel. That it may not be written is said once: the picture is not hurt.
  mutating func rest(_ rests: Bool) {
    guard let backlight, rests != isOut, !isRefused else { return }
    do throws(SystemError) {
      try backlight.power(!rests)
      isOut = rests
    } catch {
      isRefused = true
      StandardError.log(.warning, "kernel: the backlight stays as it is: \(error.text)")
    }
  }
}
