internal import CLinux

/// A child process in its own process group.
///
/// The `deinit` kills the whole group.
public struct ChildProcess: ~Copyable, Sendable {
  /// How a process ended.
  public enum End: Equatable, Sendable {
    /// It exited with this status.
    case exit(Int32)
    /// This signal terminated it.
    case signal(Int32)
  }

  /// The process id.
  public let pid: Int32
  /// A pidfd for poll(2): readable once the process has ended.
  public let descriptor: FileDescriptor
  private var ended: End?
  private let isKept: Bool

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: The program's file.
  ///   - arguments: The arguments without the program's own name.
  ///   - environment: Variables ("NAME=value") that are added to this process's, or replace them.
  ///   - inherits: Whether the program also has this process's variables.
  ///   - input: The descriptor for standard input; −1: an empty one.
  ///   - output: The descriptor for standard output; −1: inherit it.
  ///   - error: The descriptor for standard error; −1: inherit it.
  ///   - kept: Whether a supervisor process also kills descendants in other sessions. `pid` is then the
  ///     supervisor's, and SIGTERM the only signal for it. It also ends when the calling thread ends.
  public init(
    _ path: String, _ arguments: [String], environment: [String] = [], inherits: Bool = true,
    input: Int32 = -1,
    output: Int32 = -1, error: Int32 = -1, kept: Bool = false
  ) throws(Errno) {
    let argv = CStrings([path] + arguments)
    let envp = CStrings(
      environment + (inherits ? Self.inherited(without: environment) : []))
    var pid: Int32 = 0
    let result =
      kept
      ? unsafe CLinux_spawnKept(&pid, path, argv.pointers, envp.pointers, input, output, error)
      : unsafe CLinux_spawn(&pid, path, argv.pointers, envp.pointers, input, output, error)
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

  /// Sends a signal to the process, but not to its group (kill(2)).
  public borrowing func signal(_ number: Int32) {
    if ended == nil { CLinux.kill(pid, number) }
  }

  /// Waits for the process to end, at most `milliseconds` (−1: no limit); nil if it still runs.
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
    // Kills the rest of the group before the process id can be reused.
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

/// Owns a NULL-terminated array of C strings, such as argv and envp.
@safe public final class CStrings {
  /// The array; valid while this object lives.
  public let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// Copies the strings.
  public init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(string))
    }
    unsafe (pointers + strings.count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}

/// Both ends of a pipe (pipe(2)).
public struct Pipe: ~Copyable {
  /// The read end; at end of file once all write ends are closed.
  public let reader: FileDescriptor
  /// The write end.
  public let writer: FileDescriptor

  /// Creates a pipe whose ends are closed on exec.
  public init() throws(Errno) {
    var ends: (Int32, Int32) = (-1, -1)
    _ = try Errno.check {
      unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe CLinux_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
      }
    }
    reader = FileDescriptor(owning: ends.0)
    writer = FileDescriptor(owning: ends.1)
  }

  /// Closes the write end and returns the read end.
  public consuming func closingWriter() -> FileDescriptor { reader }
}
