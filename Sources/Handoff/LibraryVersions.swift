internal import CLibcurl
internal import CLibmosquitto

/// The versions of the libraries that this module is linked with, as they are loaded.
public enum LibraryVersions {
  /// One line for each library, for example "libmosquitto 2.0.11". libcurl names its own libraries too.
  public static var lines: [String] {
    var major: Int32 = 0, minor: Int32 = 0, revision: Int32 = 0
    _ = unsafe mosquitto_lib_version(&major, &minor, &revision)
    return [
      unsafe String(cString: curl_version()), "libmosquitto \(major).\(minor).\(revision)",
    ]
  }
}
