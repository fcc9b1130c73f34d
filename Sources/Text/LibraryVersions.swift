internal import CLibfreetype
internal import CLibharfbuzz
internal import CLibraqm

/// The versions of the libraries that this module is linked with, as they are loaded.
public enum LibraryVersions {
  /// One line for each library, for example "FreeType 2.12.1".
  ///
  /// libunibreak is left out: the name of its version's variable depends on the release.
  public static var lines: [String] {
    var lines: [String] = []
    if let library = try? FontLibrary() {
      var major: FT_Int = 0, minor: FT_Int = 0, patch: FT_Int = 0
      unsafe FT_Library_Version(library.library, &major, &minor, &patch)
      lines.append("FreeType \(major).\(minor).\(patch)")
    }
    lines.append(unsafe "HarfBuzz \(String(cString: hb_version_string()))")
    lines.append(unsafe "Raqm \(String(cString: raqm_version_string()))")
    return lines
  }
}
