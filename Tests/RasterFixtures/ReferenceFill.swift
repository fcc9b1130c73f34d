import Ink
import Raster

/// What coverage ought to be: 64 lines of samples in each row of pixels, exact along the line, in
/// Double, non-zero rule for each outline, and the union of outlines. Slow and obvious.
public struct ReferenceFill {
  /// The size in pixels.
  public let width: Int
  /// The size in pixels.
  public let height: Int
  private static let lines = 64
  /// Spans that are inked, for each line.
  private var spans: [[(Double, Double)]]

  /// An empty raster.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    spans = Array(repeating: [], count: height * ReferenceFill.lines)
  }

  /// Fills an outline.
  public mutating func add(_ outline: borrowing Path, scale: Scale) {
    var crossings = [Int: [(x: Double, winding: Int)]]()
    let points = ReferenceFill.flat(outline, scale: scale)
    for contour in points {
      for index in contour.indices {
        let a = contour[index]
        let b = contour[(index + 1) % contour.count]
        cross(a, b, &crossings)
      }
    }
    for (line, all) in crossings {
      var winding = 0
      var start = 0.0
      for crossing in all.sorted(by: { $0.x < $1.x }) {
        if winding == 0 { start = crossing.x }
        winding += crossing.winding
        if winding == 0, crossing.x > start { spans[line].append((start, crossing.x)) }
      }
    }
  }

  /// Coverage of every pixel, 0…255.
  public func coverage() -> [Double] {
    var result = [Double](repeating: 0, count: width * height)
    for (line, all) in spans.enumerated() {
      let row = line / ReferenceFill.lines
      for span in ReferenceFill.union(all) {
        let from = max(span.0, 0)
        let to = min(span.1, Double(width))
        var column = Int(from)
        while column < width, Double(column) < to {
          let share = min(to, Double(column + 1)) - max(from, Double(column))
          result[row * width + column] += 255 * share / Double(ReferenceFill.lines)
          column += 1
        }
      }
    }
    return result
  }

  private func cross(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ crossings: inout [Int: [(x: Double, winding: Int)]]
  ) {
    guard a.y != b.y else { return }
    let (top, bottom) = a.y < b.y ? (a, b) : (b, a)
    let lines = Double(ReferenceFill.lines)
    let last = min(bottom.y * lines - 0.5, Double(spans.count) - 1)
    var line = Int(max((top.y * lines - 0.5).rounded(.up), 0))
    while Double(line) < last || (Double(line) == last && bottom.y * lines - 0.5 != last) {
      let y = (Double(line) + 0.5) / lines
      let x = top.x + (bottom.x - top.x) * (y - top.y) / (bottom.y - top.y)
      crossings[line, default: []].append((x, a.y < b.y ? 1 : -1))
      line += 1
    }
  }

  private static func union(_ spans: [(Double, Double)]) -> [(Double, Double)] {
    var result: [(Double, Double)] = []
    for span in spans.sorted(by: { $0.0 < $1.0 }) {
      if let last = result.last, span.0 <= last.1 {
        result[result.count - 1].1 = max(last.1, span.1)
      } else {
        result.append(span)
      }
    }
    return result
  }

  /// Contours as polygons; a curve has 256 sides.
  private static func flat(_ outline: borrowing Path, scale: Scale) -> [[SIMD2<Double>]] {
    var contours: [[SIMD2<Double>]] = []
    var next = 0
    func pixel(_ index: Int) -> SIMD2<Double> {
      let point = outline.points[index] * SIMD2(scale.x, scale.y)
      return SIMD2(Double(point.x), Double(point.y))
    }
    for verb in outline.verbs.indices {
      let degree: Int
      switch outline.verbs[verb] {
      case .move:
        contours.append([pixel(next)])
        next += 1
        continue
      case .line: degree = 1
      case .quad: degree = 2
      case .cubic: degree = 3
      }
      var control = [contours[contours.count - 1].last ?? .zero]
      for index in 0..<degree { control.append(pixel(next + index)) }
      next += degree
      let sides = degree == 1 ? 1 : 256
      for side in 1...sides {
        contours[contours.count - 1].append(
          casteljau(control, Double(side) / Double(sides)))
      }
    }
    return contours
  }

  private static func casteljau(_ control: [SIMD2<Double>], _ t: Double) -> SIMD2<Double> {
    var points = control
    while points.count > 1 {
      points = (1..<points.count).map { points[$0 - 1] * (1 - t) + points[$0] * t }
    }
    return points[0]
  }
}
