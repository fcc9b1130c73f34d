internal import CLibfreetype
internal import Ink

/// Adds a glyph's outline to a path in millimetres.
enum GlyphOutline {
  /// FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP.
  static let loadFlags: FT_Int32 = 1 << 1 | 1 << 3

  /// The maximum number of path verbs of a glyph; 0 if it is blank or cannot be loaded.
  static func verbs(_ glyph: UInt32, _ font: FontFace) -> Int {
    guard unsafe load(glyph, font) != nil else { return 0 }
    let outline = unsafe font.face.pointee.glyph.pointee.outline
    // Each point makes at most one verb, including TrueType's implied points.
    return unsafe Int(outline.n_points) + 2 * Int(outline.n_contours)
  }

  /// Adds an outline to a path.
  ///
  /// - Parameters:
  ///   - origin: The position of the glyph's origin.
  ///   - size: The font size (em) in millimetres.
  ///   - bold: The extra stem width in ems.
  static func append(
    _ glyph: UInt32, _ font: FontFace, origin: Point, size: Float, bold: Float,
    to path: inout Path
  ) {
    guard let outline = unsafe load(glyph, font) else { return }
    if bold > 0 { unsafe FT_Outline_Embolden(outline, FT_Pos(bold / FontFace.em)) }
    // The same direction for all fonts, so that overlapping glyphs add up.
    if unsafe FT_Outline_Get_Orientation(outline) == FT_ORIENTATION_POSTSCRIPT {
      unsafe FT_Outline_Reverse(outline)
    }
    unsafe withUnsafeMutablePointer(to: &path) { path in
      var pen = unsafe Pen(path: path, origin: origin, scale: size * FontFace.em)
      var functions = unsafe Pen.functions
      _ = unsafe FT_Outline_Decompose(outline, &functions, &pen)
    }
  }

  private static func load(
    _ glyph: UInt32, _ font: FontFace
  ) -> UnsafeMutablePointer<FT_Outline>? {
    guard unsafe FT_Load_Glyph(font.face, glyph, loadFlags) == 0,
      let slot = unsafe font.face.pointee.glyph,
      unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE,
      unsafe slot.pointee.outline.n_points > 0
    else { return nil }
    return unsafe withUnsafeMutablePointer(to: &slot.pointee.outline) { unsafe $0 }
  }

  /// The target of FT_Outline_Decompose.
  @unsafe private struct Pen {
    let path: UnsafeMutablePointer<Path>
    let origin: Point
    let scale: Float

    func point(_ vector: UnsafePointer<FT_Vector>?) -> Point {
      guard let vector = unsafe vector?.pointee else { return unsafe origin }
      // FreeType's y points up.
      return unsafe origin + Point(Float(vector.x), -Float(vector.y)) * scale
    }

    static func at(_ pointer: UnsafeMutableRawPointer?) -> Pen? {
      unsafe pointer?.assumingMemoryBound(to: Pen.self).pointee
    }

    static var functions: FT_Outline_Funcs {
      unsafe FT_Outline_Funcs(
        move_to: { to, user in
          guard let pen = unsafe Pen.at(user) else { return 1 }
          unsafe pen.path.pointee.move(to: pen.point(to))
          return 0
        },
        line_to: { to, user in
          guard let pen = unsafe Pen.at(user) else { return 1 }
          unsafe pen.path.pointee.line(to: pen.point(to))
          return 0
        },
        conic_to: { control, to, user in
          guard let pen = unsafe Pen.at(user) else { return 1 }
          unsafe pen.path.pointee.quad(pen.point(control), to: pen.point(to))
          return 0
        },
        cubic_to: { control1, control2, to, user in
          guard let pen = unsafe Pen.at(user) else { return 1 }
          unsafe pen.path.pointee.cubic(
            pen.point(control1), pen.point(control2), to: pen.point(to))
          return 0
        }, shift: 0, delta: 0)
    }
  }
}
