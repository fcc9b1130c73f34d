internal import Configuration
internal import Ink
internal import PNG
internal import Raster

/// A picture of the theme, or a slide: a PNG file, read row by row each time it is needed.
struct ScreenPicture {
  /// The key: "logo" or "picture" of [theme], or "slides".
  let key: String
  let path: String
  private let read: PictureReader

  /// The largest file, in bytes.
  private static let fileLimit = 8 << 20
  /// The largest picture: as many pixels as a screen of 3840 × 2160.
  private static let pixelLimit = 1 << 23
  /// The largest interlaced picture, which is decoded as a whole: as many pixels as 1920 × 1080.
  private static let interlacedLimit = 1 << 21

  /// Why a picture cannot be shown.
  struct Refusal: Error {
    let key: String
    /// The path and what is wrong.
    let reason: String

    /// One line for the log.
    var text: String { "config: [theme] \(key): \(reason)" }
  }

  private init(key: String, path: String, read: @escaping PictureReader) {
    (self.key, self.path, self.read) = (key, path, read)
  }

  /// A picture of the folder `[pad] slides`.
  init(slide path: String, _ read: @escaping PictureReader) {
    self.init(key: "slides", path: path, read: read)
  }

  /// The picture in the background, if the theme has one.
  static func background(of theme: ThemeConfiguration, _ read: @escaping PictureReader) -> Self? {
    theme.picture.map { ScreenPicture(key: "picture", path: $0, read: read) }
  }

  /// The logo, if the theme has one.
  static func logo(of theme: ThemeConfiguration, _ read: @escaping PictureReader) -> Self? {
    theme.logo.map { ScreenPicture(key: "logo", path: $0, read: read) }
  }

  /// Width and height in pixels. Decodes only the header.
  func size() throws(Refusal) -> Point {
    try decode { (rows) throws(PNGError) in Point(Float(rows.width), Float(rows.height)) }
  }

  /// Width and height in pixels. Decodes the whole file.
  func validatedSize() throws(Refusal) -> Point {
    try decode { (rows) throws(PNGError) in
      var row: [UInt8] = []
      for _ in 0..<rows.height { try rows.next(into: &row) }
      return Point(Float(rows.width), Float(rows.height))
    }
  }

  /// Paints a part of the picture, scaled, over what is already painted.
  ///
  /// - Parameter placement: For the picture's size in pixels, the part to show, in pixels of the picture,
  ///   and where, in pixels of the painting. The target may overhang the painting.
  func paint(
    on painting: inout GroundPicture.Painting,
    _ placement: (_ size: Point) -> (part: Area, target: PixelRect)
  ) throws(Refusal) {
    try decode { (rows) throws(PNGError) in
      let (part, target) = placement(Point(Float(rows.width), Float(rows.height)))
      if target.isEmpty { return }
      let columns = Resampling(
        source: rows.width, start: part.origin.x, length: part.size.x, target: target.width)
      let lines = Resampling(
        source: rows.height, start: part.origin.y, length: part.size.y, target: target.height)
      try rows.scaled(columns, lines) { row, pixels in
        painting.composite(pixels, x: Int(target.x0), y: Int(target.y0) + row)
      }
    }
  }

  private func decode<Result>(
    _ body: (inout PNGRows) throws(PNGError) -> Result
  ) throws(Refusal) -> Result {
    let bytes: [UInt8]
    do throws(PictureReadError) {
      bytes = try read(path, ScreenPicture.fileLimit)
    } catch { throw refusal(error.reason) }
    do throws(PNGError) {
      return try PNGFile.read(
        bytes, pixelLimit: ScreenPicture.pixelLimit,
        interlacedLimit: ScreenPicture.interlacedLimit, body)
    } catch { throw refusal(ScreenPicture.reason(error)) }
  }

  private func refusal(_ reason: String) -> Refusal {
    Refusal(key: key, reason: "\(path): \(reason)")
  }

  private static func reason(_ error: PNGError) -> String {
    guard case .tooLarge(let width, let height) = error else { return error.text }
    return width * height > pixelLimit
      ? "\(error.text); the limit is \(pixelLimit) pixels"
      : "\(error.text); the limit is \(interlacedLimit) pixels of an interlaced PNG"
  }
}

/// Reads a picture's file of at most `limit` bytes.
public typealias PictureReader = (_ path: String, _ limit: Int) throws(PictureReadError) -> [UInt8]

/// Why a picture's file cannot be read.
public struct PictureReadError: Error {
  /// Follows the path in a message, as in "cannot be read: No such file or directory".
  public let reason: String

  /// An error with its reason.
  public init(_ reason: String) { self.reason = reason }
}
