internal import CLibdrm
internal import Linux

/// Memory of a card that the CPU can fill: a handle of the kernel's.
struct GEMBuffer: ~Copyable {
  let card: Card
  let handle: UInt32
  /// Bytes from row to row: the driver's choice, never width × bytes.
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
