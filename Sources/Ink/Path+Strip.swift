extension Path {
  /// A contour between two cubic edges with straight ends, forth on the one and back on the other.
  @inline(__always)
  mutating func strip(_ a: (Point, Point, Point, Point), _ b: (Point, Point, Point, Point)) {
    append(
      contour: (Verb.move, Verb.cubic, Verb.line, Verb.cubic),
      (a.0, a.1, a.2, a.3, b.3, b.2, b.1, b.0))
  }

  /// Half a disc to the right of `radius`, by way of the point that lies there.
  @inline(__always)
  mutating func halfDisc(around centre: Point, from radius: Point) {
    let tip = radius.normal
    // 4/3·(√2 − 1), see `circle`.
    let (k, l) = (radius * 0.5522847, tip * 0.5522847)
    append(
      contour: (Verb.move, Verb.cubic, Verb.cubic),
      (
        centre + radius, centre + (radius + l), centre + (tip + k), centre + tip,
        centre + (tip - k), centre + (l - radius), centre - radius
      ))
  }
}
