import CLinux
import Linux

/// The built programs: beside the test program, or in the folder PARAPH_PROGRAMS.
public enum Programs {
  /// The path of a program.
  public static func path(_ name: String) -> String {
    if let folder = getenv("PARAPH_PROGRAMS") { return String(cString: folder) + "/" + name }
    let own = Folder.target(ofLink: "/proc/self/exe") ?? ""
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
  }

  /// The end and the output of a program.
  public struct Result {
    /// Nil after the time limit.
    public let end: ChildProcess.End?
    /// Standard output.
    public let output: String
    /// Standard error.
    public let error: String

    /// Both outputs.
    public var text: String { output + error }
  }

  /// Runs a program to its end or to the time limit.
  public static func run(_ name: String, _ arguments: [String]) throws -> Result {
    try run(path: path(name), arguments)
  }

  /// Runs a program by its path.
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

  /// Opens a file that several programs append to.
  public static func open(_ path: String) throws -> FileDescriptor {
    try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
  }
}

/// Waits for a condition. Returns false if it is not met within 30 seconds.
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
