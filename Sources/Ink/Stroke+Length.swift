extension Stroke {
  /// How far the hand went, in millimetres, from sample to sample. Gaps do not count, nor do samples without a
  /// place and ways that no `Float` holds.
  public var length: Float {
    var length: Float = 0
    var cursor = GapCursor(gaps)
    var last: Point?
    for (index, sample) in samples.enumerated() {
      if cursor.isGap(before: index) { last = nil }
      let place = sample.position
      guard place.x.isFinite, place.y.isFinite else { continue }
      if let last {
        let way = (place - last).length
        if way.isFinite { length += way }
      }
      last = place
    }
    return length
  }
}
