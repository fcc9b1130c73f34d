public import Ink
public import Raster

/// The ink on the pad: finalised ink in the planes, the tail over it, and the strokes as data.
///
/// Synchronous, and without threads: whoever owns it feeds samples and composes what changed. What a
/// sample costs depends on the new piece of ink alone, and nothing is allocated for it.
public struct DrawingModel: ~Copyable {
  /// The visible ink.
  public private(set) var planes: InkPlanes
  /// The strokes as data.
  public private(set) var store: StrokeStore
  /// Pixels per millimetre.
  public private(set) var scale: Scale
  /// Pixels by which the ink's origin lies right of and below the planes'.
  public private(set) var offset: SIMD2<Float>
  /// The kind of model that draws.
  public var kind: StrokeModel.Kind { model.kind }
  /// The ink that was there before the first stroke, if any; `wipe()` takes it away too.
  public internal(set) var ground: InkPicture?
  /// Whether the last stroke is being drawn.
  public private(set) var isDrawing = false

  private var model: StrokeModel
  private var ink = StrokeInk()
  /// Has room for all outlines that a sample can yield.
  private var path = Path(capacity: 64 * 16)

  /// A clean sheet of `width` × `height` pixels.
  ///
  /// - Parameters:
  ///   - prediction: By how many nanoseconds the tail runs ahead of the hand (`StrokeModel.prediction`). It is
  ///     in no stroke of the store, and in no ink of a stroke that is over.
  ///   - capacity: Samples that there is room for.
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

  /// Whether there is no ink.
  public var isEmpty: Bool { store.count == 0 }

  /// A stroke begins, and one that was being drawn ends. Returns what changed; nil if there is no room for
  /// another sample: the sheet is full, and nothing happened.
  public mutating func begin(_ sample: Sample) -> PixelRect? {
    guard store.begin(sample) else { return nil }
    var damage = end()
    isDrawing = true
    model.begin(at: sample, into: &ink)
    damage = damage.union(show())
    return damage
  }

  /// The stroke goes on. Returns what changed; nil if the sample is not taken: there is no room, so that the
  /// stroke has to end, or no stroke is being drawn.
  public mutating func extend(_ sample: Sample) -> PixelRect? {
    guard isDrawing, store.extend(sample) else { return nil }
    model.extend(to: sample, into: &ink)
    return show()
  }

  /// The stroke goes on after events were lost: ink stops where it was and starts at `sample`. Returns the
  /// same as `extend(_:)`.
  public mutating func resume(afterGap sample: Sample) -> PixelRect? {
    guard isDrawing, store.markGap(), store.extend(sample) else { return nil }
    model.end(into: &ink)
    let damage = show()
    model.begin(at: sample, into: &ink)
    return damage.union(show())
  }

  /// The stroke is over. Returns what changed.
  public mutating func end() -> PixelRect {
    guard isDrawing else { return .empty }
    isDrawing = false
    model.end(into: &ink)
    return show().union(planes.endStroke())
  }

  /// Wipes the sheet. Returns what changed.
  public mutating func wipe() -> PixelRect {
    isDrawing = false
    ink.removeAll()
    store.removeAll()
    ground = nil
    return planes.clear()
  }

  /// Gives back what a clean sheet holds of ink that was wiped. Not while somebody draws: what is given back
  /// has to be had anew.
  public mutating func releaseMemory() {
    guard isEmpty, ground == nil else { return }
    planes.releaseMemory()
    store.releaseMemory()
  }

  /// Has the kernel give the memory for what is drawn next. To be done while nobody waits; returns where the
  /// planes have it now (`InkPlanes.prefault`).
  public mutating func prefault() -> PixelRect {
    store.prefault()
    return planes.prefault()
  }

  /// Takes the last stroke back: the others are drawn again. Returns what changed.
  public mutating func undo() -> PixelRect {
    let strokes = store.strokes().dropLast()
    let ground = self.ground
    var damage = wipe()
    if let ground { damage = damage.union(start(on: ground)) }
    for stroke in strokes { damage = damage.union(draw(stroke)) }
    return damage
  }

  /// Draws a stroke that is known already. Returns what changed; a stroke that has no room is cut.
  @discardableResult
  public mutating func draw(_ stroke: Stroke) -> PixelRect { feed(stroke).union(end()) }

  /// The same, and the stroke may go on.
  mutating func feed(_ stroke: Stroke) -> PixelRect {
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

  /// Puts the ground under everything; one that would be too large at this density is left out.
  mutating func layGround() -> PixelRect {
    let placed: InkPicture?
    do { placed = try ground?.resampled(to: scale) } catch { placed = nil }
    guard let placed else { return .empty }
    return planes.lay(placed, offset: offset)
  }

  /// A clean sheet of another size or density.
  mutating func reset(width: Int, height: Int, scale: Scale, offset: SIMD2<Float>) {
    _ = wipe()
    planes = InkPlanes(width: width, height: height)
    (self.scale, self.offset) = (scale, offset)
  }

  /// Burns what is final into the planes and draws the tail anew.
  private mutating func show() -> PixelRect {
    var damage = planes.clearTail()
    for index in 0..<ink.finalised.count {
      outline(ink.finalised[index])
      damage = damage.union(planes.settle(path, scale: scale, offset: offset))
    }
    ink.finalised.removeAll()
    return damage.union(showTail())
  }

  /// The tail in one piece: all outlines of a model run the same way round, and filling them together
  /// costs less.
  private mutating func showTail() -> PixelRect {
    path.removeAll()
    StrokeModel.outline(of: ink.provisional, by: kind, into: &path)
    return planes.addTail(path, scale: scale, offset: offset)
  }

  private mutating func outline(_ segment: Segment) {
    path.removeAll()
    StrokeModel.outline(of: segment, by: kind, into: &path)
  }
}
