internal import CLinux
internal import Configuration
internal import Ink
internal import Linux
internal import PNG
internal import Raster

/// A PNG that the theme names. It is read row by row whenever it is wanted, and never held.
struct ThemePicture {
  /// "logo" or "picture".
  let key: String
  let path: String

  /// A picture's file may be as large, and have as many pixels as a screen of 3840 × 2160.
  static let fileLimit = 8 << 20
  static let pixelLimit = 1 << 23
  /// All of an interlaced one has to be held at once: as many pixels as a screen of 1920 × 1080.
  static let interlacedLimit = 1 << 21

  /// Why a picture cannot be shown.
  struct Refusal: Error {
    let picture: ThemePicture
    let reason: String

    /// One line.
    var text: String { "config: [theme] \(picture.key): \(picture.path): \(reason)" }
  }

  /// Its width and height in pixels.
  func size() throws(Refusal) -> Point {
    try read { (rows) throws(PNGError) in Point(Float(rows.width), Float(rows.height)) }
  }

  /// The same, once the whole file has been looked through.
  func examined() throws(Refusal) -> Point {
    try read { (rows) throws(PNGError) in
      var row: [UInt8] = []
      for _ in 0..<rows.height { try rows.next(into: &row) }
      return Point(Float(rows.width), Float(rows.height))
    }
  }

  /// Lays a part of the picture over what is painted.
  ///
  /// - Parameter place: For its width and height, which part of it is shown, in its own pixels, and where
  ///   in those of the painting, which that may overhang.
  func lay(
    on painting: inout GroundPicture.Painting,
    _ place: (_ size: Point) -> (part: Area, target: PixelRect)
  ) throws(Refusal) {
    try read { (rows) throws(PNGError) in
      let (part, target) = place(Point(Float(rows.width), Float(rows.height)))
      if target.isEmpty { return }
      let columns = Resampling(
        source: rows.width, start: part.origin.x, length: part.size.x, target: target.width)
      let lines = Resampling(
        source: rows.height, start: part.origin.y, length: part.size.y, target: target.height)
      try rows.scaled(columns, lines) { row, pixels in
        painting.lay(pixels, x: Int(target.x0), y: Int(target.y0) + row)
      }
    }
  }

  private func read<Result>(
    _ body: (inout PNGRows) throws(PNGError) -> Result
  ) throws(Refusal) -> Result {
    let bytes = try bytes()
    do throws(PNGError) {
      return try PNGFile.read(
        bytes, pixelLimit: ThemePicture.pixelLimit,
        interlacedLimit: ThemePicture.interlacedLimit, body)
    } catch { throw Refusal(picture: self, reason: ThemePicture.reason(error)) }
  }

  private static func reason(_ error: PNGError) -> String {
    guard case .tooLarge(let width, let height) = error else { return error.text }
    return width * height > pixelLimit
      ? "\(error.text): \(pixelLimit) pixels are read"
      : "\(error.text): \(interlacedLimit) pixels are read of an interlaced one"
  }

  private func bytes() throws(Refusal) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(Errno) {
      // A pipe is not waited for.
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      bytes = try file.readAll(limit: ThemePicture.fileLimit)
    } catch { throw Refusal(picture: self, reason: "cannot be read: \(error.text)") }
    guard let bytes else {
      throw Refusal(
        picture: self, reason: "is larger than \(ThemePicture.fileLimit >> 20) MiB")
    }
    return bytes
  }
}

extension ThemeConfiguration {
  /// The PNG under everything.
  var background: ThemePicture? { picture.map { ThemePicture(key: "picture", path: $0) } }
  /// The PNG in a corner.
  var logoPicture: ThemePicture? { logo.map { ThemePicture(key: "logo", path: $0) } }
}
