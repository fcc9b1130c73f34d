internal import Configuration
internal import Ink

/// How the pad's face and its ink are painted.
struct Theme: Sendable {
  /// Of what the pad shows.
  var colours = ThemeColours.light
  /// Ink on the glass, 0xRRGGBB.
  var ink = ThemeColours.light.ink
  /// From the narrowest to the widest ink, in millimetres; nil: the model's own.
  var inkWidth: ClosedRange<Float>?
  /// Nanoseconds by which the tail runs ahead of the hand.
  var prediction: Int64 = 0

  /// Black on white.
  init() {}

  /// As configured.
  init(_ configuration: PadConfiguration) {
    colours = configuration.theme.colours
    ink = configuration.ink.colour
    inkWidth = configuration.ink.width
    prediction = configuration.ink.prediction
  }

  /// How wide ink is.
  var law: WidthLaw {
    inkWidth.map { WidthLaw(narrowest: $0.lowerBound, widest: $0.upperBound) } ?? .standard
  }

  /// The ink's colour for a file, which has no ground of its own: black where the colour could not be
  /// seen on white paper (3:1, WCAG 2.2, 1.4.11).
  var inkOnPaper: UInt32 {
    Contrast.ratio(ink, 0xFF_FFFF) >= 3 ? ink : 0x00_0000
  }
}
