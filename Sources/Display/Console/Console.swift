internal import CLinux
public import Linux

/// The pad's virtual terminal in graphics mode; its former state is restored at the end.
///
/// The kernel draws no text on it, and keys do not reach a login. To switch away (VT_PROCESS), the kernel sends
/// `releaseSignal`: release the panel, then call `release()`. To switch back it sends `acquireSignal`: call
/// `acquire()`, then acquire the panel.
public struct Console: ~Copyable {
  /// For example `/dev/tty1`.
  public let path: String
  private let terminal: FileDescriptor
  private let savedMode: Int32
  private let savedKeyboard: Int32

  /// Opens the named terminal, else the one on standard input (systemd's `TTYPath=`), else the one on screen.
  ///
  /// - Returns: Nil if the kernel has no virtual terminals.
  /// - Throws: If the terminal cannot be opened or switched: it must be the controlling terminal,
  ///   or the process needs CAP_SYS_TTY_CONFIG.
  public static func open(
    _ path: String? = nil, releaseSignal: Int32, acquireSignal: Int32
  ) throws(SystemError) -> Console? {
    guard let path = path ?? VirtualTerminal.onStandardInput ?? VirtualTerminal.shown() else {
      return nil
    }
    guard let terminal = try VirtualTerminal.open(path) else { return nil }
    var (mode, keyboard): (Int32, Int32) = (KD_TEXT, K_UNICODE)
    try VirtualTerminal.control(terminal, KDGETMODE, &mode, "KDGETMODE", path)
    try VirtualTerminal.control(terminal, KDGKBMODE, &keyboard, "KDGKBMODE", path)
    // A pad that was killed leaves these values behind.
    if mode == KD_GRAPHICS { mode = KD_TEXT }
    if keyboard == K_OFF { keyboard = K_UNICODE }
    let console = Console(
      path: path, terminal: terminal, savedMode: mode, savedKeyboard: keyboard)
    try console.enter(releaseSignal, acquireSignal)
    return console
  }

  private init(
    path: String, terminal: consuming FileDescriptor, savedMode: Int32, savedKeyboard: Int32
  ) {
    self.path = path
    self.terminal = terminal
    self.savedMode = savedMode
    self.savedKeyboard = savedKeyboard
  }

  private borrowing func enter(_ release: Int32, _ acquire: Int32) throws(SystemError) {
    try VirtualTerminal.control(terminal, KDSKBMODE, Int(K_OFF), "KDSKBMODE", path)
    try VirtualTerminal.control(terminal, KDSETMODE, Int(KD_GRAPHICS), "KDSETMODE", path)
    var switching = vt_mode()
    switching.mode = numericCast(VT_PROCESS)
    (switching.relsig, switching.acqsig) = (Int16(release), Int16(acquire))
    try VirtualTerminal.control(terminal, VT_SETMODE, &switching, "VT_SETMODE", path)
  }

  /// Permits the kernel to switch away; the panel must be released.
  public borrowing func release() { _ = CLinux_ioctlInt(terminal.number, UInt(VT_RELDISP), 1) }

  /// Whether a virtual terminal is on standard input, as systemd's `TTYPath=` puts it there.
  public static var isOnStandardInput: Bool { VirtualTerminal.onStandardInput != nil }

  /// Refuses the kernel to switch away.
  public borrowing func refuse() { _ = CLinux_ioctlInt(terminal.number, UInt(VT_RELDISP), 0) }

  /// Acknowledges that the terminal is shown again.
  public borrowing func acquire() {
    _ = CLinux_ioctlInt(terminal.number, UInt(VT_RELDISP), Int(VT_ACKACQ))
  }

  /// The number of this terminal: 1 for `/dev/tty1`; nil if its device is not a virtual terminal's.
  public var number: Int? {
    let number = terminal.number
    var status = stat()
    // 4 is TTY_MAJOR. `/dev/console` and `/dev/tty` stand for a terminal without naming it.
    guard unsafe fstat(number, &status) == 0, gnu_dev_major(status.st_rdev) == 4,
      case let minor = Int(gnu_dev_minor(status.st_rdev)), (1...63).contains(minor)
    else { return nil }
    return minor
  }

  /// The number of the terminal on screen; nil if the kernel does not tell.
  public var shown: Int? { state.map { Int($0.v_active) } }

  /// The numbers below 16 of the terminals that a process has open (VT_GETSTATE tells no more).
  public var open: [Int] {
    guard let state else { return [] }
    return (1..<16).filter { state.v_state & (1 << UInt16($0)) != 0 }
  }

  private var state: vt_stat? {
    var state = vt_stat()
    let result = unsafe CLinux_ioctlPointer(terminal.number, UInt(VT_GETSTATE), &state)
    return result == 0 ? state : nil
  }

  /// Asks the kernel to show a terminal. The owner of the one on screen may refuse if it uses
  /// VT_PROCESS.
  ///
  /// Needs this one as the controlling terminal, or CAP_SYS_TTY_CONFIG.
  public borrowing func activate(_ number: Int) throws(SystemError) {
    try VirtualTerminal.control(terminal, VT_ACTIVATE, number, "VT_ACTIVATE", path)
  }

