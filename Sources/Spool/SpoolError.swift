public import Linux

/// Why the spool does not take or give a signature.
public enum SpoolError: Error, Equatable, Sendable {
  /// A call failed.
  case system(SystemError)
  /// The folders are not what they should be: where, and why.
  case invalid(path: String, reason: String)
  /// Signing has to wait: where, and why.
  case capacity(path: String, CapacityError)

  /// One line: what, where, and where it helps, what to do.
  public var text: String {
    switch self {
    case .system(let error): "spool: \(error.text)"
    case .invalid(let path, let reason): "spool: \(path) \(reason)"
    case .capacity(let path, let shortage): "spool: \(path) \(shortage.text)"
    }
  }

  /// Whether it is the same trouble, though amounts may have changed: not worth another line in a log.
  public func isSameProblem(as other: SpoolError?) -> Bool {
    if case .capacity(let path, let shortage) = self, case .capacity(path, let known) = other {
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
