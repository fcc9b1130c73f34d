/// A paragraph that was shaped once as a whole, so that the width of any part of it is a sum.
struct MeasuredText {
  private let scalars: ArraySlice<UInt32>
  let direction: TextDirection
  private let language: Language
  /// Sum of the advances before each code point, in ems; one more than there are code points.
  private let sums: [Float]
  /// Whether a line may be cut before a code point at need: nothing is taken from its letter.
  private let isStart: [Bool]
  private let ellipsis: Float

  init(_ scalars: ArraySlice<UInt32>, _ style: TextStyle, _ fonts: FontStack) {
    self.scalars = scalars
    language = style.language
    direction = TextDirection(of: scalars, style.language)
    let shaped = ShapedText(scalars, direction, style.language, fonts)
    var advances = [Float](repeating: 0, count: scalars.count)
    var isStart = [Bool](repeating: false, count: scalars.count)
    for glyph in shaped.glyphs {
      advances[glyph.cluster - scalars.startIndex] += glyph.advance
      isStart[glyph.cluster - scalars.startIndex] = true
    }
    var sums: [Float] = [0]
    for advance in advances { sums.append(sums[sums.count - 1] + advance) }
    self.sums = sums
    self.isStart = isStart
    ellipsis = ShapedText([PlainText.ellipsis], direction, style.language, fonts).width
  }

  /// Of the code points in a range, without the blanks at its end.
  func width(_ range: Range<Int>) -> Float {
    var end = range.upperBound
    while end > range.lowerBound, CodePoint.isSpace(scalars[end - 1]) { end -= 1 }
    return sums[end - scalars.startIndex] - sums[range.lowerBound - scalars.startIndex]
  }

  /// How far the text from `start` fits into a width, cut between any two letters; at least one.
  func end(from start: Int, fitting width: Float) -> Int {
    var end = start
    var next = start
    while next < scalars.endIndex {
      next += 1
      while next < scalars.endIndex, !isStart[next - scalars.startIndex] { next += 1 }
      if self.width(start..<next) > width && end > start { break }
      end = next
    }
    return end
  }

  /// The text from `start`, cut so that "…" fits behind it.
  func shortened(
    from start: Int, fitting width: Float, _ fonts: FontStack
  ) -> ArraySlice<UInt32> {
    var end = start
    if width > ellipsis { end = self.end(from: start, fitting: width - ellipsis) }
    while true {
      while end > start, CodePoint.isSpace(scalars[end - 1]) { end -= 1 }
      let short = scalars[start..<end] + [PlainText.ellipsis]
      // A letter that is cut loose can be wider than it was within its word: Arabic's end in a bow.
      let isWide = ShapedText(short, direction, language, fonts).width > width
      guard isWide, end > start else { return short }
      end -= 1
      while end > start, !isStart[end - scalars.startIndex] { end -= 1 }
    }
  }

  /// The ranges of the lines, at most `limit`; the last one may end before the text does.
  func lines(fitting width: Float, atMost limit: Int) -> [Range<Int>] {
    let breaks = LineBreaks(scalars, language)
    let greedy = lines(breaks, fitting: width, atMost: limit)
    guard greedy.count > 1, greedy.last?.upperBound == scalars.endIndex else { return greedy }
    // The narrowest width that needs no further line makes the lines even.
    var (low, high) = (Float(0), width)
    var best = greedy
    for _ in 0..<12 {
      let middle = (low + high) / 2
      let narrower = lines(breaks, fitting: middle, atMost: limit)
      let fits =
        narrower.count == greedy.count && narrower.last?.upperBound == scalars.endIndex
        && narrower.allSatisfy { self.width($0) <= middle }
      if fits { (best, high) = (narrower, middle) } else { low = middle }
    }
    return best
  }

  private func lines(
    _ breaks: LineBreaks, fitting width: Float, atMost limit: Int
  ) -> [Range<Int>] {
    if scalars.isEmpty { return [scalars.startIndex..<scalars.startIndex] }
    var lines: [Range<Int>] = []
    var start = scalars.startIndex
    while start < scalars.endIndex, lines.count < limit {
      var end = start
      for next in breaks.ends where next > start {
        if self.width(start..<next) > width { break }
        end = next
      }
      // A word that is longer than a line is cut where the line ends.
      if end == start { end = self.end(from: start, fitting: width) }
      lines.append(start..<end)
      start = end
    }
    return lines
  }
}
