import Ink

extension Rasteriser {
  /// All edges of the outline in `corners`, which lies within the cells; `origin` is the first cell's
  /// pixel.
  @inline(__always)
  mutating func add(_ verbs: Span<Path.Verb>, origin: SIMD2<Float>) {
    let points = unsafe corners.points
    // The subtraction is exact, so that two outlines which share a point share its place within the
    // pixel whatever their bounding boxes are.
    @inline(__always)
    func pixel(_ index: Int) -> SIMD2<Float> { unsafe StepBuffer.units(points[index] - origin) }
    var start = SIMD2<Float>.zero
    var last = start
    var next = 0
    for index in verbs.indices {
      switch verbs[index] {
      case .move:
        if next > 0 { close(last, start) }
        start = pixel(next)
        steps.start(start)
        last = start
        next &+= 1
      case .line:
        let end = pixel(next)
        steps.line(last, end, in: &cells)
        last = end
        next &+= 1
      case .quad:
        let end = pixel(next &+ 1)
        steps.quad(last, pixel(next), end, in: &cells)
        last = end
        next &+= 2
      case .cubic:
        let end = pixel(next &+ 2)
        steps.cubic(last, pixel(next), pixel(next &+ 1), end, in: &cells)
        last = end
        next &+= 3
      }
    }
    if next > 0 { close(last, start) }
  }

  @inline(__always)
  private mutating func close(_ last: SIMD2<Float>, _ start: SIMD2<Float>) {
    steps.line(last, start, in: &cells)
    steps.flush(into: &cells)
  }
}
