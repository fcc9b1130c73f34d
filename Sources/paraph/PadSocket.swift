internal import ArgumentParser
import CLinux

/// The option `--socket`: where the running pad listens.
struct PadSocket: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The pad's control socket; by default the environment's PARAPH_SOCKET, or \(PadSocket.installed).",
      valueName: "path"), completion: .file())
  var socket: String?

  private static let installed = "/run/paraph/org.paraph.Pad"

  var path: String {
    if let socket { return socket }
    guard let value = unsafe getenv("PARAPH_SOCKET") else { return PadSocket.installed }
    return unsafe String(cString: value)
  }
}
