#if arch(arm) || arch(arm64)
  internal import CSIMD

  // The library's operations, as one instruction each.
  //
  // The library compares for `min` and `max`, and computes with vectors element by element. LLVM joins the
  // elements on other processors; on ARMv7 it does not, whose vectors flush subnormal numbers to zero, and on
  // ARM64 only by pairs. No ink depends on these numbers, nor on the order of NaN, whose result differs: the
  // models ignore samples that are not finite. Else the results are the same to the last bit.

  @inline(__always)
  func min(_ a: Float, _ b: Float) -> Float { CSIMD_minimum(a, b) }
  @inline(__always)
  func max(_ a: Float, _ b: Float) -> Float { CSIMD_maximum(a, b) }

  /// The library's conversion is by way of 64 bits, for which ARMv7 calls a function.
  @inline(__always)
  func float(_ number: UInt32) -> Float { CSIMD_float(number) }

  extension SIMD2<Float> {
    @inline(__always)
    static func + (a: Self, b: Self) -> Self { CSIMD_add2(a, b) }
    @inline(__always)
    static func - (a: Self, b: Self) -> Self { CSIMD_subtract2(a, b) }
    @inline(__always)
    static func * (a: Self, b: Self) -> Self { CSIMD_multiply2(a, b) }
    @inline(__always)
    static func * (a: Self, b: Float) -> Self { a * Self(repeating: b) }
    @inline(__always)
    static func * (a: Float, b: Self) -> Self { Self(repeating: a) * b }
    @inline(__always)
    static func += (a: inout Self, b: Self) { a = a + b }
  }

  extension SIMD4<Float> {
    @inline(__always)
    static func + (a: Self, b: Self) -> Self { CSIMD_add(a, b) }
    @inline(__always)
    static func - (a: Self, b: Self) -> Self { CSIMD_subtract(a, b) }
    @inline(__always)
    static func * (a: Self, b: Self) -> Self { CSIMD_multiply(a, b) }
    @inline(__always)
    static func * (a: Self, b: Float) -> Self { a * Self(repeating: b) }
  }
#else
  @inline(__always)
  func float(_ number: UInt32) -> Float { Float(number) }
#endif
