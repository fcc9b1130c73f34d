internal import CLibyaml

/// The versions of the libraries that this module is linked with, as they are loaded.
public enum LibraryVersions {
  /// One line for each library, for example "libyaml 0.2.5". libevdev does not know its version.
  public static var lines: [String] {
    [unsafe "libyaml \(String(cString: yaml_get_version_string()))"]
  }
}
