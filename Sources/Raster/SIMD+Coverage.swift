// Conversions between vectors are calls in Swift 6.3; halves and bit casts are instructions.

extension SIMD8<UInt8> {
  /// The same numbers in 16 bits each.
  @inline(__always) var widened: SIMD8<UInt16> {
    var bytes = SIMD16<UInt8>()
    bytes.evenHalf = self
    return unsafe unsafeBitCast(bytes, to: SIMD8<UInt16>.self)
  }

  /// `other` laid over it: a + b − ab/255, rounded.
  @inline(__always) func over(_ other: Self) -> Self {
    let a = widened
    let b = other.widened
    let product = a &* b &+ 128
    let sum = a &+ b &- (product &+ product &>> 8) &>> 8
    return unsafe unsafeBitCast(sum, to: SIMD16<UInt8>.self).evenHalf
  }
}

extension SIMD8<UInt16> {
  /// The sums, 65 535 at most.
  @inline(__always) func addingSaturated(_ other: UInt16) -> Self {
    let sum = self &+ other
    return sum.replacing(with: Self(repeating: .max), where: sum .< self)
  }
}

extension SIMD16<UInt8> {
  /// The sum, 255 at most.
  @inline(__always) func addingSaturated(_ other: Self) -> Self {
    let sum = self &+ other
    return sum.replacing(with: Self(repeating: 255), where: sum .< self)
  }

  /// `other` laid over it.
  @inline(__always) func over(_ other: Self) -> Self {
    Self(lowHalf: lowHalf.over(other.lowHalf), highHalf: highHalf.over(other.highHalf))
  }
}
