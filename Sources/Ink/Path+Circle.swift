extension Path {
  /// A circle of four cubic arcs; its radius is within 0.03 % of the true one everywhere.
  mutating func circle(around centre: Point, diameter: Float) {
    let r = diameter / 2
    // 4/3·(√2 − 1): the arc's middle lies on the circle.
    let k = r * 0.5522847
    move(to: centre + Point(r, 0))
    cubic(centre + Point(r, k), centre + Point(k, r), to: centre + Point(0, r))
    cubic(centre + Point(-k, r), centre + Point(-r, k), to: centre + Point(-r, 0))
    cubic(centre + Point(-r, -k), centre + Point(-k, -r), to: centre + Point(0, -r))
    cubic(centre + Point(k, -r), centre + Point(r, -k), to: centre + Point(r, 0))
  }
}
