extension Sample {
  /// What a model may calculate with, whatever was reported: nil where there is no place, and places,
  /// times and pressures within bounds that no panel reaches (a kilometre, 73 years of uptime), so that
  /// neither a square nor a difference of theirs overflows.
  @inline(__always)
  var plausible: Sample? {
    let (x, y) = (position.x, position.y)
    var sample = self
    // Written so that what is no number is found here too.
    if !(abs(x) <= Sample.reach && abs(y) <= Sample.reach) {
      guard x.isFinite, y.isFinite else { return nil }
      sample.position = Point(
        min(max(x, -Sample.reach), Sample.reach), min(max(y, -Sample.reach), Sample.reach))
    }
    sample.time = min(max(time, -1 << 61), 1 << 61)
    sample.pressure = pressure >= 0 ? min(pressure, 1) : -1
    return sample
  }

  private static var reach: Float { 1_000_000 }
}
