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

  /// Starts `run` on a new thread with all signals blocked.
  ///
  /// - Parameter name: At most 15 bytes.
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

  /// Resets the calling thread's scheduling policy and nice value to their defaults.
  ///
  /// The service may start with others (systemd's CPUSchedulingPolicy=, Nice=). Ignores errors.
  public static func becomeOrdinary() { CLinux_becomeOrdinary() }

  /// Detaches the thread, which then is not joined.
  public consuming func detach() { pthread_detach(handle) }

  /// Waits for the thread to end.
  public consuming func join() { pthread_join(handle, nil) }
}
