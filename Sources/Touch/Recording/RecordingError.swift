public import Linux

/// Why a recording cannot be used.
public enum RecordingError: Error, Equatable, Sendable {
  /// The file cannot be read.
  case unreadable(SystemError)
  /// The file is larger than a recording can be; the limit in bytes.
  case tooLarge(file: String, limit: Int)
  /// A line is not what the format asks for; line 0 is the file as a whole.
  case malformed(file: String, line: Int, reason: String)

  /// One line: "taps.evemu:12: …".
  public var text: String {
    switch self {
    case .unreadable(let error): error.text
    case .tooLarge(let file, let limit): "\(file): larger than \(limit >> 20) MiB"
    case .malformed(let file, let line, let reason):
      line > 0 ? "\(file):\(line): \(reason)" : "\(file): \(reason)"
    }
  }
}

/// What is wrong with a line, before the file's name is known.
struct LineError: Error {
  /// From 1; 0 is the file as a whole.
  var line: Int
  var reason: String

  init(_ line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }
}
