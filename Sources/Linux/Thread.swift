internal import CLinux

/// A POSIX thread with a name that `top -H` shows.
public struct Thread: ~Copyable {
  private let handle: pthread_t

  private final class Body {
    let name: String
    let run: @Sendable () -> Void
    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Starts `run` on a new thread. All signals are blocked there: the main thread takes them.
  /// `name` has at most 15 bytes.
  public init(name: String, run: @escaping @Sendable () -> Void) throws(Errno) {
    let body = unsafe Unmanaged.passRetained(Body(name: name, run: run))
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
    var handle = pthread_t()
    let result = unsafe pthread_create(
      &handle, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        unsafe CLinux_setThreadName(body.name)
        body.run()
        return nil
      }, body.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    if result != 0 {
      unsafe body.release()
      throw Errno(result)
    }
    self.handle = handle
  }

  /// Lets the calling thread give way to those that keep the scheduling that the program was started with
  /// (systemd's CPUSchedulingPolicy=, Nice=). Where that may not be done, it stays as it is.
  public static func becomeOrdinary() { CLinux_becomeOrdinary() }

  /// Lets the thread end when it likes.
  public consuming func detach() { pthread_detach(handle) }

  /// Waits for the end of the thread.
  public consuming func join() { pthread_join(handle, nil) }
}
