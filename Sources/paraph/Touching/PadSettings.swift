internal import ArgumentParser
import Configuration
import Linux

/// The option `--config`: which panel and which touchscreen are the pad's.
struct PadSettings: ParsableArguments {
  @Option(
    name: [.customShort("c"), .long],
    help: "The pad's configuration: which panel and touchscreen it has.", completion: .file())
  var config: String?

  /// What it says; where none is given and none is installed, every key has its default.
  func read() throws -> PadConfiguration {
    do throws(ConfigurationError) {
      if config == nil, FileStatus.isMissing(PadConfiguration.defaultPath) {
        return try .defaults()
      }
      return try PadConfiguration(reading: config ?? PadConfiguration.defaultPath)
    } catch { throw ToolError(.config, error.lines.joined(separator: "; ")) }
  }

  /// The same for a command that looks for what is wrong: a file that was not named and cannot be used
  /// counts as empty, and is told of.
  func readIfUsable() throws -> PadConfiguration {
    do { return try read() } catch let error as ToolError {
      guard config == nil else { throw error }
      Notice.write("\(error.text): the defaults are taken")
      return try .defaults()
    }
  }
}
