/// Where the hand is and how fast: millimetres from the stroke's origin, and millimetres per tick.
struct Motion: BitwiseCopyable, Sendable {
  /// Position and velocity in one vector, so that what is done to both is done once.
  var numbers: SIMD4<Float>

  @inline(__always) init(_ numbers: SIMD4<Float>) { self.numbers = numbers }

  @inline(__always)
  init(_ position: Point, _ velocity: Point) {
    numbers = SIMD4(lowHalf: position, highHalf: velocity)
  }

  var position: Point { @inline(__always) get { numbers.lowHalf } }
  var velocity: Point { @inline(__always) get { numbers.highHalf } }

  /// Some ticks later, if nothing happens.
  @inline(__always)
  func after(_ ticks: Float) -> Motion { Motion(position + velocity * ticks, velocity) }

  /// A vector twice, for position and for velocity.
  @inline(__always)
  static func both(_ vector: Point) -> SIMD4<Float> { SIMD4(lowHalf: vector, highHalf: vector) }

  /// A factor for the position and one for the velocity.
  @inline(__always)
  static func gains(_ position: Float, _ velocity: Float) -> SIMD4<Float> {
    SIMD4(position, position, velocity, velocity)
  }
}
