import Ink

extension Path {
  /// A line with round ends.
  mutating func pen(from a: Point, to b: Point, width: Float) {
    let way = b - a
    let length = way.length
    let along = (length > 0 ? way / length : Point(1, 0)) * (width / 2)
    let across = along.normal
    // 4/3·(√2 − 1): a quarter of a circle as a cubic.
    let k: Float = 0.5522847
    move(to: a - across)
    line(to: b - across)
    cubic(b - across + along * k, b + along - across * k, to: b + along)
    cubic(b + along + across * k, b + across + along * k, to: b + across)
    line(to: a + across)
    cubic(a + across - along * k, a - along + across * k, to: a - along)
    cubic(a - along - across * k, a - across - along * k, to: a - across)
  }
}
