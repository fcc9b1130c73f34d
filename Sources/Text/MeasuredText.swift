/// A shaped paragraph that yields the width and the glyphs of its lines.
///
/// The lines take their glyphs from the paragraph in the order that they have there: on a line of its own, a part of a
/// paragraph keeps it (UAX 9, L2). A line that is shaped alone would not know the letter before it, which turns a date.
struct MeasuredText {
  private let scalars: ArraySlice<UInt32>
  /// The base direction.
  let direction: TextDirection
  private let text: ShapedText
  /// The sum of the advances before each code point and at the end, in ems.
  ///
  /// Float would be too coarse at the end of a long text.
  private let sums: [Double]
  /// Where each part from the start ends without its trailing spaces: one for each code point, and one for the end.
  private let trimmedEnds: [Int]
  /// Whether a glyph starts at a code point, so that a line can be cut before it.
  private let isStart: [Bool]
  /// Where lines may end, ascending; the last is the end of the text.
  private let breaks: [Int]
  /// What a soft hyphen shows at the end of a line; nil: the text has none, or there is no font.
  private let hyphen: ShapedText.Glyph?

  init(_ scalars: ArraySlice<UInt32>, _ language: Language, _ fonts: FontStack) {
    let start = scalars.startIndex
    let direction = TextDirection(of: scalars, language)
    let text = ShapedText(scalars, direction, language, fonts)
    var advances = [Double](repeating: 0, count: scalars.count)
    var isStart = [Bool](repeating: false, count: scalars.count)
    for glyph in text.glyphs {
      let place = Int(glyph.cluster) - start
      advances[place] += Double(glyph.advance)
      isStart[place] = true
    }
    var sums: [Double] = [0]
    for advance in advances { sums.append(sums[sums.count - 1] + advance) }
    var trimmedEnds = [start]
    for index in scalars.indices {
      let last = trimmedEnds[trimmedEnds.count - 1]
      trimmedEnds.append(CodePoint.isSpace(scalars[index]) ? last : index + 1)
    }
    self.scalars = scalars
    self.direction = direction
    self.text = text
    self.sums = sums
    self.trimmedEnds = trimmedEnds
    self.isStart = isStart
    // A ligature is on one line.
    breaks = LineBreaks(scalars, language).ends.filter {
      $0 == scalars.endIndex || isStart[$0 - start]
    }
    hyphen =
      scalars.contains(CodePoint.softHyphen)
      ? ShapedText([fonts.hyphen], direction, language, fonts).glyphs.first : nil
  }

  /// Its place in the text.
  var range: Range<Int> { scalars.startIndex..<scalars.endIndex }

  /// The width of a line in ems, without trailing spaces.
  func width(_ range: Range<Int>) -> Float {
    guard let hyphen, isHyphenated(range.upperBound) else { return textWidth(range) }
    return textWidth(range) + hyphen.advance
  }

  /// The width without a hyphen.
  private func textWidth(_ range: Range<Int>) -> Float {
    let start = scalars.startIndex
    let end = max(range.lowerBound, trimmedEnds[range.upperBound - start])
    return Float(sums[end - start] - sums[range.lowerBound - start])
  }

  /// Whether a line that ends here shows a hyphen: the soft one before it ends a line, but not the paragraph.
  private func isHyphenated(_ end: Int) -> Bool {
    let last = end - 1
    return last >= scalars.startIndex && end < scalars.endIndex
      && scalars[last] == CodePoint.softHyphen && isStart[last - scalars.startIndex]
  }

  /// The lines' glyphs, without the spaces at their ends.
  func shaped(_ lines: [Range<Int>]) -> [ShapedText] {
    // The line of each code point; nil: none.
    var owners = [Int?](repeating: nil, count: scalars.count)
    for (index, line) in lines.enumerated() {
      for place in trimmed(line) { owners[place - scalars.startIndex] = index }
    }
    var glyphs = [[ShapedText.Glyph]](repeating: [], count: lines.count)
    for glyph in text.glyphs {
      let place = Int(glyph.cluster)
      guard let owner = owners[place - scalars.startIndex] else { continue }
      if let hyphen, place + 1 == lines[owner].upperBound, isHyphenated(place + 1) {
        glyphs[owner].append(hyphen)
      } else {
        glyphs[owner].append(glyph)
      }
    }
    return glyphs.map { ShapedText($0) }
  }

  private func trimmed(_ line: Range<Int>) -> Range<Int> {
    let end = max(line.lowerBound, trimmedEnds[line.upperBound - scalars.startIndex])
    var start = line.lowerBound
    while start < end, CodePoint.isSpace(scalars[start]) { start += 1 }
    return start..<end
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
    let greedy = fullLines(fitting: width, atMost: limit)
    guard greedy.count > 1, greedy.last?.upperBound == scalars.endIndex else { return greedy }
    // The narrowest width with the same number of lines makes them even.
    var (low, high) = (Float(0), width)
    var best = greedy
    for _ in 0..<12 {
      let middle = (low + high) / 2
      let narrower = fullLines(fitting: middle, atMost: limit)
      let fits =
        narrower.count == greedy.count && narrower.last?.upperBound == scalars.endIndex
        && narrower.allSatisfy { self.width($0) <= middle }
      if fits { (best, high) = (narrower, middle) } else { low = middle }
    }
    return best
  }

  /// The ranges of lines that are as full as they can be.
  func fullLines(fitting width: Float, atMost limit: Int = .max) -> [Range<Int>] {
    if scalars.isEmpty { return [scalars.startIndex..<scalars.startIndex] }
    var lines: [Range<Int>] = []
    var start = scalars.startIndex
    var breaks = breaks[...]
    while start < scalars.endIndex, lines.count < limit {
      let end = lineEnd(breaks, from: start, fitting: width)
      lines.append(start..<end)
      start = end
      breaks = breaks.drop { $0 <= end }
    }
    return lines
  }

  /// The end of a line from `start` that is as full as it can be.
  ///
  /// - Parameter breaks: Where it may end.
  private func lineEnd(
    _ breaks: ArraySlice<Int>, from start: Int, fitting width: Float
  ) -> Int {
    var end = start
    for next in breaks {
      if textWidth(start..<next) > width { break }
      // The next letter may be narrower than the hyphen in its place.
      if self.width(start..<next) <= width { end = next }
    }
    // A word that is wider than the line is cut.
    return end == start ? self.end(from: start, fitting: width) : end
  }
}
