internal import CLibdrm
internal import CLinux
internal import Linux

/// Sets modes and flips by SETCRTC and PAGE_FLIP, for drivers without atomic commits.
final class LegacyCommit {
  private let card: Card
  private let survey: CardSurvey
  private let pipeline: Pipeline
  private let dpms: UInt32?

  /// Reads the connector's properties.
  init(_ card: Card, survey: CardSurvey, pipeline: Pipeline) throws(DisplayError) {
    var table = PropertyTable()
    try table.add(pipeline.connector.id, .connector, of: card)
    dpms = table.id(.dpms, of: pipeline.connector.id)
    self.card = card
    self.survey = survey
    self.pipeline = pipeline
  }

  /// Sets the mode, and resets pointer, overlays and gamma, which SETCRTC keeps.
  ///
  /// Only errors of the mode are thrown; a driver without the others has nothing to reset.
  func enable(_ framebuffer: UInt32) throws(DisplayError) {
    let output = CRTCOutput(
      crtc: pipeline.crtc, framebuffer: framebuffer, x: 0, y: 0, mode: pipeline.mode,
      connectors: [pipeline.connector.id])
    try output.set(on: card)
    _ = drmModeSetCursor(card.fd, pipeline.crtc, 0, 0, 0)
    for plane in survey.planes where plane.feeds == pipeline.crtc && plane.id != pipeline.plane {
      _ = drmModeSetPlane(card.fd, plane.id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }
    resetGamma()
  }

  private func resetGamma() {
    guard let crtc = unsafe drmModeGetCrtc(card.fd, pipeline.crtc) else { return }
    let size = Int(unsafe crtc.pointee.gamma_size)
    unsafe drmModeFreeCrtc(crtc)
    guard (2...4096).contains(size) else { return }
    var ramp = (0..<size).map { UInt16($0 * 65535 / (size - 1)) }
    unsafe ramp.withUnsafeMutableBufferPointer { ramp in
      let colour = ramp.baseAddress
      _ = unsafe drmModeCrtcSetGamma(
        card.fd, pipeline.crtc, UInt32(size), colour, colour, colour)
    }
  }

  /// Shows a framebuffer from the next vblank on; its event carries `serial`.
  ///
  /// The call takes no damage: the driver updates the whole buffer.
  func flip(to framebuffer: UInt32, serial: UInt64) throws(DisplayError) {
    var command = drm_mode_crtc_page_flip()
    command.crtc_id = pipeline.crtc
    command.fb_id = framebuffer
    command.flags = UInt32(DRM_MODE_PAGE_FLIP_EVENT)
    command.user_data = serial
    try card.control(CLibdrm_PAGE_FLIP, &command, .pageFlip)
  }

  /// Switches the panel off by DPMS, which SETCRTC switches on again.
  ///
  /// - Throws: EOPNOTSUPP if the driver has no DPMS.
  func disable() throws(DisplayError) {
    guard let dpms else { throw .refused(.setProperty, Errno(EOPNOTSUPP)) }
    let off = UInt64(DRM_MODE_DPMS_OFF)
    let result = drmModeConnectorSetProperty(card.fd, pipeline.connector.id, dpms, off)
    let errno = Errno.current
    if result != 0 { throw DisplayError(.setProperty, errno, card: card.path) }
  }
}

/// A CRTC's framebuffer, mode and connectors: the argument of SETCRTC.
struct CRTCOutput {
  var crtc: UInt32
  var framebuffer: UInt32
  var x: UInt32, y: UInt32
  /// Nil: the CRTC is off.
  var mode: DisplayMode?
  var connectors: [UInt32]

  /// Calls DRM_IOCTL_MODE_SETCRTC; blocks until the mode is set.
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

/// The CRTCs' state before the pad, for example the console's, restored at the end.
struct SavedCRTCState {
  private let outputs: [CRTCOutput]

  /// Reads the CRTCs; one that cannot be read is not restored.
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

  /// Restores the CRTCs; one whose framebuffer no longer exists is switched off.
  func restore(on card: Card) {
    for output in outputs {
      do throws(DisplayError) {
        try output.set(on: card)
      } catch {
        var off = output
        (off.mode, off.connectors) = (nil, [])
        try? off.set(on: card)
      }
    }
  }
}
