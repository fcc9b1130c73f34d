internal import CLibfreetype
internal import CLibraqm

/// A shaped line or paragraph: its glyphs from left to right, in ems.
struct ShapedText: Equatable, Sendable {
  /// A glyph at its place. Its numbers are small, because a document's are kept while it is read.
  struct Glyph: Equatable, Sendable {
    /// The glyph's index in the font; 0 if no font has it.
    let index: UInt32
    /// The font's index in the font stack.
    let font: Int32
    /// The index of its first code point.
    let cluster: Int32
    /// The distance to the next glyph's origin.
    let advance: Float
    /// The offset from its origin, y down.
    let offset: SIMD2<Float>
  }

  /// The width of the box for a code point without a glyph.
  static let boxAdvance: Float = 0.62

  let glyphs: [Glyph]

  /// The width without emboldening.
  var width: Float {
    var sum: Float = 0
    for glyph in glyphs { sum += glyph.advance }
    return sum
  }

  /// A line of these glyphs.
  init(_ glyphs: [Glyph]) { self.glyphs = glyphs }

  /// Shapes a text by libraqm, as one line.
  init(
    _ scalars: ArraySlice<UInt32>, _ direction: TextDirection, _ language: Language,
    _ fonts: FontStack
  ) {
    let runs = FontRun.runs(of: scalars, fonts)
    guard !runs.isEmpty, let layout = unsafe raqm_create() else {
      glyphs = []
      return
    }
    defer { unsafe raqm_destroy(layout) }
    let text = ShapedText.separated(scalars)
    let count = text.count
    var ready = unsafe raqm_set_text(layout, text, count)
    ready = unsafe raqm_set_par_direction(layout, direction.raqm) && ready
    ready = unsafe raqm_set_language(layout, language.tag, 0, count) && ready
    ready = unsafe raqm_set_freetype_load_flags(layout, GlyphOutline.loadFlags) && ready
    for run in runs {
      guard let face = fonts.face(run.font) else { continue }
      let start = run.range.lowerBound - scalars.startIndex
      ready =
        unsafe raqm_set_freetype_face_range(layout, face.face, start, run.range.count) && ready
    }
    guard ready, unsafe raqm_layout(layout) else {
      glyphs = []
      return
    }
    var number = 0
    let found = unsafe raqm_get_glyphs(layout, &number)
    // For each code point: a search in the runs would take too long where there are many.
    let places = runs.flatMap { run in
      [Int32](repeating: Int32(clamping: run.font), count: run.range.count)
    }
    glyphs = unsafe UnsafeBufferPointer(start: found, count: number).map {
      unsafe Glyph($0, places, from: scalars.startIndex)
    }
  }

  /// The text with U+200C in the place of soft hyphens and spaces without width between letters of some scripts.
  ///
  /// HarfBuzz makes ligatures across them, and no line could end within: "Auffahrt" would not be hyphenated.
  private static func separated(_ scalars: ArraySlice<UInt32>) -> [UInt32] {
    var text = Array(scalars)
    for index in text.indices.dropLast() {
      guard text[index] == CodePoint.softHyphen || text[index] == 0x200B else { continue }
      if CodePoint.isSeparable(text[index + 1]) { text[index] = 0x200C }
    }
    return text
  }
}

extension ShapedText.Glyph {
  /// - Parameters:
  ///   - fonts: The font of each code point.
  ///   - start: The index of the first code point.
  fileprivate init(_ glyph: raqm_glyph_t, _ fonts: [Int32], from start: Int) {
    index = unsafe glyph.index
    let place = unsafe Int(glyph.cluster)
    cluster = Int32(clamping: start + place)
    font = fonts.indices.contains(place) ? fonts[place] : 0
    if index == 0 {
      advance = ShapedText.boxAdvance
      offset = .zero
    } else {
      advance = unsafe Float(glyph.x_advance) * FontFace.em
      // HarfBuzz's y points up.
      offset = unsafe SIMD2(Float(glyph.x_offset), -Float(glyph.y_offset)) * FontFace.em
    }
  }
}

extension TextDirection {
  fileprivate var raqm: raqm_direction_t {
    switch self {
    case .leftToRight: RAQM_DIRECTION_LTR
    case .rightToLeft: RAQM_DIRECTION_RTL
    }
  }
}
