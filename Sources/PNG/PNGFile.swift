internal import CPNG
internal import Raster

/// Encodes and decodes PNG by libpng.
public enum PNGFile {
  /// The default limit of pixels for reading: 64 megapixels.
  public static let pixelLimit = 1 << 26
}

extension PNGFile {
  /// Encodes a picture to a PNG in memory.
  ///
  /// - Parameters:
  ///   - pixels: The rows from the top.
  ///   - bytesPerRow: The distance of the rows; nil: without padding.
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

  /// Encodes a picture and passes the PNG to `sink` in parts.
  ///
  /// Buffers at most 64 KiB. If the sink returns false, throws `.refused`.
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
    // libpng's limit (PNG_USER_WIDTH_MAX) prevents an overflow of the row's size.
    let sizes = 1...1_000_000
    let row = sizes.contains(width) ? width * header.pixels.size : 0
    let distance = bytesPerRow ?? row
    guard row > 0, sizes.contains(height), distance >= row, byteCount >= row,
      // The last row needs no padding.
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

extension PNGFile {
  /// Decodes a PNG to 8 bits per channel.
  ///
  /// Throws if the file is incomplete or has more than `pixelLimit` pixels.
  public static func decode(
    _ bytes: [UInt8], pixelLimit: Int = PNGFile.pixelLimit
  ) throws(PNGError) -> PNGPicture {
    try unsafe open(bytes, pixelLimit, read)
  }

  /// Opens a PNG, reads its header and calls `body` with the reader.
  @unsafe static func open<Result>(
    _ bytes: [UInt8], _ pixelLimit: Int,
    _ body: (_ reader: OpaquePointer, _ header: CPNG_picture) throws(PNGError) -> Result
  ) throws(PNGError) -> Result {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(PNGError) in
      try unsafe open(buffer, pixelLimit, body)
    }
  }

  @unsafe private static func open<Result>(
    _ buffer: UnsafeBufferPointer<UInt8>, _ pixelLimit: Int,
    _ body: (_ reader: OpaquePointer, _ header: CPNG_picture) throws(PNGError) -> Result
  ) throws(PNGError) -> Result {
    guard let start = buffer.baseAddress else { throw .notPNG }
    var opened: OpaquePointer?
    var code = unsafe CPNG_openReader(&opened, start, buffer.count)
    guard let reader = unsafe opened else {
      throw code == CPNG_notPNG ? .notPNG : .outOfMemory
    }
    defer { unsafe CPNG_closeReader(reader) }
    var header = CPNG_picture()
    if code == CPNG_done {
      code = unsafe CPNG_readHeader(reader, UInt64(max(0, pixelLimit)), &header)
    }
    if code == CPNG_tooLarge {
      throw .tooLarge(width: Int(header.width), height: Int(header.height))
    }
    guard code == CPNG_done else { throw unsafe PNGError(code, reading: reader) }
    return try unsafe body(reader, header)
  }

  @unsafe private static func read(
    _ reader: OpaquePointer, _ header: CPNG_picture
  ) throws(PNGError) -> PNGPicture {
    let channels = PNGPicture.Channels(header)
    let bytesPerRow = Int(header.width) * channels.rawValue
    var pixels = [UInt8](repeating: 0, count: Int(header.height) * bytesPerRow)
    let code = unsafe pixels.withUnsafeMutableBufferPointer { pixels in
      unsafe CPNG_readPixels(reader, pixels.baseAddress, bytesPerRow)
    }
    guard code == CPNG_done else { throw unsafe PNGError(code, reading: reader) }
    return PNGPicture(
      width: Int(header.width), height: Int(header.height), channels: channels, bytes: pixels,
      scale: Scale(header), texts: unsafe texts(of: reader))
  }

  private static func texts(of reader: OpaquePointer) -> [PNGText] {
    var texts: [PNGText] = []
    for index in 0..<(unsafe CPNG_textCount(reader)) {
      guard let key = unsafe CPNG_textKey(reader, index),
        let value = unsafe CPNG_textValue(reader, index)
      else { continue }
      texts.append(unsafe PNGText(String(cString: key), String(cString: value)))
    }
    return texts
  }
}

extension PNGPicture.Channels {
  init(_ header: CPNG_picture) {
    switch Int(header.format) {
    case CPNG_grey: self = .grey
    case CPNG_greyAlpha: self = .greyAlpha
    case CPNG_rgb: self = .rgb
    default: self = .rgba
    }
  }
}

extension Scale {
  fileprivate init?(_ header: CPNG_picture) {
    guard header.xPerMetre > 0, header.yPerMetre > 0 else { return nil }
    self.init(x: Float(header.xPerMetre) / 1000, y: Float(header.yPerMetre) / 1000)
  }
}

extension PNGError {
  @unsafe init(_ code: Int32, reading reader: OpaquePointer) {
    switch Int(code) {
    case CPNG_noMemory: self = .outOfMemory
    default: self = .damaged(unsafe String(cString: CPNG_readerMessage(reader)))
    }
  }
}

/// The reason why a PNG cannot be written or read.
public enum PNGError: Error, Equatable, Sendable {
  /// The bytes lack a PNG's signature.
  case notPNG
  /// The file is truncated or damaged; with libpng's message.
  case damaged(String)
  /// The picture has more pixels than the caller allows.
  case tooLarge(width: Int, height: Int)
  /// The picture has no pixels, or fewer bytes than its size needs.
  case invalidSize(width: Int, height: Int)
  /// A text's key is not 1 to 79 printable ASCII characters, or its value has a NUL.
  case invalidText(key: String)
  /// The sink returned false.
  case refused
  /// libpng could not allocate memory.
  case outOfMemory

  /// One line for messages.
  public var text: String {
    switch self {
    case .notPNG: "not a PNG"
    case .damaged(let sentence): "damaged PNG: \(sentence)"
    case .tooLarge(let width, let height): "a PNG of \(width)×\(height) pixels is too large"
    case .invalidSize(let width, let height): "invalid picture size: \(width)×\(height) pixels"
    case .invalidText(let key): "invalid PNG text: \"\(key)\""
    case .refused: "the PNG could not be written"
    case .outOfMemory: "out of memory for a PNG"
    }
  }
}
