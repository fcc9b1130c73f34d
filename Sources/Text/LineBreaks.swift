internal import CLibunibreak

/// The line break opportunities of a text (UAX 14).
struct LineBreaks {
  /// The break positions, ascending; the last is the end of the text.
  let ends: [Int]

  private static let ready: Bool = {
    init_linebreak()
    return true
  }()

  /// Replaces code points that make libunibreak's assertions fail.
  ///
  /// These are regional indicators, which releases before 3.0 do not know, and U+FFFF, its end mark. There is
  /// no break between letters, nor between the two indicators of a flag (LB30a).
  private static let letter = UInt32(UInt8(ascii: "A"))

  private static func isSafe(_ scalar: UInt32) -> Bool {
    !(0x1F1E6...0x1F1FF).contains(scalar) && scalar != 0xFFFF
  }

  init(_ scalars: ArraySlice<UInt32>, _ language: Language) {
    guard LineBreaks.ready, !scalars.isEmpty else {
      ends = []
      return
    }
    let text = scalars.map { LineBreaks.isSafe($0) ? $0 : LineBreaks.letter }
    var breaks = [CChar](repeating: 0, count: text.count)
    unsafe set_linebreaks_utf32(text, text.count, language.primary, &breaks)
    let start = scalars.startIndex
    var ends: [Int] = []
    for index in breaks.indices.dropLast() where breaks[index] <= CChar(LINEBREAK_ALLOWBREAK) {
      ends.append(start + index + 1)
    }
    self.ends = ends + [scalars.endIndex]
  }
}
