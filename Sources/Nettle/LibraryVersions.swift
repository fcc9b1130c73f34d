internal import CLibnettle

/// The versions of the libraries that this module is linked with, as they are loaded.
public enum LibraryVersions {
  /// One line for each library, for example "nettle 3.8".
  public static var lines: [String] {
    ["nettle \(nettle_version_major()).\(nettle_version_minor())"]
  }
}
