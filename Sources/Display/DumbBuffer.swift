internal import Raster

/// A buffer that the CPU fills and the display controller scans out.
struct DumbBuffer: ~Copyable {
  let pitch: Int
  let format: PixelFormat
  /// Fields end in the order they are written: first the framebuffer, then the mapping, then the
  /// memory (kernel: drm-kms, "Dumb Buffer Objects").
  private let framebuffer: Framebuffer
  let mapping: Mapping
  private let memory: GEMBuffer

  /// The value for the plane property `FB_ID`.
  var framebufferID: UInt32 { framebuffer.id }

  /// Allocates a black buffer. Throws the call that the driver refused, and leaves nothing behind.
  init(on card: Card, width: Int, height: Int, format: PixelFormat) throws(DisplayError) {
    // Locals, then moves: a noncopyable struct may not throw half initialised.
    let memory = try GEMBuffer(
      on: card, width: width, height: height, bitsPerPixel: 8 * format.bytesPerPixel)
    let mapping = try Mapping(of: memory)
    let framebuffer = try Framebuffer(showing: memory, width: width, height: height, format: format)
    pitch = memory.pitch
    self.format = format
    self.memory = memory
    self.mapping = mapping
    self.framebuffer = framebuffer
  }
}
