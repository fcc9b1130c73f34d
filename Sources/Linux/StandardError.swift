internal import CLinux

/// Log lines on standard error, with the priority prefix that systemd's journal reads (sd-daemon(3)).
public enum StandardError {
  /// The syslog priority of a line.
  public enum Priority: Int, Sendable {
    /// Somebody must act.
    case error = 3
    /// Something is odd, and the program goes on.
    case warning = 4
    /// Worth keeping.
    case notice = 5
    /// For the curious.
    case info = 6
  }

  /// Writes one line: who is the cause ("kernel", "device", "config", "paraph"), and what happened.
  /// The prefix is written only where the journal listens (`JOURNAL_STREAM` is set).
  public static func log(_ priority: Priority, _ line: String) {
    let prefix = unsafe getenv("JOURNAL_STREAM") == nil ? "" : "<\(priority.rawValue)>"
    write(prefix + line + "\n")
  }

  /// Writes text as it is.
  public static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe CLinux.write(2, $0.baseAddress, $0.count) }
  }
}
