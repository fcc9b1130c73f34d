internal import CLibdrm
internal import CLinux
internal import Linux
internal import Raster

/// Copies damage from the upright canvas into scan-out memory, rotated and converted.
///
/// It writes whole rows from left to right, which is fast in write-combined memory, and allocates nothing.
struct RowPainter {
  private let geometry: PanelGeometry
  private let format: PixelFormat
  private var pixels: [UInt32]
  private var packed: [UInt16]
  private var bytes: [UInt8]

  init(_ geometry: PanelGeometry, format: PixelFormat) {
    self.geometry = geometry
    self.format = format
    pixels = [UInt32](repeating: 0, count: geometry.panelWidth)
    packed = format == .rgb565 ? [UInt16](repeating: 0, count: geometry.panelWidth) : []
    bytes = format.bytesPerPixel == 3 ? [UInt8](repeating: 0, count: 3 * geometry.panelWidth) : []
  }

  /// Copies a region of the panel, in its pixels, from the canvas.
  ///
  /// - Returns: The bytes written.
  mutating func paint(
    _ region: PixelRegion, from canvas: borrowing Canvas, to mapping: borrowing Mapping, pitch: Int
  ) -> Int {
    var bytes = 0
    for index in 0..<region.count {
      let rect = region[index]
      if isUpright, pitch % 4 == 0, !rect.isEmpty {
        let offset = Int(rect.y0) * pitch + Int(rect.x0) * 4
        mapping.write(rect, of: canvas, at: offset, pitch: pitch)
      } else {
        for row in Int(rect.y0)..<Int(rect.y1) {
          paint(row, Int(rect.x0), rect.width, canvas, mapping, pitch)
        }
      }
      bytes += rect.area * format.bytesPerPixel
    }
    return bytes
  }

  /// Whether panel and canvas have the same format and orientation.
  private var isUpright: Bool { format == .xrgb8888 && geometry.rotation == .none }

  private mutating func paint(
    _ row: Int, _ column: Int, _ count: Int, _ canvas: borrowing Canvas,
    _ mapping: borrowing Mapping, _ pitch: Int
  ) {
    let offset = row * pitch + column * format.bytesPerPixel
    // Swapped out and back: a span of one property would borrow the whole of `self`.
    var pixels: [UInt32] = []
    swap(&pixels, &self.pixels)
    copy(geometry.line(column: column, row: row, count: count), count, canvas, to: &pixels)
    write(&pixels, count, column, row, mapping, offset)
    swap(&pixels, &self.pixels)
  }

  private func copy(
    _ line: PanelGeometry.Line, _ count: Int, _ canvas: borrowing Canvas, to output: inout [UInt32]
  ) {
    var pixels = output.mutableSpan
    if line.isColumn {
      canvas.copy(column: line.number, from: line.start, count: count, to: &pixels)
    } else {
      canvas.copy(row: line.number, from: line.start, count: count, to: &pixels)
    }
    if line.isReversed {
      for index in 0..<count / 2 { pixels.swapAt(index, count - 1 - index) }
    }
  }

  private mutating func write(
    _ pixels: inout [UInt32], _ count: Int, _ column: Int, _ row: Int,
    _ mapping: borrowing Mapping, _ offset: Int
  ) {
    switch format {
    case .xrgb8888: break
    case .rgb565:
      do {
        var output = packed.mutableSpan
        Dither.rgb565(pixels.span.extracting(first: count), x: column, y: row, to: &output)
      }
      return mapping.write(packed.span.extracting(first: count), at: offset)
    case .rgb888, .bgr888:
      for index in 0..<count {
        let word = format.word(pixels[index])
        bytes[3 * index] = UInt8(truncatingIfNeeded: word)
        bytes[3 * index + 1] = UInt8(truncatingIfNeeded: word >> 8)
        bytes[3 * index + 2] = UInt8(truncatingIfNeeded: word >> 16)
      }
      return mapping.write(bytes.span.extracting(first: 3 * count), at: offset)
    case .argb8888, .xbgr8888, .abgr8888, .rgbx8888, .rgba8888, .bgrx8888, .bgra8888:
      for index in 0..<count { pixels[index] = format.word(pixels[index]) }
    }
    mapping.write(pixels.span.extracting(first: count), at: offset)
  }
}

/// The CPU's view of scan-out memory.
///
/// Write only: most ARM boards map it write-combined, where reads stall.
@safe struct Mapping: ~Copyable {
  private let bytes: UnsafeMutableRawBufferPointer

  /// Maps `size` bytes of a card's buffer.
  init(of handle: UInt32, size: Int, on card: Card) throws(DisplayError) {
    var offset: UInt64 = 0
    let result = unsafe drmModeMapDumbBuffer(card.fd, handle, &offset)
    guard result == 0 else { throw DisplayError(.mapDumbBuffer, Errno(-result), card: card.path) }
    let address = unsafe CLinux_mmap(size, PROT_READ | PROT_WRITE, MAP_SHARED, card.fd, offset)
    let errno = Errno.current
    guard let address = unsafe address, Int(bitPattern: address) != -1 else {
      throw DisplayError(.mapDumbBuffer, errno, card: card.path)
    }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  /// Zeroed ordinary memory, for a panel in memory.
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

  /// One byte of ordinary memory.
  func byte(at offset: Int) -> UInt8 {
    precondition(unsafe offset >= 0 && offset < bytes.count)
    return unsafe bytes[offset]
  }

  deinit { unsafe munmap(bytes.baseAddress, bytes.count) }
}
