internal import ArgumentParser
import Configuration
import Ink
import Linux
import Touch

/// The option `--config`: which panel and which touchscreen are the pad's.
struct PadSettings: ParsableArguments {
  @Option(
    name: [.customShort("c"), .long],
    help: "The pad's configuration: which panel and touchscreen it has.", completion: .file())
  var config: String?

  /// What it says; where none is given and none is installed, every key has its default.
  func read() throws -> PadConfiguration {
    let models = StrokeModel.Kind.allCases.map { $0.rawValue }
    do throws(ConfigurationError) {
      if let config { return try PadConfiguration(reading: config, models: models) }
      guard PadSettings.isInstalled else {
        return try PadConfiguration("", file: "defaults", models: models)
      }
      return try PadConfiguration(reading: PadConfiguration.defaultPath, models: models)
    } catch { throw ToolError(.config, error.lines.joined(separator: "; ")) }
  }

  private static var isInstalled: Bool {
    do throws(SystemError) {
      _ = try FileStatus(of: PadConfiguration.defaultPath)
      return true
    } catch { return false }
  }
}
