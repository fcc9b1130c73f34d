internal import CLibfreetype

/// FreeType's root object.
@safe final class FontLibrary {
  let library: FT_Library

  init() throws(FontError) {
    var library: FT_Library?
    let result = unsafe FT_Init_FreeType(&library)
    guard result == 0, let library = unsafe library else {
      throw FontError(path: "", reason: "FreeType does not start (error \(result))")
    }
    unsafe self.library = unsafe library
  }

  deinit { unsafe FT_Done_FreeType(library) }
}
