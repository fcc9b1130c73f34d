public import Ink
public import Raster

/// The drawing on the pad: ink in planes, its tail, and the strokes as data.
///
/// Synchronous and without threads: the owner feeds samples and composes the returned damage. The cost of a
/// sample depends only on its own ink, and nothing is allocated for it. Methods that return a `PixelRect`
/// return the rectangle that contains all changed pixels.
public struct DrawingModel: ~Copyable {
  /// The visible ink.
  public private(set) var planes: InkPlanes
  /// The strokes as data.
  public private(set) var store: StrokeStore
  /// Pixels per millimetre.
  public private(set) var scale: Scale
  /// The position of the ink's origin in the planes, in pixels.
  public private(set) var offset: SIMD2<Float>
  /// The kind of the stroke model.
  public var kind: StrokeModel.Kind { model.kind }
  /// The ink below all strokes, if any; `wipe()` removes it too.
  public private(set) var ground: InkPicture?
  /// Whether the last stroke is in progress.
  public private(set) var isDrawing = false

  private var model: StrokeModel
  private var ink = StrokeInk()
  /// Has capacity for all outlines of one sample.
  private var path = Path(capacity: 64 * 16)

  /// Creates an empty drawing of `width` × `height` pixels.
  ///
  /// - Parameters:
  ///   - prediction: Nanoseconds by which the tail precedes the hand (`StrokeModel.prediction`). Predicted
  ///     ink is neither in the store nor in finished strokes.
  ///   - capacity: The most samples.
  public init(
    _ kind: StrokeModel.Kind, width: Int, height: Int, scale: Scale, offset: SIMD2<Float> = .zero,
    law: WidthLaw = .standard, prediction: Int64 = 0,
    capacity: Int = StrokeStore.defaultCapacity
  ) {
    model = StrokeModel(kind, law: law)
    model.prediction = prediction
    planes = InkPlanes(width: width, height: height)
    store = StrokeStore(capacity: capacity)
    self.scale = scale
    self.offset = offset
  }

  /// Whether there is no stroke.
  public var isEmpty: Bool { store.count == 0 }

  /// Ends the stroke in progress, if any, and starts another.
  ///
  /// Returns nil and changes nothing if the store is full.
  public mutating func begin(_ sample: Sample) -> PixelRect? {
    guard store.begin(sample) else { return nil }
    var damage = end()
    isDrawing = true
    model.begin(at: sample, into: &ink)
    damage = damage.union(drawInk())
    return damage
  }

  /// Adds a sample to the stroke in progress.
  ///
  /// Returns nil and changes nothing if there is no stroke in progress or the store is full; end the stroke
  /// then.
  public mutating func extend(_ sample: Sample) -> PixelRect? {
    guard isDrawing, store.extend(sample) else { return nil }
    model.extend(to: sample, into: &ink)
    return drawInk()
  }

  /// Adds a sample after lost reports.
  ///
  /// Ink stops at the previous sample and starts again here.
  /// Returns nil as `extend(_:)` does.
  public mutating func resume(afterGap sample: Sample) -> PixelRect? {
    guard isDrawing, store.markGap(), store.extend(sample) else { return nil }
    model.end(into: &ink)
    let damage = drawInk()
    model.begin(at: sample, into: &ink)
    return damage.union(drawInk())
  }

  /// Draws ink along predicted samples until the next change of the stroke, after which it is gone.
  ///
  /// Predicted samples are neither in the store nor in finished strokes. Allocates memory, unlike the prediction of the
  /// model itself. Draws nothing without a stroke in progress.
  public mutating func predict(_ samples: [Sample]) -> PixelRect {
    guard isDrawing, !samples.isEmpty else { return .empty }
    var ahead = model
    var tail = StrokeInk()
    for sample in samples { ahead.extend(to: sample, into: &tail) }
    path.removeAll()
    StrokeModel.outline(of: tail.finalised, by: kind, into: &path)
    StrokeModel.outline(of: tail.provisional, by: kind, into: &path)
    return planes.clearTail().union(planes.addTail(path, scale: scale, offset: offset))
  }

  /// Ends the stroke in progress.
  public mutating func end() -> PixelRect {
    guard isDrawing else { return .empty }
    isDrawing = false
    model.end(into: &ink)
    return drawInk().union(planes.endStroke())
  }

  /// Removes all strokes and the ground.
  public mutating func wipe() -> PixelRect {
    isDrawing = false
    ink.removeAll()
    store.removeAll()
    ground = nil
    return planes.clear()
  }

  /// Removes the last stroke and draws the others again.
  public mutating func undo() -> PixelRect {
    let strokes = store.strokes().dropLast()
    let ground = self.ground
    var damage = wipe()
    if let ground { damage = damage.union(start(on: ground)) }
    for stroke in strokes { damage = damage.union(draw(stroke)) }
    return damage
  }

