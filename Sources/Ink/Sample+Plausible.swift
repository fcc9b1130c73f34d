extension Sample {
  /// What a model may calculate with, whatever was reported: nil where there is no place, and places,
  /// times and pressures within bounds that no panel reaches (a kilometre, 73 years of uptime), so that
  /// neither a square nor a difference of theirs overflows.
  var plausible: Sample? {
    guard position.x.isFinite, position.y.isFinite else { return nil }
    let reach = Point(repeating: 1_000_000)
    return Sample(
      time: min(max(time, -1 << 61), 1 << 61),
      position: position.clamped(lowerBound: -reach, upperBound: reach),
      // Written so that what is no number becomes "no pressure".
      pressure: pressure >= 0 ? min(pressure, 1) : -1)
  }
}
