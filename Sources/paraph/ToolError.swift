import CLinux
import Commands
import Linux
import Touch

/// Why a subcommand failed: one line for standard error, and the exit code of sysexits.h.
struct ToolError: Error {
  /// EX_USAGE and its kin: <sysexits.h> has no module of its own.
  enum Code: Int32 {
    // What a pad answers, below those.
    case cancelled = 1
    case timedOut = 2
    case outOfService = 3
    case padEnded = 4
    case usage = 64
    case data = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case cannotCreate = 73
    case io = 74
    case tempfail = 75
    case noPermission = 77
    case config = 78
  }

  let code: Code
  let text: String

  init(_ code: Code, _ text: String) {
    self.code = code
    self.text = text
  }

  /// A command line that cannot be understood.
  init(_ error: UsageError) { self.init(.usage, error.line) }

  /// A recording that cannot be read.
  init(_ error: RecordingError) {
    switch error {
    case .unreadable(let system):
      self.init(system.errno.rawValue == EIO ? .io : .noInput, error.text)
    case .tooLarge, .malformed: self.init(.data, error.text)
    }
  }
}
