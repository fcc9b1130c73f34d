internal import CLinux
internal import Ink

/// Icons that are drawn as paths, without fonts.
enum Icon {
  /// A check mark: done, saved.
  case check
  /// An arrow that turns back: start again.
  case restart
  /// An arrow to the left: one step back.
  case stepBack
  /// A ×: cancel.
  case cross
  /// The hands of a clock: too late.
  case clock
  /// A bar, which on a disc means "no entry".
  case bar
  /// An eye: clients watch.
  case eye
  /// A line of writing on a line: sign.
  case writing
  /// A sheet of paper with lines.
  case sheet
  /// The page to the left.
  case left
  /// The page to the right.
  case right

  /// The icon of a button; nil for a choice, which only words can tell.
  init?(_ button: Button, rightToLeft: Bool) {
    switch button {
    case .back: self = rightToLeft ? .right : .left
    case .forward: self = rightToLeft ? .left : .right
    case .sign: self = .writing
    case .document: self = .sheet
    case .clear: self = .restart
    case .undo: self = .stepBack
    case .done, .understood: self = .check
    case .cancel: self = .cross
    case .choice: return nil
    }
  }

  /// Adds the icon to a path, centred in an area.
  func draw(in area: Area, into path: inout Path) {
    let unit = min(area.size.x, area.size.y)
    let middle = area.centre
    func line(_ points: [Point], width: Float) {
      path.polyline(points.map { middle + $0 * unit }, width: width * unit)
    }
    switch self {
    case .check:
      line([Point(-0.26, 0.02), Point(-0.08, 0.20), Point(0.27, -0.19)], width: 0.105)
    case .restart: Icon.restart(middle, unit, into: &path)
    case .stepBack:
      line([Point(0.24, 0), Point(-0.14, 0)], width: 0.085)
      line([Point(-0.04, -0.18), Point(-0.22, 0), Point(-0.04, 0.18)], width: 0.085)
    case .cross: Icon.cross(at: middle, size: 0.36 * unit, width: 0.09 * unit, into: &path)
    case .clock: line([Point(0, -0.30), .zero, Point(0.20, 0.12)], width: 0.08)
    case .bar: line([Point(-0.3, 0), Point(0.3, 0)], width: 0.16)
    case .eye: Icon.eye(middle, unit, into: &path)
    case .writing:
      line(
        [
          Point(-0.26, 0.06), Point(-0.14, -0.20), Point(-0.04, 0.06), Point(0.06, -0.12),
          Point(0.14, 0.04), Point(0.26, -0.04),
        ], width: 0.07)
      line([Point(-0.28, 0.21), Point(0.28, 0.21)], width: 0.06)
    case .sheet:
      line(
        [
          Point(0, -0.26), Point(0.20, -0.26), Point(0.20, 0.26), Point(-0.20, 0.26),
          Point(-0.20, -0.26), Point(0.01, -0.26),
        ], width: 0.06)
      for y: Float in [-0.11, 0, 0.11] { line([Point(-0.10, y), Point(0.10, y)], width: 0.05) }
    case .left:
      line([Point(0.12, -0.22), Point(-0.12, 0), Point(0.12, 0.22)], width: 0.1)
    case .right:
      line([Point(-0.12, -0.22), Point(0.12, 0), Point(-0.12, 0.22)], width: 0.1)
    }
  }

  /// Adds a × of two strokes.
  static func cross(at centre: Point, size: Float, width: Float, into path: inout Path) {
    let arm = size / 2
    path.polyline([centre + Point(-arm, -arm), centre + Point(arm, arm)], width: width)
    path.polyline([centre + Point(-arm, arm), centre + Point(arm, -arm)], width: width)
  }

  /// Two lids and a pupil, wider than high.
  private static func eye(_ middle: Point, _ unit: Float, into path: inout Path) {
    for side: Float in [-1, 1] {
      // A parabola from corner to corner, in 12 steps.
      let lid = (0...12).map { step in
        let x = Float(step) / 6 - 1
        return middle + Point(0.72 * x, side * 0.4 * (1 - x * x)) * unit
      }
      path.polyline(lid, width: 0.1 * unit)
    }
    path.disc(middle, radius: 0.17 * unit)
  }

  private static func restart(_ middle: Point, _ unit: Float, into path: inout Path) {
    let radius = 0.23 * unit
    // From the right over the bottom to the top left, in 30 steps.
    let turn = (0...30).map { step in
      let angle = -0.35 + Float(step) * (4.35 / 30)
      return middle + Point(cosf(angle), sinf(angle)) * radius
    }
    path.polyline(turn, width: 0.085 * unit)
    let tip = middle + Point(cosf(-1.25), sinf(-1.25)) * radius
    let foot = Point(cosf(-0.35), sinf(-0.35))
    path.move(to: tip)
    path.line(to: middle + foot * (radius + 0.115 * unit))
    path.line(to: middle + foot * (radius - 0.115 * unit))
  }
}

/// Shapes of buttons and icons. All contours run the same way round, so that overlapping ones add up.
extension Path {
  /// Adds a rectangle with round corners.
  mutating func roundedRectangle(_ area: Area, radius: Float) {
    let (a, b) = (area.origin, area.end)
    // 4/3·(√2 − 1) of the radius from the corner: a cubic that is a quarter of a circle within 0.03 %.
    let k = radius * (1 - 0.5522847)
    move(to: Point(a.x + radius, a.y))
    line(to: Point(b.x - radius, a.y))
    cubic(Point(b.x - k, a.y), Point(b.x, a.y + k), to: Point(b.x, a.y + radius))
    line(to: Point(b.x, b.y - radius))
    cubic(Point(b.x, b.y - k), Point(b.x - k, b.y), to: Point(b.x - radius, b.y))
    line(to: Point(a.x + radius, b.y))
    cubic(Point(a.x + k, b.y), Point(a.x, b.y - k), to: Point(a.x, b.y - radius))
    line(to: Point(a.x, a.y + radius))
    cubic(Point(a.x, a.y + k), Point(a.x + k, a.y), to: Point(a.x + radius, a.y))
  }

  /// Adds a disc.
  mutating func disc(_ centre: Point, radius: Float) {
    roundedRectangle(
      Area(x: centre.x - radius, y: centre.y - radius, width: 2 * radius, height: 2 * radius),
      radius: radius)
  }

  /// Adds the outline of a line through points, with mitred corners and butt ends.
  mutating func polyline(_ points: [Point], width: Float) {
    guard points.count >= 2 else { return }
    let left = points.indices.map { points[$0] - Path.mitre(points, at: $0) * (width / 2) }
    let right = points.indices.map { points[$0] + Path.mitre(points, at: $0) * (width / 2) }
    move(to: left[0])
    for point in left.dropFirst() { line(to: point) }
    for point in right.reversed() { line(to: point) }
  }

  /// The offset from a corner of the line to the corner of its outline, for a half width of 1.
  private static func mitre(_ points: [Point], at index: Int) -> Point {
    let here = points[index]
    let into = index > 0 ? unit(here - points[index - 1]) : unit(points[index + 1] - here)
    let out = index < points.count - 1 ? unit(points[index + 1] - here) : into
    let sum = into.normal + out.normal
    let squared = sum.x * sum.x + sum.y * sum.y
    return squared > 0.01 ? sum * (2 / squared) : into.normal
  }

  private static func unit(_ vector: Point) -> Point {
    let length = vector.length
    return length > 0 ? vector / length : Point(1, 0)
  }
}
