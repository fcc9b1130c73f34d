/// The colours that each level of a pen's ink makes of one background.
struct Blends {
  private let background: Colour
  private let pen: Pen
  private let colours: [Colour]

  init(_ background: Colour, _ pen: Pen) {
    self.background = background
    self.pen = pen
    colours = (0...255).map { background.under(UInt8(truncatingIfNeeded: $0), pen) }
  }

  /// Whether they are of this background and pen.
  func are(of background: Colour, _ pen: Pen) -> Bool {
    background == self.background && pen == self.pen
  }

  subscript(level: UInt8) -> Colour { colours[Int(level)] }
}

extension Colour {
  /// The colour that is seen where a level of ink, 0…255, is drawn on this one.
  func under(_ coverage: UInt8, _ pen: Pen) -> Colour {
    let level = Colour.product(coverage, pen.colour.alpha)
    if level == 0 { return self }
    if pen.isEraser {
      return Colour(
        red: red, green: green, blue: blue, alpha: alpha &- Colour.product(alpha, level))
    }
    if alpha == 0 {
      return Colour(
        red: pen.colour.red, green: pen.colour.green, blue: pen.colour.blue, alpha: level)
    }
    // The share of the page that is seen through the ink, times 255.
    let rest = UInt32(alpha) &* (255 &- UInt32(level))
    let total = UInt32(level) &* 255 &+ rest
    @inline(__always)
    func mix(_ above: UInt8, _ below: UInt8) -> UInt8 {
      let sum = UInt32(above) &* UInt32(level) &* 255 &+ UInt32(below) &* rest
      return UInt8(truncatingIfNeeded: (sum &+ total / 2) / total)
    }
    return Colour(
      red: mix(pen.colour.red, red), green: mix(pen.colour.green, green),
      blue: mix(pen.colour.blue, blue), alpha: UInt8(truncatingIfNeeded: (total &+ 127) / 255))
  }

  /// a·b/255, rounded.
  @inline(__always)
  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(a) &* UInt32(b) &+ 127) / 255)
  }
}
