internal import CPNG

/// The versions of the libraries that this module is linked with, as they are loaded.
public enum LibraryVersions {
  /// One line for each library, for example "libpng 1.6.39".
  public static var lines: [String] {
    [unsafe "libpng \(String(cString: CPNG_version()))"]
  }
}
