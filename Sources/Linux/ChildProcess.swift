internal import CLinux

/// A program that this one started. It leads its own process group, so that it can be ended with
/// all that it started itself; letting it go does that.
public struct ChildProcess: ~Copyable, Sendable {
  /// How it ended.
  public enum End: Equatable, Sendable {
    /// With this code.
    case exit(Int32)
    /// By this signal.
    case signal(Int32)
  }

  /// Its number.
  public let pid: Int32
  /// For poll(2): readable when it has ended.
  public let descriptor: FileDescriptor
  private var ended: End?
  private let isKept: Bool

  /// Starts the program at `path`; `arguments` without its own name; the environment is this one's and
  /// `environment` ("NAME=value") after it. Standard input is empty; output and error go to the given
  /// descriptors, or where this process's go. `kept`: what it starts ends with it in every session, not only
  /// in its process group; `pid` is then that of a process above it, and SIGTERM the only signal for that. All of it
  /// also ends with the thread that calls this, and so with this process, however that ends.
  public init(
    _ path: String, _ arguments: [String], environment: [String] = [], output: Int32 = -1,
    error: Int32 = -1, kept: Bool = false
  ) throws(Errno) {
    let argv = CStrings([path] + arguments)
    let envp = CStrings(environment + Self.inherited(without: environment))
    var pid: Int32 = 0
    let result =
      kept
      ? unsafe CLinux_spawnKept(&pid, path, argv.pointers, envp.pointers, -1, output, error)
      : unsafe CLinux_spawn(&pid, path, argv.pointers, envp.pointers, -1, output, error)
    if result != 0 { throw Errno(result) }
    do throws(Errno) {
      let number = pid
      descriptor = FileDescriptor(owning: try Errno.check { CLinux_openPID(number) })
    } catch {
      Self.end(pid, kept: kept)
      waitpid(pid, nil, 0)
      throw error
    }
    self.pid = pid
    isKept = kept
  }

  private static func inherited(without names: [String]) -> [String] {
    var kept: [String] = []
    guard var place = unsafe CLinux_environment() else { return kept }
    let prefixes = names.map { $0.utf8.prefix { $0 != UInt8(ascii: "=") } }
    while let entry = unsafe place.pointee {
      let text = unsafe String(cString: entry)
      let name = text.utf8.prefix { $0 != UInt8(ascii: "=") }
      if !prefixes.contains(where: { $0.elementsEqual(name) }) { kept.append(text) }
      unsafe place += 1
    }
    return kept
  }

  /// kill(2) of the program alone.
  public borrowing func signal(_ number: Int32) {
    if ended == nil { CLinux.kill(pid, number) }
  }

  /// Waits for its end, at most `milliseconds` (−1: for ever); nil if it still runs.
  public mutating func wait(milliseconds: Int32 = -1) throws(Errno) -> End? {
    if let ended { return ended }
    var poll = Poll()
    poll.add(descriptor.number)
    if milliseconds < 0 {
      while try !poll.wait() {}
    } else {
      let limit = MonotonicClock.now + Int64(milliseconds) * 1_000_000
      while true {
        let left = max(0, limit - MonotonicClock.now)
        if try poll.wait(milliseconds: Int32(clamping: (left + 999_999) / 1_000_000)) { break }
        if left == 0 { return nil }
      }
    }
    return try collect()
  }

  private mutating func collect() throws(Errno) -> End {
    var status: Int32 = 0
    let number = pid
    // What it left running; before its number is free for others.
    Self.end(pid, kept: isKept)
    _ = try Errno.check { unsafe waitpid(number, &status, 0) }
    let signal = CLinux_endSignal(status)
    let end = signal == 0 ? End.exit(CLinux_exitStatus(status)) : End.signal(signal)
    ended = end
    return end
  }

  private static func end(_ pid: Int32, kept: Bool) {
    if kept { CLinux.kill(pid, SIGTERM) } else { CLinux.kill(-pid, SIGKILL) }
  }

  deinit {
    guard ended == nil else { return }
    Self.end(pid, kept: isKept)
    waitpid(pid, nil, 0)
  }
}
