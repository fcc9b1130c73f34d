internal import CLinux

/// Writes log lines to standard error, with priorities for systemd's journal (sd-daemon(3)).
public enum StandardError {
  /// The syslog priority of a line.
  public enum Priority: Int, Sendable {
    /// The program cannot do its work.
    case error = 3
    /// The program continues with a restriction.
    case warning = 4
    /// A normal but significant event.
    case notice = 5
    /// A detail.
    case info = 6
  }

  /// Writes one line that starts with its cause: "kernel", "device", "config" or "paraph".
  ///
  /// The priority prefix is written only if standard error is connected to the journal. Control characters, as of a
  /// device's name, are replaced: they could forge a line.
  public static func log(_ priority: Priority, _ line: String) {
    let stream = unsafe getenv("JOURNAL_STREAM").map { unsafe String(cString: $0) }
    let prefix = isJournal(2, stream) ? "<\(priority.rawValue)>" : ""
    write(prefix + line.printable + "\n")
  }

  /// Whether a descriptor is the stream that `JOURNAL_STREAM` names by device and inode (systemd.exec(5)).
  ///
  /// A service passes the variable on to programs whose standard error it reads itself.
  static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
    guard let stream else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    let file = FileStatus(status)
    return stream == "\(file.device):\(file.inode)"
  }

  /// Writes a text.
  public static func write(_ text: String) {
    var text = text
    _ = text.withUTF8 { unsafe CLinux.write(2, $0.baseAddress, $0.count) }
  }
}
