public import Configuration
public import Ink

/// The colours of the pad, and the colour, width and prediction of its ink.
public struct Theme: Sendable {
  /// Colours of everything but the ink.
  public var colours = ThemeColours.light
  /// Colour of the ink on the glass, 0xRRGGBB.
  public var ink = ThemeColours.light.ink
  /// Narrowest to widest ink, in millimetres; nil: the model's own.
  public var inkWidth: ClosedRange<Float>?
  /// The prediction of the tail, in nanoseconds.
  public var prediction: Int64 = 0

  /// Black on white.
  public init() {}

  /// The configured theme.
  public init(_ configuration: PadConfiguration) {
    colours = configuration.theme.colours
    ink = configuration.ink.colour
    inkWidth = configuration.ink.width
    prediction = configuration.ink.prediction
  }

  /// The width of ink by the hand's speed.
  public var law: WidthLaw {
    inkWidth.map { WidthLaw(narrowest: $0.lowerBound, widest: $0.upperBound) } ?? .standard
  }

  /// The ink's colour in files, 0xRRGGBB.
  ///
  /// Files have no background: black replaces a colour that is hard to see on white paper (below 3:1,
  /// WCAG 2.2, 1.4.11).
  public var inkOnPaper: UInt32 {
    Contrast.ratio(ink, 0xFF_FFFF) >= 3 ? ink : 0x00_0000
  }
}
