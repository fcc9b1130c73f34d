#if arch(arm)
  internal import CSIMD

  /// Vector operations as single NEON instructions.
  ///
  /// The standard library computes them element by element. On other processors LLVM merges the
  /// elements. On ARMv7, whose vectors flush subnormal numbers to zero, it does not. Outlines are
  /// in pixels: a length below 10⁻³⁸ draws nothing.
  extension SIMD4<Float> {
    @inline(__always)
    static func + (a: Self, b: Self) -> Self { CSIMD_add(a, b) }
    @inline(__always)
    static func - (a: Self, b: Self) -> Self { CSIMD_subtract(a, b) }
    @inline(__always)
    static func * (a: Self, b: Self) -> Self { CSIMD_multiply(a, b) }

    @inline(__always)
    static func + (a: Self, b: Float) -> Self { a + Self(repeating: b) }
    @inline(__always)
    static func - (a: Self, b: Float) -> Self { a - Self(repeating: b) }
    @inline(__always)
    static func * (a: Self, b: Float) -> Self { a * Self(repeating: b) }
    @inline(__always)
    static func * (a: Float, b: Self) -> Self { Self(repeating: a) * b }

    @inline(__always)
    static func += (a: inout Self, b: Self) { a = a + b }
    @inline(__always)
    static func += (a: inout Self, b: Float) { a = a + b }
    @inline(__always)
    static func -= (a: inout Self, b: Float) { a = a - b }

    @inline(__always)
    func replacing(with other: Self, where mask: SIMDMask<SIMD4<Int32>>) -> Self {
      // A mask's elements are −1 or 0.
      CSIMD_select(self, other, unsafe unsafeBitCast(mask, to: SIMD4<Int32>.self))
    }
    @inline(__always)
    func replacing(with other: Float, where mask: SIMDMask<SIMD4<Int32>>) -> Self {
      replacing(with: Self(repeating: other), where: mask)
    }
  }
#endif
