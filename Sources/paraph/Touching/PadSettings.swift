import Commands
import Configuration
import Ink
import Linux

/// The option `--config`: the pad's configuration.
struct PadSettings {
  static var option: Option {
    Option(
      "config", short: "c", value: "FILE", values: .file([]), default: PadConfiguration.defaultPath,
      "Read the pad's configuration, which names its panel and touchscreen, from FILE.")
  }

  static var device: Operand {
    Operand(
      "DEVICE", count: .optional, values: .file([]),
      "A node below /dev/input. Without it, the touchscreen that the pad would use.")
  }

  private let path: String?

  init(_ arguments: Arguments) { path = arguments.value("config") }

  /// Reads the configuration; the defaults if none is named or installed.
  func read() throws(ToolError) -> PadConfiguration {
    do throws(ConfigurationError) {
      if path == nil, FileStatus.isMissing(PadConfiguration.defaultPath) { return try .defaults() }
      return try PadConfiguration(reading: path ?? PadConfiguration.defaultPath)
    } catch { throw ToolError(.config, error.lines.joined(separator: "; ")) }
  }

  /// Reads the configuration for a diagnosis; the defaults and a message if the installed one is invalid.
  func readIfUsable() throws(ToolError) -> PadConfiguration {
    do throws(ToolError) { return try read() } catch {
      guard path == nil else { throw error }
      Notice.write("\(error.text); using the defaults")
      do throws(ConfigurationError) { return try .defaults() } catch {
        throw ToolError(.config, error.lines.joined(separator: "; "))
      }
    }
  }
}

/// The pad's configuration with the names of the stroke models.
extension PadConfiguration {
  private static var models: [String] { StrokeModel.Kind.allCases.map { $0.rawValue } }

  /// Reads a file.
  init(reading path: String) throws(ConfigurationError) {
    self = try PadConfiguration(reading: path, models: PadConfiguration.models)
  }

  /// The configuration of an empty file.
  static func defaults() throws(ConfigurationError) -> PadConfiguration {
    try PadConfiguration("", file: "defaults", models: models)
  }
}

extension FileStatus {
  /// Whether a path does not exist; false if it cannot be accessed.
  static func isMissing(_ path: String) -> Bool {
    do throws(SystemError) {
      _ = try FileStatus(of: path)
      return false
    } catch { return error.errno == .notThere }
  }
}
