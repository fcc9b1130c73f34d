internal import CLinux
internal import Linux

/// The calls of console_ioctl(4), and where terminals are.
enum VirtualTerminal {
  /// The terminal on standard input, if there is one.
  static var onStandardInput: String? {
    var mode = vt_mode()
    guard unsafe CLinux_ioctlPointer(0, UInt(VT_GETMODE), &mode) == 0 else { return nil }
    return Folder.target(ofLink: "/proc/self/fd/0")
  }

  /// The terminal that is shown, or nil where there are none.
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

  /// Opens a terminal, to be the controlling one where the process leads a session without one. Nil
  /// if there is none of that name, or it is no virtual terminal.
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

  static func ask<T: BitwiseCopyable>(
    _ terminal: borrowing FileDescriptor, _ request: Int32, _ argument: inout T, _ call: String,
    _ path: String
  ) throws(SystemError) {
    let result = unsafe CLinux_ioctlPointer(terminal.number, UInt(request), &argument)
    let errno = Errno.current
    if result != 0 { throw SystemError(call, path, errno) }
  }

  static func tell(
    _ terminal: borrowing FileDescriptor, _ request: Int32, _ argument: Int, _ call: String,
    _ path: String
  ) throws(SystemError) {
    let result = CLinux_ioctlInt(terminal.number, UInt(request), argument)
    let errno = Errno.current
    if result != 0 { throw SystemError(call, path, errno) }
  }

  /// Everything is tried; the last refusal is told.
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
    // What was typed at the pad is not for the login that comes back.
    tcflush(number, TCIFLUSH)
    if let failure { throw failure }
  }
}
