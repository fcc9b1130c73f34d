internal import CLinux
public import Linux

/// Why an operation on the spool failed.
public enum SpoolError: Error, Equatable, Sendable {
  /// A system call failed.
  case system(SystemError)
  /// A folder of the spool is invalid.
  case invalid(path: String, reason: String)
  /// The spool accepts no other signature now.
  case capacity(path: String, CapacityError)

  /// One line: the path, the cause, and the remedy if there is one.
  public var text: String {
    switch self {
    case .system(let error): "spool: \(error.text)"
    case .invalid(let path, let reason): "spool: \(path) \(reason)"
    case .capacity(let path, let error): "spool: \(path) \(error.text)"
    }
  }

  /// Whether both errors differ in their amounts at most. Such an error is not logged again.
  public func isSameProblem(as other: SpoolError?) -> Bool {
    if case .capacity(let path, let error) = self, case .capacity(path, let known) = other {
      return error.isSameKind(as: known)
    }
    return text == other?.text
  }

  static func call(_ call: String, _ path: String, _ error: Errno) -> SpoolError {
    .system(SystemError(call, path, error))
  }
}

/// Why a folder or file is not valid content of an item.
public struct ValidationError: Error, Equatable, Sendable {
  /// Contains no text of the item, because logs are not confidential.
  public let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Rethrows a `SystemError` as a `SpoolError`.
func spooling<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(SpoolError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch { throw .system(error) }
}

extension SystemError {
  /// Whether the name is free or taken by a foreign object, such as a link or a folder instead of a file.
  var isForeign: Bool {
    [ENOENT, ENOTDIR, ELOOP, EISDIR, ENXIO].contains(errno.rawValue)
  }

  /// Whether no block or inode is free.
  var isFullDisk: Bool { errno.rawValue == ENOSPC || errno.rawValue == EDQUOT }
}
