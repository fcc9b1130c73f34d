import Ink

extension EdgeBuffer {
  /// Curves deviate from their chords by no more than this many pixels: half a step of coverage in
  /// the mean over an edge.
  static var tolerance: Float { 0.006 }
  /// The most chords of one curve; with it a circle of 10 000 pixels keeps the tolerance.
  static var maximumChords: Float { 1024 }

  /// All edges of an outline; `origin` is the buffer's first pixel.
  mutating func add(
    _ outline: borrowing Path, scale: Scale, offset: SIMD2<Float>, origin: SIMD2<Float>
  ) {
    let verbs = outline.verbs
    let points = outline.points
    let factor = SIMD2(scale.x, scale.y)
    // The subtraction comes last and is exact, so that two outlines which share a point share its
    // place within the pixel whatever their bounding boxes are.
    func pixel(_ index: Int) -> SIMD2<Float> { (points[index] * factor + offset) - origin }
    var start = SIMD2<Float>.zero
    var here = start
    var next = 0
    for index in verbs.indices {
      switch verbs[index] {
      case .move:
        line(here, start)
        start = pixel(next)
        here = start
        next += 1
      case .line:
        let end = pixel(next)
        line(here, end)
        here = end
        next += 1
      case .quad:
        let end = pixel(next + 1)
        quad(here, pixel(next), end)
        here = end
        next += 2
      case .cubic:
        let end = pixel(next + 2)
        cubic(here, pixel(next), pixel(next + 1), end)
        here = end
        next += 3
      }
    }
    line(here, start)
  }

  /// n² ≥ |p''|/(8·tolerance) chords stay within the tolerance (Sederberg, CAGD, ch. 10.6).
  private static func chords(_ bend: Float) -> Float {
    min((bend / (8 * tolerance)).squareRoot().rounded(.up), maximumChords)
  }

  private mutating func quad(_ p0: SIMD2<Float>, _ p1: SIMD2<Float>, _ p2: SIMD2<Float>) {
    let bend = p0 - 2 * p1 + p2
    let n = EdgeBuffer.chords(2 * (bend * bend).sum().squareRoot())
    var here = p0
    var i: Float = 1
    while i < n {
      let t = i / n
      let a = p0 + (p1 - p0) * t
      let b = p1 + (p2 - p1) * t
      let point = a + (b - a) * t
      line(here, point)
      here = point
      i += 1
    }
    line(here, p2)
  }

  private mutating func cubic(
    _ p0: SIMD2<Float>, _ p1: SIMD2<Float>, _ p2: SIMD2<Float>, _ p3: SIMD2<Float>
  ) {
    let u = p0 - 2 * p1 + p2
    let v = p1 - 2 * p2 + p3
    let n = EdgeBuffer.chords(6 * max((u * u).sum(), (v * v).sum()).squareRoot())
    // Powers of t.
    let c = 3 * (p1 - p0)
    let b = 3 * u
    let a = v - u
    var here = p0
    var i: Float = 1
    while i < n {
      let t = i / n
      let point = ((a * t + b) * t + c) * t + p0
      line(here, point)
      here = point
      i += 1
    }
    line(here, p3)
  }
}
