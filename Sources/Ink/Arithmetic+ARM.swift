#if arch(arm) || arch(arm64)
  internal import CSIMD

  // Vector operations as single instructions.
  //
  // The standard library implements `min` and `max` by comparisons, and vector operations element
  // by element. On other processors LLVM merges the elements. On ARMv7, whose vectors flush
  // subnormal numbers to zero, it does not; on ARM64 it merges only pairs. Ink does not depend on
  // subnormal numbers. It does not depend on the order of NaN either, whose result differs, because
  // the models ignore samples that are not finite. All other results are the same to the last bit.

  @inline(__always)
  func min(_ a: Float, _ b: Float) -> Float { CSIMD_minimum(a, b) }
  @inline(__always)
  func max(_ a: Float, _ b: Float) -> Float { CSIMD_maximum(a, b) }

  /// Converts directly: the library converts by way of 64 bits, for which ARMv7 calls a function.
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
