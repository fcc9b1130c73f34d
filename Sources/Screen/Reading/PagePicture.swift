internal import Ink
internal import PNG
internal import Raster

/// A page's picture in the panel's resolution, compressed: raw, a page of 1280 × 1810 pixels would take 9 MB.
///
/// Bands of rows are PNGs of their own, so that scrolling decodes only what appears.
public final class PagePicture: Sendable {
  /// The size in pixels.
  public let width, height: Int
  private let bands: [[UInt8]]
  /// The memory of the bands, in bytes.
  let size: Int

  /// The number of rows of a band.
  private static let bandHeight = 32
  /// The largest page, in pixels of its file.
  public static let pixelLimit = 1 << 23
  /// The largest page whose file is interlaced, which is decoded as a whole.
  public static let interlacedLimit = 1 << 21
  /// The longest side of a page, in pixels of its file.
  public static let sideLimit = 10_000
  /// What lies under the transparent parts of a page.
  private static let paper: UInt32 = 0xFFFF_FFFF

  /// Decodes a page, scales it to a width in pixels, and compresses it again.
  public init(_ file: [UInt8], width: Int) throws(PageError) {
    do throws(PNGError) {
      (height, bands) = try PNGFile.read(
        file, pixelLimit: PagePicture.pixelLimit, interlacedLimit: PagePicture.interlacedLimit
      ) { (rows) throws(PNGError) in try PagePicture.bands(&rows, width: width) }
      self.width = width
      size = bands.reduce(0) { $0 + $1.count }
    } catch { throw PageError(reason: error.text) }
  }

  /// Why a page cannot be shown.
  public struct PageError: Error {
    /// One line.
    public let reason: String
  }

  private static func bands(
    _ rows: inout PNGRows, width: Int
  ) throws(PNGError) -> (height: Int, bands: [[UInt8]]) {
    let exact = Double(rows.height) * Double(width) / Double(rows.width)
    let height = max(1, Int(exact.rounded()))
    let columns = Resampling(
      source: rows.width, start: 0, length: Float(rows.width), target: width)
    let lines = Resampling(
      source: rows.height, start: 0, length: Float(rows.height), target: height)
    var bands: [[UInt8]] = []
    var band: [UInt32] = []
    var failure: PNGError?
    band.reserveCapacity(bandHeight * width)
    try rows.scaled(columns, lines) { row, pixels in
      for index in pixels.indices {
        band.append(GroundPicture.composited(pixels[index], over: paper))
      }
      guard band.count == bandHeight * width || row == height - 1 else { return }
      do throws(PNGError) {
        let header = PNGHeader(width: width, height: band.count / width, pixels: .xrgb)
        bands.append(try unsafe PNGFile.encode(band.span.bytes, as: header))
      } catch { failure = error }
      band.removeAll(keepingCapacity: true)
    }
    if let failure { throw failure }
    return (height, bands)
  }

  /// Calls `body` with the rows of a range and their pixels, 0xFFRRGGBB.
  ///
  /// Bands that cannot be decoded, for example without memory, are left out.
  func forEachRow(
    in range: Range<Int>, _ body: (_ row: Int, _ pixels: Span<UInt32>) -> Void
  ) {
    let range = range.clamped(to: 0..<height)
    guard !range.isEmpty else { return }
    var pixels = [UInt32](repeating: 0, count: width)
    var bytes: [UInt8] = []
    let first = range.lowerBound / PagePicture.bandHeight
    for band in first...((range.upperBound - 1) / PagePicture.bandHeight) {
      let top = band * PagePicture.bandHeight
      let end = min(range.upperBound, top + PagePicture.bandHeight)
      _ = try? PNGFile.read(bands[band]) { (rows) throws(PNGError) in
        for row in top..<end {
          try rows.next(into: &bytes)
          guard row >= range.lowerBound, rows.channels == .rgb else { continue }
          for x in 0..<width {
            let place = 3 * x
            pixels[x] =
              0xFF00_0000 | UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8
              | UInt32(bytes[place + 2])
          }
          body(row, pixels.span)
        }
      }
    }
  }
}
