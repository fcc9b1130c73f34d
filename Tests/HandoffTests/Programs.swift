import CLinux
import Linux

/// The built programs, beside the tests' own.
enum Programs {
  static func path(_ name: String) -> String {
    let own = Folder.target(ofLink: "/proc/self/exe") ?? ""
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
  }

  /// Runs a program to its end. Returns how it ended and what it wrote on both outputs.
  static func run(
    _ name: String, _ arguments: [String]
  ) throws -> (end: ChildProcess.End?, text: String) {
    let folder = TemporaryFolder()
    let file = try FileDescriptor(
      opening: folder.path + "/output", O_RDWR | O_CREAT | O_APPEND, mode: 0o600)
    var child = try ChildProcess(
      path(name), arguments, output: file.number, error: file.number)
    let end = try child.wait(milliseconds: 60_000)
    return (end, String(decoding: try Fixtures.read(folder.path + "/output"), as: UTF8.self))
  }
}

/// Waits for a condition: true as soon as it holds, false after half a minute without.
func eventually(
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
