import Ink

extension StrokeModel {
  /// All finalised segments of a stroke.
  static func segments(of stroke: [Sample], by kind: Kind = .uberSignature) -> [Segment] {
    var model = StrokeModel(kind)
    var ink = StrokeInk()
    var all: [Segment] = []
    for (index, sample) in stroke.enumerated() {
      index == 0 ? model.begin(at: sample, into: &ink) : model.extend(to: sample, into: &ink)
      for index in 0..<ink.finalised.count { all.append(ink.finalised[index]) }
      ink.finalised.removeAll()
    }
    model.end(into: &ink)
    for index in 0..<ink.finalised.count { all.append(ink.finalised[index]) }
    return all
  }
}
