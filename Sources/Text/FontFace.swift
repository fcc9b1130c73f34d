internal import CLibfreetype

/// One face of an outline font's file.
///
/// FreeType maps the file, so that only the used parts are read.
@safe final class FontFace {
  /// Pixels per em of the single size that every face is opened in.
  ///
  /// Unhinted outlines scale to every size. With 1024 pixels, the unit of positions (26.6 fixed point) is
  /// 1/65536 em.
  static let pixels: UInt32 = 1024
  /// The unit of FreeType's positions, in ems.
  static let em: Float = 1 / Float(pixels * 64)

  let face: FT_Face
  private let library: FontLibrary

  /// Opens a file, or one face of a collection as "…/NotoSansCJK-Regular.ttc#2".
  init(_ place: String, _ library: FontLibrary) throws(FontError) {
    let (path, index) = FontFace.split(place)
    var opened: FT_Face?
    let result = unsafe FT_New_Face(library.library, path, FT_Long(index), &opened)
    guard result == 0, let face = unsafe opened else {
      throw FontError(path: place, reason: FontFace.reason(result))
    }
    unsafe self.face = unsafe face
    self.library = library
    // FT_FACE_FLAG_SCALABLE: bitmap fonts have no outlines.
    guard unsafe face.pointee.face_flags & 1 != 0,
      unsafe FT_Set_Pixel_Sizes(face, 0, FontFace.pixels) == 0
    else { throw FontError(path: place, reason: "not an outline font") }
  }

  deinit { unsafe FT_Done_Face(face) }

  /// Whether the face has a glyph for a code point.
  func has(_ scalar: UInt32) -> Bool { unsafe FT_Get_Char_Index(face, FT_ULong(scalar)) != 0 }

  /// The height of capital letters in ems; 0.7 if the font has no plausible value.
  var capHeight: Float {
    let glyph = unsafe FT_Get_Char_Index(face, FT_ULong(UInt8(ascii: "H")))
    guard glyph != 0, unsafe FT_Load_Glyph(face, glyph, GlyphOutline.loadFlags) == 0 else {
      return 0.7
    }
    let height = unsafe Float(face.pointee.glyph.pointee.metrics.height) * FontFace.em
    return height > 0.3 && height < 1.2 ? height : 0.7
  }

  private static func split(_ place: String) -> (path: String, index: Int) {
    let bytes = place.utf8
    guard let hash = bytes.lastIndex(of: UInt8(ascii: "#")) else { return (place, 0) }
    let digits = bytes[hash...].dropFirst()
    guard digits.count <= 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let index = Int(String(Substring(digits)))
    else { return (place, 0) }
    return (String(Substring(bytes[..<hash])), index)
  }

  /// The message for an error code of fterrdef.h, since Debian's FreeType has no messages.
  private static func reason(_ code: FT_Error) -> String {
    switch code {
    case 0x01: "cannot be opened"
    case 0x02: "unknown file format"
    case 0x03: "invalid font file"
    case 0x06: "no such face"
    case 0x40: "out of memory"
    default: "FreeType error \(code)"
    }
  }
}

/// Owns FreeType's library object.
@safe final class FontLibrary {
  let library: FT_Library

  init() throws(FontError) {
    var library: FT_Library?
    let result = unsafe FT_Init_FreeType(&library)
    guard result == 0, let library = unsafe library else {
      throw FontError(path: "", reason: "FreeType initialisation failed (error \(result))")
    }
    unsafe self.library = unsafe library
  }

  deinit { unsafe FT_Done_FreeType(library) }
}

/// A font file that cannot be opened.
public struct FontError: Error, Equatable, Sendable {
  /// The file.
  public let path: String
  /// The reason.
  public let reason: String

  /// One line: "font /usr/share/…: unknown file format".
  public var text: String { "font \(path): \(reason)" }
}
