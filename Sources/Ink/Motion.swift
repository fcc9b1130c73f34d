/// Where the hand is and how fast: millimetres from the stroke's origin, and millimetres per tick. Also a
/// change of both.
struct Motion: BitwiseCopyable, Sendable {
  var position: Point
  var velocity: Point

  static var none: Motion { Motion(.zero, .zero) }

  @inline(__always)
  init(_ position: Point, _ velocity: Point) {
    self.position = position
    self.velocity = velocity
  }

  @inline(__always)
  static func + (a: Motion, b: Motion) -> Motion {
    Motion(a.position + b.position, a.velocity + b.velocity)
  }
}
