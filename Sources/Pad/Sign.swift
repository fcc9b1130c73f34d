internal import Ink

/// Drawn signs instead of words: they are understood in every country, and need no font.
enum Sign {
  /// A check: done, saved.
  static func check(in area: Area, into path: inout Path) {
    let unit = min(area.size.x, area.size.y)
    let middle = area.centre
    path.polyline(
      [
        middle + Point(-0.26, 0.02) * unit, middle + Point(-0.08, 0.20) * unit,
        middle + Point(0.27, -0.19) * unit,
      ], width: 0.105 * unit)
  }

  /// An arrow that turns back: start again.
  static func turnBack(in area: Area, into path: inout Path) {
    let unit = min(area.size.x, area.size.y)
    let middle = area.centre
    let radius = 0.23 * unit
    // From the right over the bottom to the top left, in steps of a twelfth of a quarter turn.
    let turn = (0...30).map { step in
      let angle = -0.35 + Float(step) * (4.35 / 30)
      return middle + Point(cosine(angle), sine(angle)) * radius
    }
    path.polyline(turn, width: 0.085 * unit)
    let tip = middle + Point(cosine(-1.25), sine(-1.25)) * radius
    let foot = Point(cosine(-0.35), sine(-0.35))
    path.move(to: tip)
    path.line(to: middle + foot * (radius + 0.115 * unit))
    path.line(to: middle + foot * (radius - 0.115 * unit))
  }

  /// An arrow to the left: one step back.
  static func stepBack(in area: Area, into path: inout Path) {
    let unit = min(area.size.x, area.size.y)
    let middle = area.centre
    path.polyline(
      [middle + Point(0.24, 0) * unit, middle + Point(-0.14, 0) * unit], width: 0.085 * unit)
    path.polyline(
      [
        middle + Point(-0.04, -0.18) * unit, middle + Point(-0.22, 0) * unit,
        middle + Point(-0.04, 0.18) * unit,
      ], width: 0.085 * unit)
  }

  /// A ×: not at all.
  static func no(in area: Area, into path: inout Path) {
    let unit = min(area.size.x, area.size.y)
    cross(at: area.centre, size: 0.36 * unit, width: 0.09 * unit, into: &path)
  }

  /// The hands of a clock: too late.
  static func hands(in area: Area, into path: inout Path) {
    let unit = min(area.size.x, area.size.y)
    let middle = area.centre
    path.polyline(
      [
        middle + Point(0, -0.30) * unit, middle, middle + Point(0.20, 0.12) * unit,
      ], width: 0.08 * unit)
  }

  /// What stands for a button where there is no word.
  static func of(_ button: Button, in area: Area, into path: inout Path) {
    switch button {
    case .clear: turnBack(in: area, into: &path)
    case .undo: stepBack(in: area, into: &path)
    case .done, .understood: check(in: area, into: &path)
    case .cancel: no(in: area, into: &path)
    }
  }

  /// The × at the start of the line.
  static func cross(at centre: Point, size: Float, width: Float, into path: inout Path) {
    let arm = size / 2
    path.polyline([centre + Point(-arm, -arm), centre + Point(arm, arm)], width: width)
    path.polyline([centre + Point(-arm, arm), centre + Point(arm, -arm)], width: width)
  }

  /// A bar across a disc: no entry.
  static func bar(in area: Area, into path: inout Path) {
    let unit = min(area.size.x, area.size.y)
    let middle = area.centre
    path.polyline(
      [middle - Point(0.3 * unit, 0), middle + Point(0.3 * unit, 0)], width: 0.16 * unit)
  }

  /// Taylor's series suffices for a sign: the error is below 0.001 within ±π, and no libm is linked.
  private static func sine(_ angle: Float) -> Float {
    let x = angle - (angle / (2 * .pi)).rounded() * 2 * .pi
    let x2 = x * x
    return x
      * (1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72 * (1 - x2 / 110)))))
  }

  private static func cosine(_ angle: Float) -> Float { sine(angle + .pi / 2) }
}
