internal import CLibdrm
internal import Linux
internal import Raster

/// A buffer that the CPU fills and the display controller scans out.
struct DumbBuffer: ~Copyable {
  /// Bytes from row to row.
  let pitch: Int
  // Fields are destroyed in this order: framebuffer, mapping, memory (kernel: drm-kms, "Dumb Buffer Objects").
  private let framebuffer: Framebuffer
  /// The CPU's view of the pixels.
  let mapping: Mapping
  private let memory: GEMBuffer

  /// The value for the plane property `FB_ID`.
  var framebufferID: UInt32 { framebuffer.id }

  /// Allocates a black buffer.
  ///
  /// - Throws: The call that the driver refused; nothing is leaked.
  init(on card: Card, width: Int, height: Int, format: PixelFormat) throws(DisplayError) {
    // Locals first: a noncopyable struct cannot throw when partly initialised.
    let memory = try GEMBuffer(
      on: card, width: width, height: height, bitsPerPixel: 8 * format.bytesPerPixel)
    let mapping = try Mapping(of: memory.handle, size: memory.size, on: card)
    let framebuffer = try Framebuffer(showing: memory, width: width, height: height, format: format)
    pitch = memory.pitch
    self.memory = memory
    self.mapping = mapping
    self.framebuffer = framebuffer
  }
}

/// Memory of a card that the CPU can map.
struct GEMBuffer: ~Copyable {
  let card: Card
  let handle: UInt32
  /// Bytes from row to row; the driver chooses it.
  let pitch: Int
  let size: Int

  init(on card: Card, width: Int, height: Int, bitsPerPixel: Int) throws(DisplayError) {
    var handle: UInt32 = 0
    var pitch: UInt32 = 0
    var size: UInt64 = 0
    let result = unsafe drmModeCreateDumbBuffer(
      card.fd, UInt32(width), UInt32(height), UInt32(bitsPerPixel), 0, &handle, &pitch, &size)
    guard result == 0 else {  // libdrm: −errno
      throw DisplayError(.createDumbBuffer, Errno(-result), card: card.path)
    }
    self.card = card
    self.handle = handle
    self.pitch = Int(pitch)
    self.size = Int(size)
  }

  deinit { _ = drmModeDestroyDumbBuffer(card.fd, handle) }
}

/// A buffer with a pixel format, as planes and CRTCs scan it out.
///
/// Destroying one that is shown switches its plane or CRTC off (drm.h, RMFB): commit another first.
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
      // Drivers older than ADDFB2 take a depth; the first error is reported.
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
