public import Linux

/// Why the spool does not take or give a signature.
public enum SpoolError: Error, Equatable, Sendable {
  /// A call failed.
  case system(SystemError)
  /// The folders are not what they should be: where, and why.
  case misshapen(path: String, reason: String)
  /// Signing has to wait: where, and why.
  case noRoom(path: String, Shortage)

  /// One line: what, where, and where it helps, what to do.
  public var text: String {
    switch self {
    case .system(let error): "spool: \(error.text)"
    case .misshapen(let path, let reason): "spool: \(path) \(reason)"
    case .noRoom(let path, let shortage): "spool: \(path) \(shortage.text)"
    }
  }

  /// Whether it is the same trouble, though amounts may have changed: not worth another line in a log.
  public func isSameTrouble(as other: SpoolError?) -> Bool {
    if case .noRoom(let path, let shortage) = self, case .noRoom(path, let known) = other {
      return shortage.isLike(known)
    }
    return text == other?.text
  }

  /// A failed call on a path.
  static func call(_ call: String, _ path: String, _ error: Errno) -> SpoolError {
    .system(SystemError(call, path, error))
  }
}

/// Runs what fails with a system error where a spool's error is expected.
func spooling<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(SpoolError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch { throw .system(error) }
}
