internal import Raster

/// Copies changed pixels from the upright canvas into scan-out memory: turned, converted, row by row
/// and left to right, as write-combined memory likes it. Allocates nothing.
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

  /// Copies `region` (in panel pixels, within the panel) out of `canvas`. Returns the bytes written.
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

  /// Whether the panel shows the canvas's pixels as they are.
  private var isUpright: Bool { format == .xrgb8888 && geometry.rotation == .none }

  private mutating func paint(
    _ row: Int, _ column: Int, _ count: Int, _ canvas: borrowing Canvas,
    _ mapping: borrowing Mapping, _ pitch: Int
  ) {
    let offset = row * pitch + column * format.bytesPerPixel
    // Taken out and put back: a span of one field would lock the whole of `self`.
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
