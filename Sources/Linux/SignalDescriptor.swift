internal import CLinux

/// A signalfd(2): signals read like input, on the main thread. Threads started later inherit the block.
public struct SignalDescriptor: ~Copyable {
  private let descriptor: FileDescriptor

  /// For poll(2).
  public var number: Int32 { descriptor.number }

  /// Blocks `signals` for this thread and routes them here. SIGPIPE is ignored for the whole process.
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

  /// The next signal that waits, or nil.
  public borrowing func next() -> Int32? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(number, &info, size) == size else { return nil }
    return Int32(info.ssi_signo)
  }
}
