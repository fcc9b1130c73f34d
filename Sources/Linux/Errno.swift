internal import CLinux

/// An error number of a system call (errno(3)).
public struct Errno: Error, Equatable, Sendable {
  /// The C value, for example `ENOENT`.
  public let rawValue: Int32

  /// Wraps a C value.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// The calling thread's `errno`. Read it in the line after the call.
  public static var current: Errno { Errno(CLinux_errno()) }

  /// The C library's message, for example "No such file or directory".
  public var text: String {
    guard let message = unsafe strerror(rawValue) else { return "error \(rawValue)" }
    return unsafe String(cString: message)
  }

  /// Throws `errno` if the call returns −1; repeats the call after EINTR.
  public static func check(_ call: () -> Int32) throws(Errno) -> Int32 {
    while true {
      let result = call()
      if result != -1 { return result }
      let error = Errno.current
      if error.rawValue != EINTR { throw error }
    }
  }

  /// Throws `errno` if a call that returns a count returns −1; repeats it after EINTR.
  public static func checkCount(_ call: () -> Int) throws(Errno) -> Int {
    while true {
      let result = call()
      if result != -1 { return result }
      let error = Errno.current
      if error.rawValue != EINTR { throw error }
    }
  }
}

/// A failed system call, its subject and its error number.
public struct SystemError: Error, Equatable, Sendable {
  /// The call's name in the manual pages, for example "rename".
  public let call: String
  /// The file, device or name that the call was about; may be empty.
  public let subject: String
  /// The error number.
  public let errno: Errno

  /// Describes a failed call.
  public init(_ call: String, _ subject: String, _ errno: Errno) {
    self.call = call
    self.subject = subject
    self.errno = errno
  }

  /// Calls `body` and adds the call's name and subject to its error.
  public static func naming<Result: ~Copyable>(
    _ call: String, _ subject: @autoclosure () -> String, _ body: () throws(Errno) -> Result
  ) throws(SystemError) -> Result {
    do throws(Errno) {
      return try body()
    } catch { throw SystemError(call, subject(), error) }
  }

  /// One line: "rename /spool/new/1: No space left on device".
  public var text: String {
    subject.isEmpty ? "\(call): \(errno.text)" : "\(call) \(subject): \(errno.text)"
  }
}
