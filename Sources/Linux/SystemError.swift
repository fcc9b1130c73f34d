/// A system call that failed, on what, and why.
public struct SystemError: Error, Equatable, Sendable {
  /// The call's name in the manual pages, for example "rename".
  public let call: String
  /// The file, device or name it was called on; may be empty.
  public let subject: String
  /// Why.
  public let errno: Errno

  /// Describes a failed call.
  public init(_ call: String, _ subject: String, _ errno: Errno) {
    self.call = call
    self.subject = subject
    self.errno = errno
  }

  /// Gives the error of `body` the call's name and what it was called on.
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
