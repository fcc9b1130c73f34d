internal import CLibdrm
internal import Linux
internal import Raster

/// A buffer made known to the scan-out, with a format.
///
/// Ending one that is on screen switches its plane or CRTC off (drm.h, RMFB): commit another first.
struct Framebuffer: ~Copyable {
  let card: Card
  let id: UInt32

  init(
    showing memory: borrowing GEMBuffer, width: Int, height: Int, format: PixelFormat
  ) throws(DisplayError) {
    let card = memory.card
    let size = (UInt32(width), UInt32(height))
    var id: UInt32 = 0
    var command = drm_mode_fb_cmd2()
    command.width = size.0
    command.height = size.1
    command.pixel_format = format.fourcc
    command.handles.0 = memory.handle
    command.pitches.0 = UInt32(memory.pitch)
    if unsafe drmIoctl(card.fd, CLibdrm_ADDFB2, &command) == 0 {
      id = command.fb_id
    } else {
      let errno = Errno.current
      // Drivers older than ADDFB2 take the depth; the refusal that counts is the first.
      guard let depth = format.depth else {
        throw DisplayError(.addFramebuffer, errno, card: card.path)
      }
      let result = unsafe drmModeAddFB(
        card.fd, size.0, size.1, depth, UInt8(8 * format.bytesPerPixel),
        UInt32(memory.pitch), memory.handle, &id)
      guard result == 0 else { throw DisplayError(.addFramebuffer, errno, card: card.path) }
    }
    self.card = card
    self.id = id
  }

  deinit { _ = drmModeRmFB(card.fd, id) }
}
