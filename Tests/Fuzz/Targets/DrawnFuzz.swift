#if DEBUG
  import Ink

  /// What a model draws of strokes, and the first property that the ink has not.
  struct DrawnFuzz {
    private(set) var fault: String?

    init(_ strokes: [Stroke], _ kind: StrokeModel.Kind, prediction: Int64 = 0) {
      for stroke in strokes where fault == nil {
        fault = Self.fault(of: stroke.samples, kind, prediction).map { "\(kind): \($0)" }
      }
    }

    private static func fault(
      of samples: [Sample], _ kind: StrokeModel.Kind, _ prediction: Int64
    ) -> String? {
      var model = StrokeModel(kind)
      model.prediction = prediction
      var ink = StrokeInk()
      var end: Point?
      var path = Path(capacity: 1 << 12)
      func check(_ segment: Segment, isFinal: Bool) -> String? {
        for point in [segment.p0, segment.p1, segment.p2, segment.p3]
        where !(point.position.x.isFinite && point.position.y.isFinite && point.weight.isFinite) {
          return "a segment is not finite"
        }
        path.removeAll()
        StrokeModel.outline(of: segment, by: kind, into: &path)
        if path.overflowed { return "an outline is too long" }
        for index in path.points.indices
        where !(path.points[index].x.isFinite && path.points[index].y.isFinite) {
          return "an outline is not finite"
        }
        guard isFinal, kind == .ductus else { return nil }
        if let end {
          // Single precision within a kilometre.
          let gap = segment.p0.position - end
          let size = max(1, max(abs(end.x), abs(end.y)))
          if max(abs(gap.x), abs(gap.y)) > 1e-5 * size { return "a gap of \(gap)" }
        }
        end = segment.p3.position
        return nil
      }
      func take() -> String? {
        for index in 0..<ink.finalised.count {
          if let fault = check(ink.finalised[index], isFinal: true) { return fault }
        }
        ink.finalised.removeAll()
        for index in 0..<ink.provisional.count {
          if let fault = check(ink.provisional[index], isFinal: false) { return fault }
        }
        return nil
      }
      for (index, sample) in samples.enumerated() {
        index == 0 ? model.begin(at: sample, into: &ink) : model.extend(to: sample, into: &ink)
        if let fault = take() { return "sample \(index): \(fault)" }
      }
      model.end(into: &ink)
      if let fault = take() { return "the end: \(fault)" }
      return ink.provisional.count == 0 ? nil : "a tail after the end"
    }
  }
#endif
