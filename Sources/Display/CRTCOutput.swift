internal import CLibdrm
internal import Linux

/// What a CRTC shows on which connectors, as SETCRTC takes it.
struct CRTCOutput {
  var crtc: UInt32
  /// 0 with no mode: the CRTC is off.
  var framebuffer: UInt32
  var x: UInt32, y: UInt32
  var mode: DisplayMode?
  var connectors: [UInt32]

  /// DRM_IOCTL_MODE_SETCRTC. Blocks until it is so.
  func set(on card: Card) throws(DisplayError) {
    var command = drm_mode_crtc()
    command.crtc_id = crtc
    if let mode {
      (command.fb_id, command.x, command.y) = (framebuffer, x, y)
      command.mode = mode.kernel
      command.mode_valid = 1
      command.count_connectors = UInt32(connectors.count)
    }
    let result = unsafe connectors.withUnsafeBufferPointer { connectors in
      command.set_connectors_ptr = UInt64(UInt(bitPattern: connectors.baseAddress))
      return unsafe drmIoctl(card.fd, CLibdrm_SETCRTC, &command)
    }
    let errno = Errno.current
    if result != 0 { throw DisplayError(.setCRTC, errno, card: card.path) }
  }
}

/// What the card showed before we came: the boot splash or the console. It is put back when we go.
struct SavedCRTCState {
  private let outputs: [CRTCOutput]

  /// Asks the card. A CRTC that cannot be asked is not put back.
  init(of card: Card, survey: CardSurvey) {
    outputs = survey.crtcs.compactMap { crtc in
      guard let now = unsafe drmModeGetCrtc(card.fd, crtc.id) else { return nil }
      defer { unsafe drmModeFreeCrtc(now) }
      return CRTCOutput(
        crtc: crtc.id, framebuffer: unsafe now.pointee.buffer_id, x: unsafe now.pointee.x,
        y: unsafe now.pointee.y,
        mode: unsafe now.pointee.mode_valid != 0 ? DisplayMode(now.pointee.mode) : nil,
        connectors: survey.connectors.filter { $0.litBy == crtc.id }.map { $0.id })
    }
  }

  /// Shows it again. Its buffer may be gone with its owner: then the console's own repainting, or
  /// whoever comes next, decides what is seen, and the CRTC is switched off until then.
  func restore(on card: Card) {
    for output in outputs {
      do throws(DisplayError) {
        try output.set(on: card)
      } catch {
        var dark = output
        (dark.mode, dark.connectors) = (nil, [])
        try? dark.set(on: card)
      }
    }
  }
}
