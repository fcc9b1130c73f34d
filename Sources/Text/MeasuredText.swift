/// A shaped paragraph that yields the width of any part by prefix sums.
struct MeasuredText {
  private let scalars: ArraySlice<UInt32>
  let direction: TextDirection
  private let language: Language
  /// The sum of the advances before each code point and at the end, in ems.
  private let sums: [Float]
  /// Whether a glyph starts at a code point, so that a line can be cut before it.
  private let isStart: [Bool]

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
  }

  /// The width of a range in ems, without trailing spaces.
  func width(_ range: Range<Int>) -> Float {
    var end = range.upperBound
    while end > range.lowerBound, CodePoint.isSpace(scalars[end - 1]) { end -= 1 }
    return sums[end - scalars.startIndex] - sums[range.lowerBound - scalars.startIndex]
  }

  /// The end of the longest part from `start` that fits a width; at least one letter.
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

  /// The ranges of at most `limit` lines of even width; the last may end before the text.
  func lines(fitting width: Float, atMost limit: Int) -> [Range<Int>] {
    let breaks = LineBreaks(scalars, language)
    let greedy = lines(breaks, fitting: width, atMost: limit)
    guard greedy.count > 1, greedy.last?.upperBound == scalars.endIndex else { return greedy }
    // The narrowest width with the same number of lines makes them even.
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

  /// The end of a line from `start` that is as full as it can be.
  func lineEnd(_ breaks: LineBreaks, from start: Int, fitting width: Float) -> Int {
    var end = start
    for next in breaks.ends where next > start {
      if self.width(start..<next) > width { break }
      end = next
    }
    // A word that is wider than the line is cut.
    return end == start ? self.end(from: start, fitting: width) : end
  }

  private func lines(
    _ breaks: LineBreaks, fitting width: Float, atMost limit: Int
  ) -> [Range<Int>] {
    if scalars.isEmpty { return [scalars.startIndex..<scalars.startIndex] }
    var lines: [Range<Int>] = []
    var start = scalars.startIndex
    while start < scalars.endIndex, lines.count < limit {
      let end = lineEnd(breaks, from: start, fitting: width)
      lines.append(start..<end)
      start = end
    }
    return lines
  }
}
