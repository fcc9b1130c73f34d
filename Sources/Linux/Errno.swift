internal import CLinux

/// The number that a system call left in `errno`.
public struct Errno: Error, Equatable, Sendable {
  /// The C value, for example `ENOENT`.
  public let rawValue: Int32

  /// Wraps a C value.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// What the calling thread's `errno` holds now: read it in the line after the call.
  public static var current: Errno { Errno(CLinux_errno()) }

  /// The C library's sentence, for example "No such file or directory".
  public var text: String {
    guard let message = unsafe strerror(rawValue) else { return "error \(rawValue)" }
    return unsafe String(cString: message)
  }
}

extension Errno {
  /// A result of −1 becomes the thread's `errno`; EINTR repeats the call.
  public static func check(_ call: () -> Int32) throws(Errno) -> Int32 {
    while true {
      let result = call()
      if result != -1 { return result }
      let error = Errno.current
      if error.rawValue != EINTR { throw error }
    }
  }

  /// The same for calls that answer a count.
  public static func checkCount(_ call: () -> Int) throws(Errno) -> Int {
    while true {
      let result = call()
      if result != -1 { return result }
      let error = Errno.current
      if error.rawValue != EINTR { throw error }
    }
  }
}
