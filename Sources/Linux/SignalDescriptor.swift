internal import CLinux

/// Receives signals through a descriptor (signalfd(2)).
///
/// Threads that are started later inherit the blocked signals.
public struct SignalDescriptor: ~Copyable {
  private let descriptor: FileDescriptor

  /// The descriptor for poll(2).
  public var number: Int32 { descriptor.number }

  /// Blocks `signals` for this thread and receives them. Ignores SIGPIPE for the whole process.
  public init(_ signals: [Int32]) throws(Errno) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    CLinux_ignoreSignal(SIGPIPE)
    descriptor = FileDescriptor(
      owning: try Errno.check {
        unsafe signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
      })
  }

  /// Returns the next pending signal, or nil.
  public borrowing func next() -> Int32? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(number, &info, size) == size else { return nil }
    return Int32(info.ssi_signo)
  }
}
