internal import CLibdrm
internal import CLinux
internal import Linux

/// Commits through SETCRTC and PAGE_FLIP, for drivers without atomic commits.
final class LegacyCommit {
  private let card: Card
  private let survey: CardSurvey
  private let pipeline: Pipeline
  private let dpms: UInt32?

  init(_ card: Card, survey: CardSurvey, pipeline: Pipeline) throws(DisplayError) {
    var table = PropertyTable()
    try table.add(pipeline.connector.id, .connector, of: card)
    dpms = table.id(.dpms, of: pipeline.connector.id)
    self.card = card
    self.survey = survey
    self.pipeline = pipeline
  }

  /// Sets the mode, and takes away what SETCRTC leaves: pointer, overlays, gamma. Only the mode must
  /// succeed; a driver that lacks the others has nothing to take away.
  func light(_ framebuffer: UInt32) throws(DisplayError) {
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

  /// Shows a framebuffer from the next vblank on. There is no damage in this call: the driver takes
  /// the whole buffer.
  func flip(to framebuffer: UInt32, serial: UInt64) throws(DisplayError) {
    var command = drm_mode_crtc_page_flip()
    command.crtc_id = pipeline.crtc
    command.fb_id = framebuffer
    command.flags = UInt32(DRM_MODE_PAGE_FLIP_EVENT)
    command.user_data = serial
    try card.control(CLibdrm_PAGE_FLIP, &command, .pageFlip)
  }

  /// By the connector's DPMS, which SETCRTC switches on again; a driver without it cannot.
  func darken() throws(DisplayError) {
    guard let dpms else { throw .refused(.setProperty, Errno(EOPNOTSUPP)) }
    let off = UInt64(DRM_MODE_DPMS_OFF)
    let result = drmModeConnectorSetProperty(card.fd, pipeline.connector.id, dpms, off)
    let errno = Errno.current
    if result != 0 { throw DisplayError(.setProperty, errno, card: card.path) }
  }
}
