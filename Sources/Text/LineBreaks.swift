internal import CLibunibreak

/// Where a line may end, by Unicode's line breaking algorithm (UAX 14).
struct LineBreaks {
  /// Ends of pieces that must not be divided, ascending; the last one is the end of the text.
  let ends: [Int]

  private static let ready: Bool = {
    init_linebreak()
    return true
  }()

  init(_ scalars: ArraySlice<UInt32>, _ language: Language) {
    guard LineBreaks.ready, !scalars.isEmpty else {
      ends = []
      return
    }
    let text = Array(scalars)
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
