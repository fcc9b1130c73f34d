import CLinux
import Linux

/// The signals that end a command which runs until it is stopped.
struct StopSignals: ~Copyable {
  private let signals: SignalDescriptor

  init() throws(ToolError) {
    do throws(Errno) { signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP]) } catch {
      throw ToolError(.io, "signalfd: \(error.text)")
    }
  }

  /// For poll(2): readable when it is time.
  var number: Int32 { signals.number }
}
