import CInk
import Ink
import Raster
import Signature

/// The drawing of one canvas: the ink of the present pen in a `DrawingModel`, and all below it as a page of colours.
///
/// A stroke with another pen first merges the ink so far into the page. The page cannot undo or change its density:
/// paraph.js has the strokes, and draws them again then.
struct Sheet: ~Copyable {
  /// The most pixels; the memory of a canvas of this size is about 300 MB.
  private static let areaLimit = 1 << 24
  /// The most columns or rows, as of a canvas in most browsers.
  private static let sideLimit = 32_767
  /// The most predicted samples that are drawn at once.
  private static let lookahead = 16
  /// The densities of screens, in pixels per millimetre, and those of printers.
  private static let densities: ClosedRange<Float> = 0.1...400

  /// The drawing with the present pen.
  private(set) var drawing: DrawingModel
  private(set) var pen: Pen
  /// Changed pixels that are not composed yet.
  private var damage: PixelRect
  private var page: Page
  private let prediction: Int64
  private var predicted: [Sample] = []

  /// Creates an empty sheet; nil if the size is out of range, or there is no memory for it.
  ///
  /// - Parameter prediction: Nanoseconds by which the tail precedes the hand.
  init?(
    _ kind: StrokeModel.Kind, width: Int, height: Int, scale: Scale, prediction: Int64, pen: Pen
  ) {
    guard Sheet.isValid(width, height, scale) else { return nil }
    self.pen = pen
    self.prediction = prediction
    drawing = Sheet.newDrawing(kind, width, height, scale, prediction, pen)
    page = Page(width: width, height: height)
    damage = PixelRect(width: width, height: height)
    predicted.reserveCapacity(Sheet.lookahead)
  }

  /// Whether a sheet of this size is possible, also for the time in which there are two of them.
  private static func isValid(_ width: Int, _ height: Int, _ scale: Scale) -> Bool {
    guard (1...sideLimit).contains(width), (1...sideLimit).contains(height),
      width * height <= areaLimit, densities.contains(scale.x), densities.contains(scale.y)
    else { return false }
    // Ink takes 3 bytes per pixel, pixels and page 4 each; the rest holds samples and the rasteriser's cells.
    return ink_reserve(11 * (width + 16) * (height + 32) + 6_000_000) != 0
  }

  private static func newDrawing(
    _ kind: StrokeModel.Kind, _ width: Int, _ height: Int, _ scale: Scale, _ prediction: Int64,
    _ pen: Pen
  ) -> DrawingModel {
    DrawingModel(
      kind, width: width, height: height, scale: scale, law: pen.law, prediction: prediction)
  }

  /// Starts a stroke with a pen; returns false if there is no room for it.
  mutating func begin(_ sample: Sample, with pen: Pen) -> Bool {
    add(drawing.end())
    if pen != self.pen { change(to: pen) }
    guard let changed = drawing.begin(sample) else { return false }
    add(changed)
    return true
  }

  /// Adds a sample; returns false without a stroke, or if there is no room for it.
  mutating func extend(_ sample: Sample, isAfterGap: Bool) -> Bool {
    let changed = isAfterGap ? drawing.resume(afterGap: sample) : drawing.extend(sample)
    guard let changed else { return false }
    add(changed)
    return true
  }

  /// Adds a sample to the prediction that `predict()` draws; ignores more than are useful.
  mutating func foresee(_ sample: Sample) {
    if predicted.count < Sheet.lookahead { predicted.append(sample) }
  }

  /// Draws the predicted samples until the next real one.
  mutating func predict() {
    add(drawing.predict(predicted))
    predicted.removeAll(keepingCapacity: true)
  }

  /// Ends the stroke in progress.
  mutating func end() { add(drawing.end()) }

  /// Removes the last stroke; returns false if it is in the page, or there is none.
  mutating func undo() -> Bool {
    guard !drawing.isEmpty else { return false }
    add(drawing.undo())
    return true
  }

  /// Removes all ink and the page, and fills the page with a colour.
  mutating func clear(to background: Colour) {
    add(drawing.wipe())
    page.clear(to: background)
    add(rect)
  }

  /// Changes size and density; returns false if the sheet has a page, which cannot, or the size is out of range.
  mutating func resize(width: Int, height: Int, scale: Scale) -> Bool {
    guard !page.isPainted, Sheet.isValid(width, height, scale) else { return false }
    drawing.redraw(width: width, height: height, scale: scale)
    page = Page(width: width, height: height, background: page.background)
    damage = rect
    return true
  }

  /// Replaces the drawing by a picture of earlier ink, to which strokes are added.
  mutating func start(on picture: InkPicture, with pen: Pen) {
    if pen != self.pen { change(to: pen) }
    add(drawing.start(on: picture))
  }

  /// The bytes of the page, to be overwritten: red, green, blue and alpha of each pixel.
  mutating func paint() -> UnsafeMutablePointer<UInt8> {
    add(rect)
    return unsafe page.paint()
  }

  /// Brings the pixels up to date; returns the rectangle that changed.
  mutating func compose() -> PixelRect {
    let changed = damage.intersection(rect)
    damage = .empty
    page.compose(changed, under: drawing.planes, pen)
    return changed
  }

  /// The composed pixels: red, green, blue and alpha, rows without gaps.
  var pixels: UnsafeMutablePointer<UInt8> { unsafe page.pixels }

  /// The outlines of the finalised ink of the present pen.
  ///
  /// Each command of a path is its kind (0 moves, 1 is a line, 2 a quadratic and 3 a cubic curve) and its points x and y
  /// in micrometres. A contour closes before the next one starts.
  func outlines() -> [Int32] {
    var numbers: [Int32] = []
    var path = Path()
    for stroke in drawing.store.strokes() {
      stroke.finalisedInk(by: drawing.kind, law: pen.law) { segment, _ in
        path.removeAll()
        StrokeModel.outline(of: segment, by: drawing.kind, into: &path)
        let points = path.points
        path.forEachVerb { verb, first in
          numbers.append(Int32(verb.rawValue))
          for index in first..<first + verb.pointCount {
            numbers.append(Sheet.micrometres(points[index].x))
            numbers.append(Sheet.micrometres(points[index].y))
          }
        }
      }
    }
    return numbers
  }

  /// Rounds to the nearest micrometre within two kilometres; NaN becomes 0.
  private static func micrometres(_ value: Float) -> Int32 {
    value.isFinite ? Int32(min(max(value * 1000, -2e9), 2e9).rounded()) : 0
  }

  private var rect: PixelRect {
    PixelRect(width: drawing.planes.width, height: drawing.planes.height)
  }

  private mutating func add(_ rect: PixelRect) { damage = damage.union(rect) }

  /// Merges the ink into the page, and starts a drawing with another pen.
  private mutating func change(to pen: Pen) {
    let isBlank = drawing.isEmpty && drawing.ground == nil
    if !isBlank { page.merge(drawing.planes, self.pen) }
    let (width, height) = (drawing.planes.width, drawing.planes.height)
    // A law belongs to a drawing; a colour does not.
    if pen.law == self.pen.law {
      _ = drawing.wipe()
    } else {
      drawing = Sheet.newDrawing(
        drawing.kind, width, height, drawing.scale, prediction, pen)
    }
    self.pen = pen
  }
}
