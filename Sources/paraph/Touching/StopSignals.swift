import CLinux
import Linux

/// What ends a command that runs until it is told to stop, in good order.
struct StopSignals: ~Copyable {
  private let signals: SignalDescriptor

  init() throws {
    do { signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP]) } catch {
      throw ToolError(.io, "signalfd: \(error.text)")
    }
  }

  /// For poll(2): readable when it is time.
  var number: Int32 { signals.number }
}
