internal import CLibfreetype

/// An outline font: one face of a font file. FreeType maps the file, so only what is used is read.
@safe final class FontFace {
  /// Pixels per em. Nothing is hinted, so any size is the same shape; this one leaves a 65 536th of an
  /// em as the unit of all positions (26.6 fixed point), and one open face serves every size.
  static let pixels: UInt32 = 1024
  /// What one unit of FreeType's positions is in ems.
  static let em: Float = 1 / Float(pixels * 64)

  let face: FT_Face
  private let library: FontLibrary

  /// Opens a file, or one face of a collection: "…/NotoSansCJK-Regular.ttc#2".
  init(_ place: String, _ library: FontLibrary) throws(FontError) {
    let (path, index) = FontFace.split(place)
    var opened: FT_Face?
    let result = unsafe FT_New_Face(library.library, path, FT_Long(index), &opened)
    guard result == 0, let face = unsafe opened else {
      throw FontError(path: place, reason: FontFace.reason(result))
    }
    unsafe self.face = unsafe face
    self.library = library
    // FT_FACE_FLAG_SCALABLE: a font of bitmaps has no outlines to scale.
    guard unsafe face.pointee.face_flags & 1 != 0,
      unsafe FT_Set_Pixel_Sizes(face, 0, FontFace.pixels) == 0
    else { throw FontError(path: place, reason: "has no outlines") }
  }

  deinit { unsafe FT_Done_Face(face) }

  /// Whether there is a glyph for a code point.
  func has(_ scalar: UInt32) -> Bool { unsafe FT_Get_Char_Index(face, FT_ULong(scalar)) != 0 }

  /// The height of a capital letter in ems; the usual 0.7 where the font does not say.
  var capHeight: Float {
    let glyph = unsafe FT_Get_Char_Index(face, FT_ULong(UInt8(ascii: "H")))
    guard glyph != 0, unsafe FT_Load_Glyph(face, glyph, GlyphOutline.loadFlags) == 0 else {
      return 0.7
    }
    let height = unsafe Float(face.pointee.glyph.pointee.metrics.height) * FontFace.em
    return height > 0.3 && height < 1.2 ? height : 0.7
  }

  private static func split(_ place: String) -> (path: String, index: Int) {
    let bytes = Array(place.utf8)
    guard let hash = bytes.lastIndex(of: UInt8(ascii: "#")), hash + 1 < bytes.count,
      bytes.count - hash <= 4
    else { return (place, 0) }
    var index = 0
    for digit in bytes[(hash + 1)...] {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return (place, 0) }
      index = index * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return (String(decoding: bytes[..<hash], as: UTF8.self), index)
  }

  /// FreeType's own texts are compiled out of Debian's build: these are its codes (fterrdef.h).
  private static func reason(_ code: FT_Error) -> String {
    switch code {
    case 0x01: "cannot be opened"
    case 0x02: "is in no format that FreeType knows"
    case 0x03: "is broken"
    case 0x06: "has no such face"
    case 0x40: "needs more memory than there is"
    default: "cannot be used (FreeType error \(code))"
    }
  }
}
