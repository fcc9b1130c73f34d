internal import CPNG

extension PNGFile {
  /// The file in memory. `pixels` are `height` rows, `bytesPerRow` apart (without it they lie close).
  public static func encode(
    _ pixels: RawSpan, bytesPerRow: Int? = nil, as header: PNGHeader
  ) throws(PNGError) -> [UInt8] {
    var file: [UInt8] = []
    try encode(pixels, bytesPerRow: bytesPerRow, as: header) { part in
      for index in part.indices { file.append(part[index]) }
      return true
    }
    return file
  }

  /// The file piece by piece, as it comes into being, with at most 64 KiB held back. A sink that
  /// answers false ends the writing with `.refused`.
  public static func encode(
    _ pixels: RawSpan, bytesPerRow: Int? = nil, as header: PNGHeader,
    into sink: (Span<UInt8>) -> Bool
  ) throws(PNGError) {
    let bytesPerRow = try checkedBytesPerRow(pixels.byteCount, bytesPerRow, header)
    let result = withoutActuallyEscaping(sink) { sink in
      var outlet = Outlet(sink: sink)
      return unsafe withUnsafeMutablePointer(to: &outlet) { outlet in
        unsafe write(pixels, bytesPerRow, header, to: outlet)
      }
    }
    if let result { throw result }
  }

  private static func checkedBytesPerRow(
    _ byteCount: Int, _ bytesPerRow: Int?, _ header: PNGHeader
  ) throws(PNGError) -> Int {
    let (width, height) = (header.width, header.height)
    // libpng's own bound (PNG_USER_WIDTH_MAX) keeps a row's bytes from overflowing.
    let sizes = 1...1_000_000
    let row = sizes.contains(width) ? width * header.pixels.size : 0
    let distance = bytesPerRow ?? row
    guard row > 0, sizes.contains(height), distance >= row, byteCount >= row,
      // The last row need not be followed by the gap to the next one.
      (byteCount - row) / distance >= height - 1
    else { throw .invalidSize(width: width, height: height) }
    for text in header.texts where !text.isValid { throw .invalidText(key: text.key) }
    return distance
  }

  private struct Outlet {
    let sink: (Span<UInt8>) -> Bool
  }

  private static func write(
    _ pixels: RawSpan, _ bytesPerRow: Int, _ header: PNGHeader,
    to outlet: UnsafeMutablePointer<Outlet>
  ) -> PNGError? {
    var opened: OpaquePointer?
    let result = unsafe CPNG_openWriter(
      &opened,
      { context, bytes, count in
        guard let outlet = unsafe context?.assumingMemoryBound(to: Outlet.self),
          let bytes = unsafe bytes
        else { return 1 }
        let part = unsafe UnsafeBufferPointer(start: bytes, count: count)
        return unsafe outlet.pointee.sink(part.span) ? 0 : 1
      }, outlet)
    guard let writer = unsafe opened else { return .outOfMemory }
    defer { unsafe CPNG_closeWriter(writer) }
    var code = result
    for text in header.texts where code == CPNG_done {
      code = unsafe CPNG_addText(writer, text.key, text.value, text.isASCII ? 0 : 1)
    }
    guard code == CPNG_done else { return unsafe PNGError(code, of: writer) }
    var picture = header.picture
    code = unsafe pixels.withUnsafeBytes { bytes in
      unsafe CPNG_writePixels(
        writer, &picture, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytesPerRow)
    }
    return code == CPNG_done ? nil : unsafe PNGError(code, of: writer)
  }
}

extension PNGError {
  fileprivate init(_ code: Int32, of writer: OpaquePointer) {
    switch Int(code) {
    case CPNG_refused: self = .refused
    case CPNG_noMemory: self = .outOfMemory
    default: self = .damaged(unsafe String(cString: CPNG_writerMessage(writer)))
    }
  }
}
