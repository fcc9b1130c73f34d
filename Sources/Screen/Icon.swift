internal import CLinux
internal import Ink

/// Icons, drawn as paths: they need no font and no translation.
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

  /// The icon of a button.
  init(_ button: Button) {
    self =
      switch button {
      case .clear: .restart
      case .undo: .stepBack
      case .done, .understood: .check
      case .cancel: .cross
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
    }
  }

  /// Adds a × of two strokes.
  static func cross(at centre: Point, size: Float, width: Float, into path: inout Path) {
    let arm = size / 2
    path.polyline([centre + Point(-arm, -arm), centre + Point(arm, arm)], width: width)
    path.polyline([centre + Point(-arm, arm), centre + Point(arm, -arm)], width: width)
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