  /// Shows another terminal when this one is no longer used. Waits for the switch for at most half
  /// a second, because switching may be locked.
  public borrowing func leave(for number: Int) {
    do throws(SystemError) { try activate(number) } catch { return }
    var poll = Poll()
    for _ in 0..<50 where shown != number {
      // The call fails until the kernel has asked for the release. Automatic switching is no
      // alternative: the kernel ignores it in graphics mode (kernel: vt_ioctl.c, change_console).
      release()
      if shown != number { _ = try? poll.wait(milliseconds: 10) }
    }
  }

  /// Whether another terminal is in graphics mode, so that its text is not shown; nil if it cannot be opened.
  public static func isGraphics(_ number: Int) -> Bool? {
    let path = "/dev/tty\(number)"
    // Terminals belong to the group tty, which may only write.
    guard
      let terminal = try? FileDescriptor(opening: path, O_WRONLY | O_NOCTTY | O_NONBLOCK)
    else { return nil }
    var mode: Int32 = KD_TEXT
    guard unsafe CLinux_ioctlPointer(terminal.number, UInt(KDGETMODE), &mode) == 0 else {
      return nil
    }
    return mode == KD_GRAPHICS
  }

  /// Restores a terminal that a killed pad left in graphics mode: text, Unicode keys (systemd's default), automatic
  /// switching, an empty keyboard buffer.
  ///
  /// - Returns: Its path; nil if there is no such terminal.
  public static func repair(_ path: String? = nil) throws(SystemError) -> String? {
    guard let path = path ?? VirtualTerminal.onStandardInput ?? VirtualTerminal.shown(),
      let terminal = try VirtualTerminal.open(path)
    else { return nil }
    try VirtualTerminal.restore(terminal, mode: KD_TEXT, keyboard: K_UNICODE, path)
    return path
  }

  deinit {
    try? VirtualTerminal.restore(terminal, mode: savedMode, keyboard: savedKeyboard, path)
  }
}

/// Virtual terminals and their ioctls (console_ioctl(4)).
enum VirtualTerminal {
  /// The terminal on standard input, if it is one.
  static var onStandardInput: String? {
    var mode = vt_mode()
    guard unsafe CLinux_ioctlPointer(0, UInt(VT_GETMODE), &mode) == 0 else { return nil }
    return Folder.target(ofLink: "/proc/self/fd/0")
  }

  /// The terminal on screen; nil if the kernel has none.
  static func shown(_ master: String = "/dev/tty0") -> String? {
    guard let tty = try? FileDescriptor(opening: master, O_RDWR | O_NOCTTY | O_NONBLOCK) else {
      return nil
    }
    var state = vt_stat()
    guard unsafe CLinux_ioctlPointer(tty.number, UInt(VT_GETSTATE), &state) == 0 else {
      return nil
    }
    return "/dev/tty\(state.v_active)"
  }

  /// Opens a terminal; nil if it does not exist or is not a virtual terminal.
  ///
  /// It becomes the controlling terminal of a session leader without one.
  static func open(_ path: String) throws(SystemError) -> FileDescriptor? {
    let terminal: FileDescriptor
    do throws(Errno) {
      terminal = try FileDescriptor(opening: path, O_RDWR | O_NONBLOCK)
    } catch {
      if [ENOENT, ENXIO, ENODEV].contains(error.rawValue) { return nil }
      throw SystemError("open", path, error)
    }
    var mode = vt_mode()
    let result = unsafe CLinux_ioctlPointer(terminal.number, UInt(VT_GETMODE), &mode)
    if result != 0 { return nil }
    return terminal
  }

  /// Performs an ioctl with a struct.
  static func control<T: BitwiseCopyable>(
    _ terminal: borrowing FileDescriptor, _ request: Int32, _ argument: inout T, _ call: String,
    _ path: String
  ) throws(SystemError) {
    let result = unsafe CLinux_ioctlPointer(terminal.number, UInt(request), &argument)
    let errno = Errno.current
    if result != 0 { throw SystemError(call, path, errno) }
  }

  /// Performs an ioctl with a number.
  static func control(
    _ terminal: borrowing FileDescriptor, _ request: Int32, _ argument: Int, _ call: String,
    _ path: String
  ) throws(SystemError) {
    let result = CLinux_ioctlInt(terminal.number, UInt(request), argument)
    let errno = Errno.current
    if result != 0 { throw SystemError(call, path, errno) }
  }

  /// Restores all settings; throws the last error.
  static func restore(
    _ terminal: borrowing FileDescriptor, mode: Int32, keyboard: Int32, _ path: String
  ) throws(SystemError) {
    var failure: SystemError?
    let number = terminal.number
    var switching = vt_mode()
    switching.mode = numericCast(VT_AUTO)
    if unsafe CLinux_ioctlPointer(number, UInt(VT_SETMODE), &switching) != 0 {
      failure = SystemError("VT_SETMODE", path, Errno.current)
    }
    for (request, value, call) in [
      (KDSETMODE, mode, "KDSETMODE"), (KDSKBMODE, keyboard, "KDSKBMODE"),
    ] where CLinux_ioctlInt(number, UInt(request), Int(value)) != 0 {
      failure = SystemError(call, path, Errno.current)
    }
    // Keys that were pressed during the pad's life must not reach the login.
    tcflush(number, TCIFLUSH)
    if let failure { throw failure }
  }
}
