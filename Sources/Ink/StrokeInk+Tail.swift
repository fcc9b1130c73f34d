extension StrokeInk {
  /// Replaces the tail by one segment.
  mutating func setTail(_ segment: Segment) {
    provisional.removeAll()
    provisional.append(segment)
  }

  /// The tail will not change any more: it moves to the finalised ink.
  mutating func finaliseTail() {
    for index in 0..<provisional.count { finalised.append(provisional[index]) }
    provisional.removeAll()
  }
}
