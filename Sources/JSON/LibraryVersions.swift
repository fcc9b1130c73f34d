internal import CLibjansson

/// The versions of the libraries that this module is linked with, as they are loaded.
public enum LibraryVersions {
  /// One line for each library, for example "jansson 2.14".
  public static var lines: [String] {
    [unsafe "jansson \(String(cString: jansson_version_str()))"]
  }
}
