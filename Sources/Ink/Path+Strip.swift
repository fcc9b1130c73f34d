extension Path {
  /// A contour between two cubic edges with straight ends, forth on the one and back on the other:
  /// each argument holds a point of the first edge (x, y) and of the second (z, w).
  @inline(__always)
  mutating func strip(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
  ) {
    append(
      (.move, .cubic, .line, .cubic),
      (
        a.lowHalf, b.lowHalf, c.lowHalf, d.lowHalf, d.highHalf, c.highHalf, b.highHalf, a.highHalf
      ))
  }
}
