public import Ink
public import Raster

/// A picture of a signature at any density: the content of the PNG.
public struct InkPicture: Equatable, Sendable {
  /// The size in pixels.
  public let width, height: Int
  /// The pixels, row by row from the top: 0 is paper, 255 is ink.
  public let coverage: [UInt8]
  /// Pixels per millimetre.
  public let scale: Scale
  /// The position of the picture's left top corner on the glass, in the picture's pixels.
  public let left, top: Int

  /// The part of the glass that a picture shows.
  public enum Frame: Equatable, Sendable {
    /// All of it: width and height in millimetres.
    case glass(Point)
    /// The ink with white margins, in millimetres.
    case ink(margin: Float)
  }

  /// Why a picture cannot be drawn.
  public enum Refusal: Error, Equatable, Sendable {
    /// No stroke leaves ink.
    case noInk
    /// It would have more pixels than `InkPicture.pixelLimit`, or lie too far away.
    case tooLarge
  }

  /// The most pixels: 64 megapixels, the default limit of PNG decoders.
  public static let pixelLimit = 1 << 26

  /// Creates a picture from coverage that was drawn before, for example from a PNG's darkness.
  ///
  /// Returns nil if the sizes disagree, sizes or position exceed `pixelLimit`, or the scale is invalid.
  ///
  /// - Parameters:
  ///   - coverage: `width` × `height` bytes: 0 is paper, 255 is ink.
  ///   - left: The position of the left top corner on the glass, in the picture's pixels, as `top`.
  public init?(
    coverage: [UInt8], width: Int, height: Int, scale: Scale, left: Int = 0, top: Int = 0
  ) {
    let sizes = 1...InkPicture.pixelLimit
    let positions = -InkPicture.pixelLimit...InkPicture.pixelLimit
    guard sizes.contains(width), sizes.contains(height), coverage.count <= InkPicture.pixelLimit,
      coverage.count / width == height, coverage.count % width == 0,
      scale.x > 0, scale.y > 0, scale.x.isFinite, scale.y.isFinite,
      positions.contains(left), positions.contains(top)
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

  /// Draws strokes with a model, over a ground if there is one.
  ///
  /// At the panel's own scale, the coverage is what the panel showed.
  public init(
    of strokes: [Stroke], by kind: StrokeModel.Kind, law: WidthLaw = .standard, scale: Scale,
    frame: Frame, on ground: InkPicture? = nil
  ) throws(Refusal) {
    let ground = try ground?.resampled(to: scale)
    let sheet = try InkPicture.sheet(strokes, kind, law, scale, frame, ground)
    var planes = InkPlanes(width: sheet.width, height: sheet.height)
    let offset = SIMD2(-Float(sheet.x0), -Float(sheet.y0))
    if let ground { _ = planes.addPicture(ground, offset: offset) }
    var path = Path()
    for stroke in strokes {
      stroke.finalisedInk(by: kind, law: law) { segment, _ in
        path.removeAll()
        StrokeModel.outline(of: segment, by: kind, into: &path)
        _ = planes.addFinalised(path, scale: scale, offset: offset)
      }
      planes.endStroke()
    }
    let rect = try InkPicture.crop(planes.inkedRect(), sheet, scale, frame)
    (width, height) = (rect.width, rect.height)
    (left, top) = (Int(sheet.x0 + rect.x0), Int(sheet.y0 + rect.y0))
    self.scale = scale
    coverage = InkPicture.coverage(of: rect, in: planes)
  }

  /// Returns the picture at another density; each pixel is the mean of what it covers.
  ///
  /// Use it for a ground without strokes. Ink whose strokes are known is drawn again instead, which is sharper.
  ///
  /// Throws `Refusal.tooLarge` if the result exceeds `pixelLimit`, lies beyond 2²⁴ pixels, or the scale is
  /// invalid.
  public func resampled(to target: Scale) throws(Refusal) -> InkPicture {
    if target == scale { return self }
    let (x, y) = (target.x / scale.x, target.y / scale.y)
    // A Float must hold the position of each pixel exactly.
    let (right, bottom) = (Float(abs(left) + width + 1) * x, Float(abs(top) + height + 1) * y)
    guard x > 0, y > 0,
      Float(width + 2) * x * (Float(height + 2) * y) <= Float(InkPicture.pixelLimit),
      max(right, bottom) < 16_777_216
    else { throw .tooLarge }
    let (left, columns) = InkPicture.axis(from: left, count: width, ratio: scale.x / target.x)
    let (top, rows) = InkPicture.axis(from: top, count: height, ratio: scale.y / target.y)
    var wide = [Float](repeating: 0, count: columns.count * height)
    for column in 0..<columns.count {
      for pixel in columns.support(of: column) {
        let weight = columns.weight(of: pixel, in: column)
        for y in 0..<height {
          wide[y * columns.count + column] += Float(coverage[y * width + pixel]) * weight
        }
      }
    }
    var result = [UInt8](repeating: 0, count: columns.count * rows.count)
    var sums = [Float](repeating: 0, count: columns.count)
    for row in 0..<rows.count {
      for column in sums.indices { sums[column] = 0 }
      for pixel in rows.support(of: row) {
        let weight = rows.weight(of: pixel, in: row)
        for column in sums.indices { sums[column] += wide[pixel * sums.count + column] * weight }
      }
      for column in sums.indices {
        result[row * sums.count + column] = UInt8(min(255, sums[column].rounded()))
      }
    }
    return InkPicture(
      drawn: result, width: columns.count, height: rows.count, scale: target, left: left, top: top)
  }

  /// The new pixels along one axis: their start on the glass, and their weights.
  ///
  /// - Parameters:
  ///   - start: The position of the first old pixel on the glass.
  ///   - count: The number of old pixels.
  ///   - ratio: Old pixels per new pixel.
  private static func axis(
    from start: Int, count: Int, ratio: Float
  ) -> (first: Int, pixels: Resampling) {
    let first = Int((Float(start) / ratio).rounded(.down))
    let end = max(Int((Float(start + count) / ratio).rounded(.up)), first + 1)
    let pixels = Resampling(
      source: count, start: Float(first) * ratio - Float(start),
      length: Float(end - first) * ratio, target: end - first, border: .zero)
    return (first, pixels)
  }

  /// The pixels to draw on: the glass, or all that the ink may reach.
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

  /// The picture's position among the glass's pixels.
  fileprivate var rect: PixelRect {
    PixelRect(
      Int32(clamping: left), Int32(clamping: top), Int32(clamping: left + width),
      Int32(clamping: top + height))
  }

  /// Rounds up, except from a rounding error above a whole number.
  ///
  /// A glass's size is its panel's pixels divided by their density.
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

  /// Converts a coordinate below 2²⁴, up to which a Float holds every pixel.
  private static func whole(_ pixels: Float) throws(Refusal) -> Int32 {
    guard abs(pixels) < 16_777_216 else { throw .tooLarge }
    return Int32(pixels)
  }

  /// Checks the area, which may exceed a 32-bit Int.
  private static func limited(_ rect: PixelRect) throws(Refusal) -> PixelRect {
    guard Int64(rect.width) * Int64(rect.height) <= pixelLimit else { throw .tooLarge }
    return rect
  }

  /// The part of the sheet that is kept; its margins may exceed the sheet.
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

extension InkPlanes {
  /// Adds a picture of this density; returns a rectangle that contains all changes.
  ///
  /// - Parameter offset: The position of the ink's origin in the planes, in pixels.
  mutating func addPicture(_ picture: InkPicture, offset: SIMD2<Float>) -> PixelRect {
    let (x, y) = (PixelRect.wholePixels(offset.x), PixelRect.wholePixels(offset.y))
    let rect = picture.rect
    return addPicture(
      picture.coverage.span, in: PixelRect(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y))
  }

  /// The smallest rectangle that contains all inked pixels.
  ///
  /// `bounds` may be larger, as it contains the control points of curves.
  func inkedRect() -> PixelRect {
    let bounds = self.bounds.intersection(PixelRect(width: width, height: height))
    let columns = Int(bounds.x0)..<Int(bounds.x1)
    // One row at a time: a copy of all coverage may have 64 MB.
    var ink = [UInt8](repeating: 0, count: bounds.width)
    var rect = PixelRect.empty
    for y in bounds.y0..<bounds.y1 {
      var row = ink.mutableSpan
      writeCoverage(ofRow: Int(y), columns: columns, to: &row)
      guard let first = ink.firstIndex(where: { $0 > 0 }),
        let last = ink.lastIndex(where: { $0 > 0 })
      else { continue }
      rect = rect.union(
        PixelRect(bounds.x0 + Int32(first), y, bounds.x0 + Int32(last) + 1, y + 1))
    }
    return rect
  }
}

extension PixelRect {
  /// Rounds to the nearest pixel within ±2²⁹; NaN becomes 0.
  ///
  /// Sums with sizes then fit into an Int32.
  static func wholePixels(_ distance: Float) -> Int32 {
    guard distance.isFinite else { return 0 }
    return Int32(min(max(distance.rounded(), -0x1p29), 0x1p29))
  }
}
