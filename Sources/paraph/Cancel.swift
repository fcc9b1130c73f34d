internal import ArgumentParser
import JSON

struct Cancel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cancels the request that the running pad has open.",
    discussion: "Ends with 0 if there was one, 1 if not, 69 if there is no pad.")

  @Option(help: "Only if the request has this reference.")
  var reference: String?

  @OptionGroup var pad: PadSocket

  func run() throws {
    var connection = try PadConnection(pad.path)
    do throws(PadRefusal) {
      _ = try connection.call("Cancel", reference.map { [("reference", .text($0))] } ?? [])
    } catch {
      if case .answer("org.paraph.Pad.NoRequest", _) = error {
        throw ToolError(
          .cancelled, reference == nil ? "no open request" : "no open request with that reference")
      }
      throw error.toolError
    }
  }
}
