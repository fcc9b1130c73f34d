extension SIMD16<UInt8> {
  /// The sum, 255 at most.
  @inline(__always) func addingSaturated(_ other: Self) -> Self {
    let sum = self &+ other
    return sum.replacing(with: 255, where: sum .< self)
  }

  /// `other` laid over it: a + b − ab/255, rounded.
  @inline(__always) func over(_ other: Self) -> Self {
    let a = SIMD16<UInt16>(truncatingIfNeeded: self)
    let b = SIMD16<UInt16>(truncatingIfNeeded: other)
    // x·257 + 257 >> 16 is x/255 rounded for every x up to 255² once 128 is added (Blinn, 1994).
    let product = a &* b &+ 128
    let quotient = (product &+ (product &>> 8)) &>> 8
    return SIMD16<UInt8>(truncatingIfNeeded: a &+ b &- quotient)
  }
}
