import CLinux
import Commands
import Linux
import Touch

/// The error of a subcommand: one line for standard error, and the exit code.
struct ToolError: Error {
  /// The exit codes: those of sysexits.h, and lower ones for replies of a pad.
  enum Code: Int32 {
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

    /// The code for an output that cannot be written.
    init(ofOutput error: Errno) {
      switch error.rawValue {
      case ENOSPC, EDQUOT, EFBIG, EIO: self = .io
      default: self = .cannotCreate
      }
    }
  }

  let code: Code
  let text: String

  init(_ code: Code, _ text: String) {
    self.code = code
    self.text = text
  }

  /// An output that cannot be written.
  init(writing path: String, _ error: Errno) {
    self.init(Code(ofOutput: error), SystemError("write", path, error).text)
  }

  /// An invalid command line.
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
