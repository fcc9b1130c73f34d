import Commands
import JSON

/// The subcommands `front` and `back` of a pad that shares its panel.
enum ForegroundCall {
  static let exitCodes = [
    Command.ExitCode(69, "The pad does not run."),
    Command.ExitCode(78, "The pad does not share its panel: see [pad] foreground."),
  ]

  static func perform(_ method: String, _ pad: PadSocket) throws(ToolError) {
    var connection = try PadConnection(pad.path)
    do throws(CallError) {
      _ = try connection.call(method, [])
    } catch {
      if case .answer("org.paraph.Pad.NotShared", _) = error {
        throw ToolError(
          .config, "the pad does not share its panel: set [pad] foreground = on-request")
      }
      throw error.toolError
    }
  }
}