  /// Draws a whole stroke; a stroke that exceeds the store's capacity is cut off.
  @discardableResult
  public mutating func draw(_ stroke: Stroke) -> PixelRect { feed(stroke).union(end()) }

  /// Changes the drawing's size, density or offset and draws all strokes again at full quality.
  ///
  /// Nothing is stretched. A stroke in progress continues. Compose the whole drawing afterwards.
  ///
  /// An example for a device that was turned to the right:
  ///
  ///     drawing.redraw(width: height, height: width, scale: scale) {
  ///       $0.turned(clockwise: 1, on: glass)
  ///     }
  ///
  /// - Parameters:
  ///   - width: The new width in pixels.
  ///   - height: The new height in pixels.
  ///   - scale: The new pixels per millimetre.
  ///   - offset: The new position of the ink's origin, in pixels.
  ///   - change: Returns the stroke that replaces a stroke.
  public mutating func redraw(
    width: Int, height: Int, scale: Scale, offset: SIMD2<Float> = .zero,
    _ change: (Stroke) -> Stroke = { $0 }
  ) {
    let strokes = store.strokes().map(change)
    let open = isDrawing ? strokes.last : nil
    let ground = self.ground
    _ = wipe()
    planes = InkPlanes(width: width, height: height)
    (self.scale, self.offset) = (scale, offset)
    if let ground { _ = start(on: ground) }
    for stroke in open == nil ? strokes : strokes.dropLast() { draw(stroke) }
    if let open { _ = feed(open) }
  }

  /// Replaces the drawing by a picture of earlier ink, to which strokes are added.
  ///
  /// Use it for a signature of which only an image exists: the darkness of a PNG, for example, is the coverage
  /// of an `InkPicture`. `undo()` and `redraw` keep it. At a density at which it would have more than
  /// `InkPicture.pixelLimit` pixels, it is kept but not drawn.
  public mutating func start(on ground: InkPicture) -> PixelRect {
    let damage = wipe()
    self.ground = ground
    return damage.union(drawGround())
  }

  /// Returns the drawing as it is now, including the tail of a stroke in progress.
  public func picture() -> InkPicture {
    let rect = PixelRect(width: planes.width, height: planes.height)
    return InkPicture(
      drawn: planes.coverage(of: rect), width: rect.width, height: rect.height, scale: scale,
      left: -Int(PixelRect.wholePixels(offset.x)), top: -Int(PixelRect.wholePixels(offset.y)))
  }

  /// Releases the memory of removed ink if the drawing is empty.
  ///
  /// Do not call it while the hand draws: the next ink faults its pages again.
  public mutating func releaseMemory() {
    guard isEmpty, ground == nil else { return }
    planes.releaseMemory()
    store.releaseMemory()
  }

  /// Touches the pages for the next ink; call it when the frame is done.
  ///
  /// Returns the rectangle whose pages were touched (`InkPlanes.prefault`).
  public mutating func prefault() -> PixelRect {
    store.prefault()
    return planes.prefault()
  }

  /// Draws a whole stroke and leaves it in progress.
  private mutating func feed(_ stroke: Stroke) -> PixelRect {
    var damage = PixelRect.empty
    var cursor = GapCursor(stroke.gaps)
    for (index, sample) in stroke.samples.enumerated() {
      let isAfterGap = cursor.isGap(before: index)
      let changed =
        index == 0 ? begin(sample) : isAfterGap ? resume(afterGap: sample) : extend(sample)
      guard let changed else { break }
      damage = damage.union(changed)
    }
    return damage
  }

  /// Draws the ground; leaves it out if it is too large at this density.
  private mutating func drawGround() -> PixelRect {
    let placed: InkPicture?
    do { placed = try ground?.resampled(to: scale) } catch { placed = nil }
    guard let placed else { return .empty }
    return planes.addPicture(placed, offset: offset)
  }

  /// Adds finalised ink to the planes and draws the tail again.
  private mutating func drawInk() -> PixelRect {
    var damage = planes.clearTail()
    for index in 0..<ink.finalised.count {
      path.removeAll()
      StrokeModel.outline(of: ink.finalised[index], by: kind, into: &path)
      damage = damage.union(planes.addFinalised(path, scale: scale, offset: offset))
    }
    ink.finalised.removeAll()
    return damage.union(drawTail())
  }

  /// Draws the tail in one piece, which is faster.
  ///
  /// All outlines of a model run the same way round.
  private mutating func drawTail() -> PixelRect {
    path.removeAll()
    StrokeModel.outline(of: ink.provisional, by: kind, into: &path)
    return planes.addTail(path, scale: scale, offset: offset)
  }
}
