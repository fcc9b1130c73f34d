import CLinux
import Linux

/// Runs programs under strace(1), to list system calls or to let one fail.
public struct SystemCalls {
  /// A system call that fails.
  public struct Fault: Sendable, CustomStringConvertible {
    /// The call's name.
    public let name: String
    /// The index of the call among those of this name, from 1.
    public let index: Int
    /// The error, for example "EIO".
    public let error: String

    /// Whether the call transfers bytes, possibly between threads.
    public var isTransfer: Bool { name == "read" || name == "write" }

    /// For example "fsync #3 EIO".
    public var description: String { "\(name) #\(index) \(error)" }
  }

  /// The path of strace.
  public static let tracer = "/usr/bin/strace"
  /// System calls on a spool, with the errors of a failing disk.
  static let errors: [(name: String, errors: [String])] = [
    ("openat", ["EIO", "EMFILE", "ENOSPC"]), ("mkdirat", ["ENOSPC", "EROFS"]),
    ("write", ["ENOSPC", "EIO", "EDQUOT"]), ("fsync", ["EIO", "ENOSPC"]), ("renameat", ["EIO"]),
    ("renameat2", ["EIO", "EROFS"]), ("unlinkat", ["EIO"]), ("fchmod", ["EPERM"]),
    ("flock", ["ENOLCK"]), ("fstatfs", ["EIO"]), ("newfstatat", ["EIO"]), ("fstat", ["EIO"]),
    ("read", ["EIO"]), ("getdents64", ["EIO"]), ("faccessat2", ["EROFS"]), ("faccessat", ["EROFS"]),
  ]

  /// Whether strace is installed.
  public static var isAvailable: Bool { Fixtures.exists(tracer) }

  /// The faults of all system calls of a program after the first one on the path `marker`.
  public static func faults(
    of name: String, _ arguments: [String], from marker: String
  ) throws -> [Fault] {
    let folder = TemporaryFolder()
    let names = errors.map { $0.name }.joined(separator: ",")
    let result = try Programs.run(
      path: tracer,
      ["-f", "-qq", "-y", "-s", "512", "-o", folder.path + "/trace", "-e", "trace=\(names)"]
        + [Programs.path(name)] + arguments)
    guard result.end == .exit(0) else { throw Errno(ECHILD) }
    var counts: [String: Int] = [:]
    var faults: [Fault] = []
    var started = false
    for line in try Fixtures.text(folder.path + "/trace").split(separator: "\n") {
      // "1234  openat(…" or, of another thread's call that ends, "1234  <... openat resumed>…".
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let end = words[1].firstIndex(of: "(") else { continue }
      let call = String(words[1][..<end].drop { $0 == " " })
      guard let known = errors.first(where: { $0.name == call }) else { continue }
      counts[call, default: 0] += 1
      // A sanitizer reads the arguments before the program begins.
      if call != "read" && words[1].contains(marker) { started = true }
      // Wake-ups between threads and notices of the kernel do not access the disk.
      if words[1].contains("<anon_inode:") { continue }
      guard started, let index = counts[call] else { continue }
      faults += known.errors.map { Fault(name: call, index: index, error: $0) }
    }
    return faults
  }

  /// Runs a program with one fault. Its end is nil if it hung and was killed, for example after a lost wake-up.
  public static func run(
    _ name: String, _ arguments: [String], with fault: Fault
  ) throws -> Programs.Result {
    try Programs.run(
      path: tracer,
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(fault.name)", "-e",
        "inject=\(fault.name):error=\(fault.error):when=\(fault.index)", Programs.path(name),
      ] + arguments, milliseconds: fault.isTransfer ? 3000 : 10_000)
  }
}
