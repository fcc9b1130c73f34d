internal import CLibdrm
internal import CLinux
internal import Linux

extension Card {
  /// Whether this descriptor may set modes. Asks without side effect: to a master the magic 0 is
  /// unknown, to all others the call is forbidden.
  var isMaster: Bool { drmAuthMagic(fd, 0) != -EACCES }

  /// Takes the card. Allowed to whoever was master on this descriptor before, or has CAP_SYS_ADMIN;
  /// call it on the thread that opened the card (kernels 6.6 and early 6.7 compare thread ids).
  func becomeMaster() throws(DisplayError) {
    if isMaster { return }
    if drmSetMaster(fd) == 0 { return }
    let errno = Errno.current
    if errno.rawValue == EACCES || errno.rawValue == EBUSY {
      throw .held(card: path, by: CardHolders.names(of: path))
    }
    throw DisplayError(.setMaster, errno, card: path)
  }

  /// Gives the card up to whoever asks next. To have been none is no failure.
  func giveUpMaster() { _ = drmDropMaster(fd) }
}
