import Control
import PNG

/// Pages that a client uploads.
enum UploadedPages {
  /// A grey picture.
  ///
  /// - Parameter padding: The bytes of a text in its file, in chunks of 500,000.
  static func picture(width: Int = 60, height: Int = 80, padding: Int = 0) throws -> [UInt8] {
    let row = (0..<width).map { UInt8(truncatingIfNeeded: $0 * 31) }
    var pixels: [UInt8] = []
    for _ in 0..<height { pixels += row }
    let chunk = 500_000
    let texts = stride(from: 0, to: padding, by: chunk).map {
      PNGText("Comment", String(repeating: "x", count: min(chunk, padding - $0)))
    }
    return try PNGFile.encode(
      pixels.span.bytes,
      as: PNGHeader(width: width, height: height, pixels: .grey, texts: texts))
  }

  /// The parts of a page, as a client sends them.
  static func parts(
    of bytes: [UInt8], page: Int = 1, document: String = "contract", client: Int = 1,
    size: Int = PagePart.sizeLimit
  ) -> [PagePart] {
    stride(from: 0, to: bytes.count, by: size).map { offset in
      PagePart(
        client: client, document: document, number: page, offset: offset,
        bytes: Array(bytes[offset..<min(bytes.count, offset + size)]))
    }
  }

  /// The document of a request of a client.
  static func request(
    pages: Int, document: String = "contract", client: Int = 1
  ) -> RequestDocument {
    RequestDocument(
      client: client, id: document, name: "Contract.pdf",
      digest: String(repeating: "ab", count: 32), count: pages)
  }
}
