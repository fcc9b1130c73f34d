internal import Ink

extension GlassGeometry.Placement {
  /// Millimetres of the sensitive glass, as the device's axes run.
  var sensitiveGlass: Point {
    if let sensitiveSize { return sensitiveSize }
    return quarterTurns & 1 == 0 ? Point(width, height) : Point(height, width)
  }

  /// What a calibration has to make of a touch at a place of the picture, both from 0 to 1: the way of
  /// `GlassGeometry` backwards.
  func calibrated(_ place: Point) -> SIMD2<Double> {
    let panel = CalibrationMatrix.upright(quarterTurns: -quarterTurns)
      .apply(x: Double(place.x), y: Double(place.y))
    let whole = quarterTurns & 1 == 0 ? Point(width, height) : Point(height, width)
    let glass = sensitiveGlass
    guard glass.x > 0, glass.y > 0 else { return SIMD2(panel.x, panel.y) }
    return SIMD2(panel.x * Double(whole.x / glass.x), panel.y * Double(whole.y / glass.y))
  }
}
