public import Ink
public import Raster

/// A signature drawn anew from its strokes, at any density: what goes into the PNG.
public struct InkPicture: Equatable, Sendable {
  /// In pixels.
  public let width, height: Int
  /// Rows from the top: 0 paper … 255 ink.
  public let coverage: [UInt8]
  /// Pixels per millimetre.
  public let scale: Scale
  /// Where the picture's left top corner lies, in pixels right of and below the glass's.
  public let left, top: Int

  /// What of the glass is in the picture.
  public enum Frame: Equatable, Sendable {
    /// All of it: width and height in millimetres.
    case glass(Point)
    /// The ink, with white around it, in millimetres.
    case ink(margin: Float)
  }

  /// A picture that was drawn before, for example a PNG's darkness, to start from.
  ///
  /// - Parameters:
  ///   - coverage: `width` × `height` bytes: 0 paper … 255 ink. Nil is the answer to any other number,
  ///     to more than `pixelLimit` of them, and to a scale that is none.
  ///   - left: Where its left top corner lies on the glass, in its own pixels, as `top`.
  public init?(
    coverage: [UInt8], width: Int, height: Int, scale: Scale, left: Int = 0, top: Int = 0
  ) {
    let sizes = 1...InkPicture.pixelLimit
    guard sizes.contains(width), sizes.contains(height), coverage.count <= InkPicture.pixelLimit,
      coverage.count / width == height, coverage.count % width == 0,
      scale.x > 0, scale.y > 0, scale.x.isFinite, scale.y.isFinite,
      abs(left) <= InkPicture.pixelLimit, abs(top) <= InkPicture.pixelLimit
    else { return nil }
    self.init(
      drawn: coverage, width: width, height: height, scale: scale, left: left, top: top)
  }

  init(
    drawn coverage: [UInt8], width: Int, height: Int, scale: Scale, left: Int = 0, top: Int = 0
  ) {
    (self.width, self.height) = (width, height)
    self.coverage = coverage
    self.scale = scale
    (self.left, self.top) = (left, top)
  }

  /// Why there is no picture.
  public enum Refusal: Error, Equatable, Sendable {
    /// No stroke leaves ink.
    case noInk
    /// It would have more pixels than `InkPicture.pixelLimit`.
    case tooLarge
  }

  /// As many pixels as a decoder of PNG takes without being told to: 64 megapixels.
  public static let pixelLimit = 1 << 26

  /// Draws strokes with a model, over a ground where there is one. The same strokes at the panel's own
  /// scale give the coverage that the panel showed.
  public init(
    of strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw = .standard, scale: Scale,
    frame: Frame, on ground: InkPicture? = nil
  ) throws(Refusal) {
    let ground = try ground?.resampled(to: scale)
    let sheet = try InkPicture.sheet(strokes, kind, law, scale, frame, ground)
    var planes = InkPlanes(width: sheet.width, height: sheet.height)
    let offset = SIMD2(-Float(sheet.x0), -Float(sheet.y0))
    if let ground { _ = planes.lay(ground, offset: offset) }
    var path = Path()
    for stroke in strokes {
      stroke.finishedInk(by: kind, law: law) { segment, _ in
        path.removeAll()
        StrokeModel.outline(of: segment, by: kind, into: &path)
        _ = planes.settle(path, scale: scale, offset: offset)
      }
      planes.endStroke()
    }
    let rect = try InkPicture.crop(planes.inkedRect(), sheet, scale, frame)
    (width, height) = (rect.width, rect.height)
    (left, top) = (Int(sheet.x0 + rect.x0), Int(sheet.y0 + rect.y0))
    self.scale = scale
    coverage = InkPicture.coverage(of: rect, in: planes)
  }

  /// The pixels to draw on: the glass, or around all that the ink may reach.
  private static func sheet(
    _ strokes: [Stroke], _ kind: StrokeModel.Kind, _ law: WidthLaw, _ scale: Scale,
    _ frame: Frame, _ ground: InkPicture?
  ) throws(Refusal) -> PixelRect {
    switch frame {
    case .glass(let size):
      let end = scale.pixels(size)
      return try pixels(.zero, SIMD2(InkPicture.ceil(end.x), InkPicture.ceil(end.y)))
    case .ink:
      let paper = ground?.rect ?? .empty
      guard let reach = InkReach.hull(of: strokes, by: kind, law: law) else {
        if paper.isEmpty { throw .noInk }
        return paper
      }
      return try limited(pixels(scale.pixels(reach.from), scale.pixels(reach.to)).union(paper))
    }
  }

  /// Where it lies among the glass's pixels.
  var rect: PixelRect {
    PixelRect(
      Int32(clamping: left), Int32(clamping: top), Int32(clamping: left + width),
      Int32(clamping: top + height))
  }

  /// Rounded up; what is a whole number but for the error of a division and a multiplication stays it: a glass
  /// has the size of its panel's pixels over their density.
  private static func ceil(_ pixels: Float) -> Float {
    let nearest = pixels.rounded()
    return abs(pixels - nearest) <= 2 * pixels.ulp ? nearest : pixels.rounded(.up)
  }

  private static func pixels(_ a: SIMD2<Float>, _ b: SIMD2<Float>) throws(Refusal) -> PixelRect {
    let rect = PixelRect(
      try whole(a.x.rounded(.down)), try whole(a.y.rounded(.down)),
      try whole(b.x.rounded(.up)), try whole(b.y.rounded(.up)))
    guard !rect.isEmpty else { throw .noInk }
    return try limited(rect)
  }

  /// A number of pixels that a Float holds as exactly as its neighbours. No picture has more.
  private static func whole(_ pixels: Float) throws(Refusal) -> Int32 {
    guard abs(pixels) < 16_777_216 else { throw .tooLarge }
    return Int32(pixels)
  }

  /// Its area may be more than an Int of 32 bits holds.
  private static func limited(_ rect: PixelRect) throws(Refusal) -> PixelRect {
    guard Int64(rect.width) * Int64(rect.height) <= pixelLimit else { throw .tooLarge }
    return rect
  }

  /// What of the sheet is kept; may overhang it by the margin.
  private static func crop(
    _ ink: PixelRect, _ sheet: PixelRect, _ scale: Scale, _ frame: Frame
  ) throws(Refusal) -> PixelRect {
    guard case .ink(let margin) = frame else {
      return PixelRect(width: sheet.width, height: sheet.height)
    }
    guard !ink.isEmpty else { throw .noInk }
    let x = try whole((margin * scale.x).rounded(.up))
    let y = try whole((margin * scale.y).rounded(.up))
    return try limited(PixelRect(ink.x0 - x, ink.y0 - y, ink.x1 + x, ink.y1 + y))
  }

  private static func coverage(of rect: PixelRect, in planes: borrowing InkPlanes) -> [UInt8] {
    let inside = rect.intersection(PixelRect(width: planes.width, height: planes.height))
    var coverage = [UInt8](repeating: 0, count: rect.area)
    var pixels = coverage.mutableSpan
    for y in inside.y0..<inside.y1 {
      planes.writeCoverage(
        ofRow: Int(y), columns: Int(inside.x0)..<Int(inside.x1), to: &pixels,
        at: Int(y - rect.y0) * rect.width + Int(inside.x0 - rect.x0))
    }
    return coverage
  }
}
