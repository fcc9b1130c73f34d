internal import CLibdrm
internal import CLinux
internal import Linux
internal import Raster

/// The CPU's view of scan-out memory: the only raw pointer to it.
///
/// It is written and not read: most ARM boards map it write-combined, and every read stalls.
@safe struct Mapping: ~Copyable {
  private let bytes: UnsafeMutableRawBufferPointer

  /// Maps a card's buffer.
  init(of buffer: borrowing GEMBuffer) throws(DisplayError) {
    let card = buffer.card
    var offset: UInt64 = 0
    let result = unsafe drmModeMapDumbBuffer(card.fd, buffer.handle, &offset)
    guard result == 0 else { throw DisplayError(.mapDumbBuffer, Errno(-result), card: card.path) }
    let address = unsafe CLinux_mmap(
      buffer.size, PROT_READ | PROT_WRITE, MAP_SHARED, card.fd, offset)
    let errno = Errno.current
    guard let address = unsafe address, Int(bitPattern: address) != -1 else {
      throw DisplayError(.mapDumbBuffer, errno, card: card.path)
    }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: address, count: buffer.size)
  }

  /// Ordinary memory in its place, zeroed: the memory display.
  init(anonymous size: Int) throws(DisplayError) {
    let address = unsafe CLinux_mmap(
      size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let errno = Errno.current
    guard let address = unsafe address, Int(bitPattern: address) != -1 else {
      throw .refused(.allocate, errno)
    }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  /// Writes pixels from a byte offset on.
  func write(_ pixels: Span<UInt32>, at offset: Int) {
    precondition(unsafe offset >= 0 && offset + 4 * pixels.count <= bytes.count)
    unsafe pixels.withUnsafeBytes { unsafe copy($0, to: offset) }
  }

  /// Writes 16-bit pixels from a byte offset on.
  func write(_ pixels: Span<UInt16>, at offset: Int) {
    precondition(unsafe offset >= 0 && offset + 2 * pixels.count <= bytes.count)
    unsafe pixels.withUnsafeBytes { unsafe copy($0, to: offset) }
  }

  /// Writes bytes of pixels from a byte offset on.
  func write(_ pixels: Span<UInt8>, at offset: Int) {
    precondition(unsafe offset >= 0 && offset + pixels.count <= bytes.count)
    unsafe pixels.withUnsafeBytes { unsafe copy($0, to: offset) }
  }

  /// Writes a rectangle of a canvas from a byte offset on, `pitch` bytes from row to row.
  func write(_ rect: PixelRect, of canvas: borrowing Canvas, at offset: Int, pitch: Int) {
    let count = (rect.height - 1) * pitch / 4 + rect.width
    precondition(unsafe offset >= 0 && offset + 4 * count <= bytes.count)
    precondition(offset % 4 == 0 && pitch % 4 == 0)
    guard let start = unsafe bytes.baseAddress else { return }
    let first = unsafe (start + offset).assumingMemoryBound(to: UInt32.self)
    var pixels = unsafe MutableSpan(_unsafeStart: first, count: count)
    canvas.copy(rect, to: &pixels, stride: pitch / 4)
  }

  private func copy(_ source: UnsafeRawBufferPointer, to offset: Int) {
    guard let from = source.baseAddress, let to = unsafe bytes.baseAddress else { return }
    unsafe (to + offset).copyMemory(from: from, byteCount: source.count)
  }

  /// Only for ordinary memory, to take a picture of it.
  func byte(at offset: Int) -> UInt8 {
    precondition(unsafe offset >= 0 && offset < bytes.count)
    return unsafe bytes[offset]
  }

  deinit { unsafe munmap(bytes.baseAddress, bytes.count) }
}
