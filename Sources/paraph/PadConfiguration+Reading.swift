import CLinux
import Configuration
import Ink
import Linux

/// The daemon's configuration as the tool reads it: with the models that the daemon has.
extension PadConfiguration {
  private static var models: [String] { StrokeModel.Kind.allCases.map { $0.rawValue } }

  /// Reads a file.
  init(reading path: String) throws(ConfigurationError) {
    self = try PadConfiguration(reading: path, models: PadConfiguration.models)
  }

  /// An empty file's: every key has its default.
  static func defaults() throws(ConfigurationError) -> PadConfiguration {
    try PadConfiguration("", file: "defaults", models: models)
  }
}

extension FileStatus {
  /// Whether there is nothing at a path; what may not be looked at is there.
  static func isMissing(_ path: String) -> Bool {
    do throws(SystemError) {
      _ = try FileStatus(of: path)
      return false
    } catch { return error.errno.rawValue == ENOENT }
  }
}
