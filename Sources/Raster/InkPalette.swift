/// The colours of ground and ink, prepared for blending.
///
/// Each channel is below·(255 − c) + above·c, divided by 255 and rounded.
struct InkPalette: BitwiseCopyable {
  /// 0xFFRRGGBB.
  let ground, ink: UInt32
  private let blue, green, red: Channel
  /// Whether both colours are grey, so that all channels are equal.
  private let isGrey: Bool

  private struct Channel: BitwiseCopyable, Equatable {
    /// The ground's value times 255, plus one half for rounding.
    let base: UInt16
    /// The amount that a level of ink adds.
    let slope: UInt16

    init(_ below: UInt32, _ above: UInt32) {
      base = UInt16(truncatingIfNeeded: (below & 255) &* 255 &+ 128)
      slope = UInt16(truncatingIfNeeded: (above & 255) &- (below & 255))
    }
  }

  init(ground: UInt32, ink: UInt32) {
    self.ground = ground
    self.ink = ink
    blue = Channel(ground, ink)
    green = Channel(ground &>> 8, ink &>> 8)
    red = Channel(ground &>> 16, ink &>> 16)
    isGrey = blue == green && green == red
  }

  /// Sixteen pixels of the ground colour under ink.
  @inline(__always)
  func pixels(_ coverage: SIMD16<UInt8>) -> SIMD16<UInt32> {
    SIMD16(lowHalf: pixels(coverage.lowHalf), highHalf: pixels(coverage.highHalf))
  }

  @inline(__always)
  private func pixels(_ coverage: SIMD8<UInt8>) -> SIMD8<UInt32> {
    let levels = coverage.widened
    let blue = InkPalette.divided(self.blue.base &+ levels &* self.blue.slope)
    if isGrey { return InkPalette.join(blue: blue, green: blue, red: blue) }
    return InkPalette.join(
      blue: blue, green: InkPalette.divided(green.base &+ levels &* green.slope),
      red: InkPalette.divided(red.base &+ levels &* red.slope))
  }

  /// Sixteen pixels of any colour under ink.
  @inline(__always)
  func pixels(_ coverage: SIMD16<UInt8>, over below: SIMD16<UInt32>) -> SIMD16<UInt32> {
    InkPalette.blend(below, ink, coverage)
  }

  /// Sixteen pixels under a colour.
  @inline(__always)
  static func blend(
    _ below: SIMD16<UInt32>, _ above: UInt32, _ coverage: SIMD16<UInt8>
  ) -> SIMD16<UInt32> {
    SIMD16(
      lowHalf: blend(below.lowHalf, above, coverage.lowHalf),
      highHalf: blend(below.highHalf, above, coverage.highHalf))
  }

  @inline(__always)
  private static func blend(
    _ below: SIMD8<UInt32>, _ above: UInt32, _ coverage: SIMD8<UInt8>
  ) -> SIMD8<UInt32> {
    let levels = coverage.widened
    let halves = unsafe unsafeBitCast(below, to: SIMD16<UInt16>.self)
    let greenBlue = halves.evenHalf
    @inline(__always)
    func mix(_ channel: SIMD8<UInt16>, _ above: UInt32) -> SIMD8<UInt16> {
      let slope = UInt16(truncatingIfNeeded: above & 255) &- channel
      return divided(channel &* 255 &+ 128 &+ levels &* slope)
    }
    return join(
      blue: mix(greenBlue & 255, above), green: mix(greenBlue &>> 8, above &>> 8),
      red: mix(halves.oddHalf & 255, above &>> 16))
  }

  /// Divides by 255, and rounds if 128 was added before, for x up to 255².
  ///
  /// From Blinn, *Three Wrongs Make a Right*, 1995.
  @inline(__always)
  private static func divided(_ x: SIMD8<UInt16>) -> SIMD8<UInt16> { (x &+ x &>> 8) &>> 8 }

  @inline(__always)
  private static func join(
    blue: SIMD8<UInt16>, green: SIMD8<UInt16>, red: SIMD8<UInt16>
  ) -> SIMD8<UInt32> {
    var halves = SIMD16<UInt16>()
    halves.evenHalf = green &<< 8 | blue
    halves.oddHalf = red | 0xFF00
    return unsafe unsafeBitCast(halves, to: SIMD8<UInt32>.self)
  }
}

// The arithmetic of coverage. Conversions between vectors are calls in Swift 6.3; halves and bit casts are
// instructions.

extension SIMD8<UInt8> {
  /// The elements in 16 bits each.
  @inline(__always) fileprivate var widened: SIMD8<UInt16> {
    var bytes = SIMD16<UInt8>()
    bytes.evenHalf = self
    return unsafe unsafeBitCast(bytes, to: SIMD8<UInt16>.self)
  }

  /// Composites `other` over this coverage: a + b − ab/255, rounded.
  @inline(__always) fileprivate func over(_ other: Self) -> Self {
    let a = widened
    let b = other.widened
    let product = a &* b &+ 128
    let sum = a &+ b &- (product &+ product &>> 8) &>> 8
    return unsafe unsafeBitCast(sum, to: SIMD16<UInt8>.self).evenHalf
  }
}

extension SIMD8<UInt16> {
  /// The sums, at most 65 535.
  @inline(__always) func addingSaturated(_ other: UInt16) -> Self {
    let sum = self &+ other
    return sum.replacing(with: Self(repeating: .max), where: sum .< self)
  }
}

extension SIMD16<UInt8> {
  /// The sums, at most 255.
  @inline(__always) func addingSaturated(_ other: Self) -> Self {
    let sum = self &+ other
    return sum.replacing(with: Self(repeating: 255), where: sum .< self)
  }

  /// Composites `other` over this coverage.
  @inline(__always) func over(_ other: Self) -> Self {
    Self(lowHalf: lowHalf.over(other.lowHalf), highHalf: highHalf.over(other.highHalf))
  }
}
