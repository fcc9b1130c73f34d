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

  /// One line: "rename /spool/new/1: No space left on device".
  public var text: String {
    subject.isEmpty ? "\(call): \(errno.text)" : "\(call) \(subject): \(errno.text)"
  }
}
