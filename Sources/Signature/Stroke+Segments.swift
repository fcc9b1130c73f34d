public import Ink

extension Stroke {
  /// The finished ink of the stroke, segment by segment. `body` also learns whether a line begins with
  /// the segment: at the stroke's start, and after each gap, across which ink is not bent.
  public func finishedInk<E: Error>(
    by kind: StrokeModel.Kind, law: WidthLaw = .standard,
    _ body: (_ segment: Segment, _ beginsLine: Bool) throws(E) -> Void
  ) throws(E) {
    var model = StrokeModel(kind, law: law)
    var ink = StrokeInk()
    var isNewLine = true
    var cursor = GapCursor(gaps)
    for (index, sample) in samples.enumerated() {
      let isAfterGap = cursor.isGap(before: index)
      if index > 0, isAfterGap {
        model.end(into: &ink)
        try Stroke.take(&ink, &isNewLine, body)
      }
      if index == 0 || isAfterGap {
        isNewLine = true
        model.begin(at: sample, into: &ink)
      } else {
        model.extend(to: sample, into: &ink)
      }
      try Stroke.take(&ink, &isNewLine, body)
    }
    model.end(into: &ink)
    try Stroke.take(&ink, &isNewLine, body)
  }

  private static func take<E: Error>(
    _ ink: inout StrokeInk, _ isNewLine: inout Bool, _ body: (Segment, Bool) throws(E) -> Void
  ) throws(E) {
    for index in 0..<ink.finalised.count {
      try body(ink.finalised[index], isNewLine)
      isNewLine = false
    }
    ink.finalised.removeAll()
  }
}
