internal import CLinux
public import Linux

/// The virtual terminal below the pad, in graphics: the kernel draws no text over the panel, and keys
/// do not reach a login behind it. As it was before, when this ends.
///
/// Switching asks first (VT_PROCESS): `releaseSignal` comes, the panel is given up, then `release()`
/// lets the switch happen; on the way back `acquireSignal` comes, and after `acquire()` the panel may
/// be taken again. A kernel without virtual terminals has none of this, and needs none.
public struct Console: ~Copyable {
  /// For example `/dev/tty1`.
  public let path: String
  private let terminal: FileDescriptor
  private let formerMode: Int32
  private let formerKeyboard: Int32

  /// Takes the terminal: the named one; else the one on standard input (systemd's `TTYPath=`); else
  /// the one that is shown. Nil where there are no virtual terminals.
  ///
  /// - Throws: A terminal that may not be opened or switched: it must be the controlling terminal, or
  ///   the process needs CAP_SYS_TTY_CONFIG.
  public static func take(
    _ path: String? = nil, releaseSignal: Int32, acquireSignal: Int32
  ) throws(SystemError) -> Console? {
    guard let path = path ?? VirtualTerminal.onStandardInput ?? VirtualTerminal.shown() else {
      return nil
    }
    guard let terminal = try VirtualTerminal.open(path) else { return nil }
    var (mode, keyboard): (Int32, Int32) = (KD_TEXT, K_UNICODE)
    try VirtualTerminal.ask(terminal, KDGETMODE, &mode, "KDGETMODE", path)
    try VirtualTerminal.ask(terminal, KDGKBMODE, &keyboard, "KDGKBMODE", path)
    // A pad that was killed left both behind; they are nobody's wish.
    if mode == KD_GRAPHICS { mode = KD_TEXT }
    if keyboard == K_OFF { keyboard = K_UNICODE }
    let console = Console(
      path: path, terminal: terminal, formerMode: mode, formerKeyboard: keyboard)
    try console.enter(releaseSignal, acquireSignal)
    return console
  }

  private init(
    path: String, terminal: consuming FileDescriptor, formerMode: Int32, formerKeyboard: Int32
  ) {
    self.path = path
    self.terminal = terminal
    self.formerMode = formerMode
    self.formerKeyboard = formerKeyboard
  }

  private borrowing func enter(_ release: Int32, _ acquire: Int32) throws(SystemError) {
    try VirtualTerminal.tell(terminal, KDSKBMODE, Int(K_OFF), "KDSKBMODE", path)
    try VirtualTerminal.tell(terminal, KDSETMODE, Int(KD_GRAPHICS), "KDSETMODE", path)
    var switching = vt_mode()
    switching.mode = numericCast(VT_PROCESS)
    (switching.relsig, switching.acqsig) = (Int16(release), Int16(acquire))
    try VirtualTerminal.ask(terminal, VT_SETMODE, &switching, "VT_SETMODE", path)
  }

  /// Lets the kernel switch away: after the panel was given up.
  public borrowing func release() { _ = CLinux_ioctlInt(terminal.number, UInt(VT_RELDISP), 1) }

  /// Says that we know we are shown again.
  public borrowing func acquire() {
    _ = CLinux_ioctlInt(terminal.number, UInt(VT_RELDISP), Int(VT_ACKACQ))
  }

  /// Puts a terminal in order that a killed pad left in graphics: text, keys in Unicode (systemd's
  /// default), switching by the kernel, no keys from the time of the pad. Nil: no such terminal.
  public static func repair(_ path: String? = nil) throws(SystemError) -> String? {
    guard let path = path ?? VirtualTerminal.onStandardInput ?? VirtualTerminal.shown(),
      let terminal = try VirtualTerminal.open(path)
    else { return nil }
    try VirtualTerminal.restore(terminal, mode: KD_TEXT, keyboard: K_UNICODE, path)
    return path
  }

  deinit {
    try? VirtualTerminal.restore(terminal, mode: formerMode, keyboard: formerKeyboard, path)
  }
}
