import CLinux
import Commands

/// The option `--socket`: the control socket of the running pad.
struct PadSocket {
  private static let installed = "/run/paraph/org.paraph.Pad"

  static var option: Option {
    Option(
      "socket", value: "PATH", values: .file([]),
      "Set the pad's control socket. Without it, the variable PARAPH_SOCKET counts, else \(installed)."
    )
  }

  let path: String

  init(_ arguments: Arguments) {
    let variable = unsafe getenv("PARAPH_SOCKET").map { unsafe String(cString: $0) }
    path = arguments.value("socket") ?? variable ?? PadSocket.installed
  }
}
