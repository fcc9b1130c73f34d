internal import CPNG
internal import Raster

extension PNGFile {
  /// Reads a file in memory: any PNG, spread out to eight bits a channel. What is not whole, or larger
  /// than `pixelLimit`, is refused.
  public static func decode(
    _ bytes: [UInt8], pixelLimit: Int = PNGFile.pixelLimit
  ) throws(PNGError) -> PNGPicture {
    try unsafe open(bytes, pixelLimit, read)
  }

  /// Opens a file in memory and reads its header; `body` has the reader until it returns.
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
