import Ink
import Raster
import Signature
import SyntheticHand

/// Calls what `ParaphInk` makes public, in any order and with any values that no precondition excludes.
struct RandomCaller: ~Copyable {
  private var random: SeededRandom
  private var path = Path()
  private var rasteriser = Rasteriser()
  private var mask: Coverage
  private var planes: InkPlanes
  private var canvas: Canvas
  private var model = StrokeModel()
  private var ink: StrokeInk
  private var array: RigidArray<UInt32>
  private var drawing: DrawingModel
  private var store: StrokeStore
  private let width, height: Int

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    width = Int.random(in: 1...200, using: &random)
    height = Int.random(in: 1...200, using: &random)
    mask = Coverage(width: width, height: height)
    planes = InkPlanes(width: width, height: height)
    canvas = Canvas(width: width, height: height)
    path = Path(capacity: [1, 2, 7, 40, 256, 1000][Int.random(in: 0..<6, using: &random)])
    ink = StrokeInk(capacity: [1, 3, 64][Int.random(in: 0..<3, using: &random)])
    array = RigidArray(capacity: [1, 5000][Int.random(in: 0..<2, using: &random)])
    store = StrokeStore(capacity: [1, 20, 3000][Int.random(in: 0..<3, using: &random)])
    drawing = DrawingModel(
      StrokeModel.Kind.allCases[Int.random(in: 0..<4, using: &random)], width: width,
      height: height, scale: Scale(x: 1, y: 1),
      prediction: [0, 16_000_000][Int.random(in: 0..<2, using: &random)],
      capacity: [1, 20, 3000][Int.random(in: 0..<3, using: &random)])
    self.random = random
  }

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func chance(_ count: Int) -> Bool { below(count) == 0 }

  /// On the raster, on the borders of its pixels or next to them, around it, or anywhere.
  private mutating func coordinate() -> Float {
    switch below(24) {
    case 0..<11: return Float.random(in: -20...220, using: &random)
    case 11..<21:
      let units = [0, 0, 0, 1, -1, 0.5, -0.5, 2, -3] as [Float]
      return Float(below(240) - 20) + units[below(units.count)] / 4096
    case 21: return Float.random(in: -6000...6000, using: &random)
    case 22: return Float.random(in: -3e5...3e5, using: &random)
    default:
      let special =
        [
          .nan, .infinity, -.infinity, 3e38, -3e38, 1e20, 0x1p24, -0x1p24, 1.6e7, 131_072, 1e-30,
          -0.0,
        ] as [Float]
      return special[below(special.count)]
    }
  }

  private mutating func point() -> Point {
    let x = coordinate()
    return Point(x, chance(6) ? x : coordinate())
  }

  private mutating func scale() -> Scale {
    let scales =
      [1, 1, 1, 1, 0.5, 6.4173, 0.999, 100, -1, 1e-3, 1e6, .nan, .infinity, 0] as [Float]
    let x = scales[below(scales.count)]
    return Scale(x: x, y: chance(5) ? scales[below(scales.count)] : x)
  }

  private mutating func offset() -> SIMD2<Float> { chance(3) ? point() : .zero }

  private mutating func edge() -> Int32 {
    if chance(12) { return [Int32.min, .max, -1_000_000, 1 << 24][below(4)] }
    return Int32(below(300) - 50)
  }

  private mutating func rect() -> PixelRect { PixelRect(edge(), edge(), edge(), edge()) }

  private mutating func weighted() -> WeightedPoint {
    WeightedPoint(point(), weight: chance(4) ? coordinate() : Float(below(30)))
  }

  private mutating func segment() -> Segment {
    var segment =
      switch below(4) {
      case 0: Segment(dot: weighted())
      case 1: Segment(weighted(), weighted())
      case 2: Segment(weighted(), weighted(), weighted())
      default: Segment(weighted(), weighted(), weighted(), weighted())
      }
    segment.endsRound = chance(3)
    if chance(2) { (segment.startEdge, segment.endEdge) = (point(), point()) }
    return segment
  }

  private mutating func sample() -> Sample {
    let times = [0, 1, .max, .min, 8_000_000, 16_000_000] as [Int64]
    return Sample(
      time: chance(3) ? times[below(times.count)] : Int64(below(1 << 30)), position: point(),
      pressure: chance(3) ? coordinate() : -1)
  }

  private mutating func kind() -> StrokeModel.Kind {
    StrokeModel.Kind.allCases[below(StrokeModel.Kind.allCases.count)]
  }

  private mutating func changePath() {
    switch below(14) {
    case 0..<3: path.move(to: point())
    case 3..<6: path.line(to: point())
    case 6..<8: path.quad(point(), to: point())
    case 8..<11: path.cubic(point(), point(), to: point())
    case 11: path.removeAll()
    case 12: StrokeModel.outline(of: segment(), by: kind(), into: &path)
    default:
      let segments = RigidArray<Segment>(capacity: 3)
      StrokeModel.outline(of: segments, by: kind(), into: &path)
    }
  }

  mutating func callRaster() {
    switch below(20) {
    case 0..<9:
      for _ in 0..<below(6) { changePath() }
    case 9: _ = rasteriser.add(path, scale: scale(), offset: offset(), to: &mask)
    case 10: mask.clear()
    case 11: _ = planes.addFinalised(path, scale: scale(), offset: offset())
    case 12: _ = planes.addTail(path, scale: scale(), offset: offset())
    case 13: planes.clearTail()
    case 14: planes.endStroke()
    case 15: _ = planes.prefault()
    case 16:
      if chance(4) {
        planes.clear()
        planes.releaseMemory()
      }
    case 17: lay()
    case 18: _ = planes.coverage(of: rect())
    default:
      changePath()
      _ = rasteriser.add(path, scale: Scale(x: 1, y: 1), to: &mask)
    }
  }

  private mutating func lay() {
    let (x, y) = (Int32(below(300) - 50), Int32(below(300) - 50))
    let rect = PixelRect(x, y, x + Int32(below(60)), y + Int32(below(60)))
    let bytes = [UInt8](repeating: UInt8(below(256)), count: rect.area)
    _ = planes.addPicture(bytes.span, in: rect)
  }

  mutating func callCanvas() {
    switch below(16) {
    case 0..<4: callRaster()
    case 4: canvas.compose(rect(), ink: planes)
    case 5:
      var region = PixelRegion()
      for _ in 0..<below(30) { region.add(rect()) }
      canvas.compose(region, ink: planes)
    case 6: canvas.fillGround(path, 0x1234, scale: scale(), offset: offset())
    case 7: canvas.fillGround(rect(), 0xFF00)
    case 8: _ = canvas.clearGround(rect())
    case 9: canvas.prefault(rect())
    case 10: canvas.releaseMemory()
    case 11: canvas.fillGround(0xABCDEF, under: chance(2) ? nil : picture())
    case 12..<14: copy()
    case 14: dither()
    default: canvas.compose(canvas.rect, ink: planes)
    }
  }

  private mutating func picture() -> GroundPicture {
    var painting = GroundPicture.Painting(width: width, height: height, ground: 0xFFFFFF)
    for _ in 0..<below(40) {
      let row = [SIMD4<Float>](repeating: SIMD4(90, 60, 30, 0.5), count: below(260))
      painting.composite(row.span, x: below(300) - 60, y: below(300) - 60)
    }
    return GroundPicture(painting)
  }

  private mutating func copy() {
    let part = rect().intersection(canvas.rect)
    let stride = part.width + below(5)
    var pixels = [UInt32](repeating: 0, count: max(0, part.height - 1) * stride + part.width)
    var all = pixels.mutableSpan
    canvas.copy(part, to: &all, stride: stride)
    guard !part.isEmpty else { return }
    let (x, y) = (Int(part.x0), Int(part.y0))
    var line = [UInt32](repeating: 0, count: max(part.width, part.height))
    var span = line.mutableSpan
    canvas.copy(row: y, from: x, count: part.width, to: &span)
    canvas.copy(column: x, from: y, count: part.height, to: &span)
  }

  private mutating func dither() {
    let pixels = [UInt32](repeating: 0xFF80_4020, count: below(50))
    var output = [UInt16](repeating: 0, count: pixels.count + below(3))
    var span = output.mutableSpan
    Dither.rgb565(pixels.span, x: below(3000) - 1000, y: below(3000) - 1000, to: &span)
  }

  mutating func callModel() {
    switch below(24) {
    case 0: model = StrokeModel(kind(), law: law())
    case 1: model.begin(at: sample(), into: &ink)
    case 2..<5: model.extend(to: sample(), into: &ink)
    case 5: model.end(into: &ink)
    case 6: ink.removeAll()
    case 7:
      path.removeAll()
      StrokeModel.outline(of: ink.provisional, by: kind(), into: &path)
      StrokeModel.outline(of: ink.finalised, by: kind(), into: &path)
      _ = planes.addFinalised(path, scale: scale(), offset: offset())
      ink.finalised.removeAll()
    case 8: callArray()
    case 9: callStore()
    case 10..<12: _ = drawing.begin(sample())
    case 12..<16: _ = drawing.extend(sample())
    case 16: _ = drawing.resume(afterGap: sample())
    case 17: _ = drawing.end()
    case 18: _ = drawing.undo()
    case 19: _ = drawing.prefault()
    case 20: redraw()
    case 21: _ = drawing.picture()
    case 22:
      if chance(4) { _ = drawing.wipe() }
      drawing.releaseMemory()
    default: startOnPicture()
    }
  }

  private mutating func law() -> WidthLaw {
    WidthLaw(narrowest: coordinate(), widest: coordinate())
  }

  private mutating func redraw() {
    guard chance(3) else { return }
    drawing.redraw(
      width: 1 + below(200), height: 1 + below(200), scale: scale(), offset: offset())
  }

  private mutating func startOnPicture() {
    let (width, height) = (1 + below(40), 1 + below(40))
    let picture = InkPicture(
      coverage: [UInt8](repeating: 200, count: width * height), width: width, height: height,
      scale: scale(), left: below(400) - 200, top: below(400) - 200)
    if let picture { _ = drawing.start(on: picture) }
  }

  private mutating func callArray() {
    for _ in 0..<below(2000) { array.append(7) }
    array.prefault(lookahead: [0, 1, 600, -1, -600, -1_000_000, .max, .min][below(8)])
    for index in 0..<array.count where array[index] != 7 { fatalError("an element has changed") }
    array.truncate(to: array.count / (1 + below(3)))
    if chance(3) { array.removeAll() }
  }

  private mutating func callStore() {
    for _ in 0..<below(30) {
      switch below(4) {
      case 0: _ = store.begin(sample())
      case 1: _ = store.markGap()
      default: _ = store.extend(sample())
      }
    }
    _ = store.strokes()
    if chance(3) { store.removeAll() }
  }
}
