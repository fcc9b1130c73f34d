/// Neighbouring code points that one font has.
struct FontRun: Equatable {
  var range: Range<Int>
  let font: Int

  /// Cuts a line into runs; none where there is no font at all.
  static func runs(of scalars: ArraySlice<UInt32>, _ fonts: FontStack) -> [FontRun] {
    var runs: [FontRun] = []
    var start = scalars.startIndex
    while start < scalars.endIndex {
      var end = start + 1
      while end < scalars.endIndex, CodePoint.isAttached(scalars[end]) { end += 1 }
      guard let font = fonts.font(for: scalars[start..<end], after: runs.last?.font) else {
        return []
      }
      if let last = runs.indices.last, runs[last].font == font {
        runs[last].range = runs[last].range.lowerBound..<end
      } else {
        runs.append(FontRun(range: start..<end, font: font))
      }
      start = end
    }
    return runs
  }
}
