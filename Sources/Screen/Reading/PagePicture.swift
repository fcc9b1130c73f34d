internal import Ink
internal import Linux
internal import PNG
internal import Raster

/// A page's picture in the panel's resolution, compressed: raw, a page of 1280 × 1810 pixels would take 9 MB.
///
/// Bands of rows are PNGs of their own, so that scrolling decodes only what appears.
public final class PagePicture: Sendable {
  /// The size in pixels.
  public let width, height: Int
  private let bands: PageBands
  /// Whether no pixel has a colour.
  let isGrey: Bool
  /// The memory that the picture takes, in bytes.
  public var size: Int { bands.size }

  /// The number of rows of a band.
  private static let bandHeight = 32
  /// The largest page, in pixels of its file.
  public static let pixelLimit = 1 << 23
  /// The largest page whose file is interlaced, which is decoded as a whole.
  public static let interlacedLimit = 1 << 21
  /// The longest side of a page, in pixels of its file.
  public static let sideLimit = 10_000
  /// The greatest height of a page, in widths: it is scaled to the panel's width.
  public static let heightLimit = 8
  /// What lies under the transparent parts of a page.
  private static let paper: UInt32 = 0xFFFF_FFFF

  /// Decodes a page, scales it to a width in pixels, and compresses it again.
  ///
  /// Noise cannot be compressed: it takes a byte for each grey pixel and three for each coloured one, 7 MB of 1280 × 1810.
  ///
  /// - Parameter limit: The most memory that the picture may take, in bytes.
  public init(_ file: [UInt8], width: Int, limit: Int) throws(PageError) {
    var bands: PageBands
    do throws(Errno) {
      bands = try PageBands(limit: limit)
    } catch { throw PageError(reason: error.text, isTooLarge: false) }
    do throws(PNGError) {
      (height, isGrey) = try PNGFile.read(
        file, pixelLimit: PagePicture.pixelLimit, interlacedLimit: PagePicture.interlacedLimit
      ) { (rows) throws(PNGError) in try PagePicture.fill(&bands, with: &rows, width: width) }
    } catch {
      throw PageError(reason: bands.refusal ?? error.text, isTooLarge: bands.isTooLarge)
    }
    self.width = width
    self.bands = bands
  }

  /// Why a page cannot be shown.
  public struct PageError: Error {
    /// One line.
    public let reason: String
    /// The page needs more memory than it may take.
    public let isTooLarge: Bool
  }

  private static func fill(
    _ bands: inout PageBands, with rows: inout PNGRows, width: Int
  ) throws(PNGError) -> (height: Int, isGrey: Bool) {
    let exact = Double(rows.height) * Double(width) / Double(rows.width)
    let height = max(1, Int(exact.rounded()))
    let columns = Resampling(
      source: rows.width, start: 0, length: Float(rows.width), target: width)
    let lines = Resampling(
      source: rows.height, start: 0, length: Float(rows.height), target: height)
    var isGrey = true
    var band = Band(width: width)
    var failure: PNGError?
    try rows.scaled(columns, lines) { row, pixels in
      guard failure == nil else { return }
      for index in pixels.indices {
        band.append(GroundPicture.composited(pixels[index], over: paper))
      }
      guard band.isFull || row == height - 1 else { return }
      isGrey = isGrey && band.isGrey
      do throws(PNGError) { try band.drain(into: &bands) } catch { failure = error }
    }
    if let failure { throw failure }
    return (height, isGrey)
  }

  /// Rows that become a PNG of their own: grey, unless a pixel has a colour.
  private struct Band {
    private let width: Int
    private(set) var isGrey = true
    /// Red, green and blue.
    private var bytes: [UInt8] = []

    init(width: Int) {
      self.width = width
      bytes.reserveCapacity(3 * width * bandHeight)
    }

    var isFull: Bool { bytes.count == 3 * width * bandHeight }

    /// Adds a pixel, 0xFFRRGGBB.
    mutating func append(_ pixel: UInt32) {
      let red = UInt8(truncatingIfNeeded: pixel >> 16)
      let green = UInt8(truncatingIfNeeded: pixel >> 8)
      let blue = UInt8(truncatingIfNeeded: pixel)
      isGrey = isGrey && red == green && green == blue
      bytes.append(red)
      bytes.append(green)
      bytes.append(blue)
    }

    /// Encodes the rows, adds them to the bands and removes them.
    mutating func drain(into bands: inout PageBands) throws(PNGError) {
      let height = bytes.count / (3 * width)
      if isGrey {
        for pixel in 0..<bytes.count / 3 { bytes[pixel] = bytes[3 * pixel] }
        bytes.removeLast(bytes.count / 3 * 2)
      }
      let header = PNGHeader(width: width, height: height, pixels: isGrey ? .grey : .rgb)
      try unsafe PNGFile.encode(bytes.span.bytes, as: header) { bands.write($0) }
      bands.endBand()
      bytes.removeAll(keepingCapacity: true)
      isGrey = true
    }
  }

  /// Calls `body` with the rows of a range and their pixels: bytes of grey, or red, green and blue.
  ///
  /// Bands that cannot be decoded, for example without memory, are left out.
  func forEachRow(
    in range: Range<Int>, _ body: (_ row: Int, _ pixels: Span<UInt8>) -> Void
  ) {
    let range = range.clamped(to: 0..<height)
    guard !range.isEmpty else { return }
    var bytes: [UInt8] = []
    let first = range.lowerBound / PagePicture.bandHeight
    for band in first...((range.upperBound - 1) / PagePicture.bandHeight) {
      let top = band * PagePicture.bandHeight
      let end = min(range.upperBound, top + PagePicture.bandHeight)
      _ = try? PNGFile.read(bands[band]) { (rows) throws(PNGError) in
        for row in top..<end {
          try rows.next(into: &bytes)
          if row >= range.lowerBound { body(row, bytes.span) }
        }
      }
    }
  }
}
