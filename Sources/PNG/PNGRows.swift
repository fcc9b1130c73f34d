internal import CPNG

/// A PNG that is read row by row, so that one row is held and not the picture; of an interlaced one, all.
@safe public struct PNGRows: ~Copyable {
  /// In pixels.
  public let width, height: Int
  /// What a pixel consists of.
  public let channels: PNGPicture.Channels
  private let reader: OpaquePointer

  @unsafe init(_ reader: OpaquePointer, _ header: CPNG_picture) {
    (width, height) = (Int(header.width), Int(header.height))
    channels = PNGPicture.Channels(header)
    unsafe self.reader = reader
  }

  /// Puts the next row into `row`, which then has `width` pixels. With the last one the rest of the file
  /// is checked; there is none after it.
  public mutating func next(into row: inout [UInt8]) throws(PNGError) {
    let bytes = width * channels.rawValue
    if row.count != bytes { row = [UInt8](repeating: 0, count: bytes) }
    let code = unsafe row.withUnsafeMutableBufferPointer { row in
      unsafe CPNG_readRow(reader, row.baseAddress, bytes)
    }
    if code != CPNG_done { throw unsafe PNGError(code, reading: reader) }
  }
}

extension PNGFile {
  /// Opens a file in memory to read its rows. What is larger than `pixelLimit`, or interlaced and larger
  /// than `interlacedLimit`, is refused before anything is allocated for it.
  public static func read<Result>(
    _ bytes: [UInt8], pixelLimit: Int = PNGFile.pixelLimit,
    interlacedLimit: Int = PNGFile.pixelLimit,
    _ body: (inout PNGRows) throws(PNGError) -> Result
  ) throws(PNGError) -> Result {
    try unsafe open(bytes, pixelLimit) { (reader, header) throws(PNGError) in
      var rows = unsafe PNGRows(reader, header)
      if header.isInterlaced != 0, rows.width * rows.height > interlacedLimit {
        throw .tooLarge(width: rows.width, height: rows.height)
      }
      return try body(&rows)
    }
  }
}
