import Configuration
import Ink

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
