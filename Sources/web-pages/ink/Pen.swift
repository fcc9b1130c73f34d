import Ink

/// The properties of a stroke besides its samples.
struct Pen: BitwiseCopyable, Equatable {
  var law = WidthLaw.standard
  var colour = Colour(0xFF)
  /// Whether it removes ink, and the page's colour, instead of adding it.
  var isEraser = false

  /// The widths that can be drawn, in millimetres.
  private static let widths: ClosedRange<Float> = 0.01...100

  /// Creates a pen; widths out of range, in the wrong order or NaN become possible ones.
  init(narrowest: Float, widest: Float, colour: Colour, isEraser: Bool) {
    let narrowest = Pen.limited(narrowest)
    law = WidthLaw(narrowest: narrowest, widest: max(narrowest, Pen.limited(widest)))
    self.colour = colour
    self.isEraser = isEraser
  }

  /// The pad's own pen: black.
  init() {}

  private static func limited(_ width: Float) -> Float {
    // The negation is true for NaN too.
    guard width >= widths.lowerBound else { return widths.lowerBound }
    return min(width, widths.upperBound)
  }
}

/// A colour with 8 bits per channel; the colour is not multiplied by alpha.
struct Colour: BitwiseCopyable, Equatable {
  let red, green, blue, alpha: UInt8

  /// Creates a colour from 0xRRGGBBAA.
  init(_ value: UInt32) {
    red = UInt8(truncatingIfNeeded: value >> 24)
    green = UInt8(truncatingIfNeeded: value >> 16)
    blue = UInt8(truncatingIfNeeded: value >> 8)
    alpha = UInt8(truncatingIfNeeded: value)
  }

  init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Nothing.
  static var clear: Colour { Colour(0) }
}
