import CLinux
import Linux

/// The built programs: beside the tests' own, or where PARAPH_PROGRAMS says.
public enum Programs {
  /// Where a program lies.
  public static func path(_ name: String) -> String {
    if let folder = getenv("PARAPH_PROGRAMS") { return String(cString: folder) + "/" + name }
    let own = Folder.target(ofLink: "/proc/self/exe") ?? ""
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
  }

  /// How a program ended, and what it wrote.
  public struct Result {
    /// Nil if it did not end in time.
    public let end: ChildProcess.End?
    /// What it wrote to standard output.
    public let output: String
    /// What it wrote to standard error.
    public let error: String

    /// Both together.
    public var text: String { output + error }
  }

  /// Runs a program to its end; nil as end if that does not come.
  public static func run(_ name: String, _ arguments: [String]) throws -> Result {
    try run(path: path(name), arguments)
  }

  /// The same by its path.
  public static func run(
    path: String, _ arguments: [String], milliseconds: Int32 = 120_000
  ) throws -> Result {
    let folder = TemporaryFolder()
    let output = try open(folder.path + "/output")
    let error = try open(folder.path + "/error")
    var child = try ChildProcess(path, arguments, output: output.number, error: error.number)
    let end = try child.wait(milliseconds: milliseconds)
    return Result(
      end: end, output: try Fixtures.text(folder.path + "/output"),
      error: try Fixtures.text(folder.path + "/error"))
  }

  /// A file that programs write to, each at its end.
  public static func open(_ path: String) throws -> FileDescriptor {
    try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
  }
}

/// Waits for a condition: true as soon as it holds, false after half a minute without.
public func eventually(
  within nanoseconds: Int64 = 30_000_000_000, _ condition: () throws -> Bool
) rethrows -> Bool {
  let limit = MonotonicClock.now + nanoseconds
  while MonotonicClock.now < limit {
    if try condition() { return true }
    var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
    nanosleep(&pause, nil)
  }
  return false
}
