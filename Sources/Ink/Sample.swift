/// A position on the glass, or a vector, in millimetres.
///
/// The origin is top left, x points right, y down.
public typealias Point = SIMD2<Float>

extension Point {
  /// The vector's length; it does not overflow within the panel's range.
  @inlinable public var length: Float { (x * x + y * y).squareRoot() }

  /// The vector turned by 90° clockwise as seen on the glass (y down).
  @inlinable public var normal: Point { Point(-y, x) }
  /// The vector turned by 90° anticlockwise as seen on the glass (y down).
  @inline(__always) var left: Point { Point(y, -x) }

  /// Whether both elements are zero. The library's `==` is a loop over the elements.
  @inline(__always) var isZero: Bool { x == 0 && y == 0 }

  /// The scalar product.
  @inline(__always) func dot(_ other: Point) -> Float { x * other.x + y * other.y }
}

/// A point of a stroke: the drawing contact in one report of the touchscreen.
public struct Sample: BitwiseCopyable, Sendable, Equatable {
  /// Nanoseconds of CLOCK_MONOTONIC, as the kernel stamped the report.
  public var time: Int64
  /// Millimetres on the glass.
  public var position: Point
  /// 0…1, or negative if the device does not measure pressure.
  public var pressure: Float

  /// Creates a sample, by default without pressure.
  @inlinable public init(time: Int64, position: Point, pressure: Float = -1) {
    self.time = time
    self.position = position
    self.pressure = pressure
  }
}

/// The samples of one stroke, as the panel reported them.
public struct Stroke: Equatable, Sendable {
  /// The samples in the order of time; never empty in a signature.
  public var samples: [Sample]
  /// Indices of samples before which reports were lost. Ink does not cross such a gap.
  public var gaps: [Int]

  /// Creates a stroke from samples, by default without gaps.
  public init(_ samples: [Sample], gaps: [Int] = []) {
    self.samples = samples
    self.gaps = gaps
  }

  /// The length of the line through the samples, in millimetres.
  ///
  /// Skips gaps, samples whose position is not finite, and distances that overflow a `Float`.
  public var length: Float {
    var length: Float = 0
    var cursor = GapCursor(gaps)
    var last: Point?
    for (index, sample) in samples.enumerated() {
      if cursor.isGap(before: index) { last = nil }
      let position = sample.position
      guard position.x.isFinite, position.y.isFinite else { continue }
      if let last {
        let distance = (position - last).length
        if distance.isFinite { length += distance }
      }
      last = position
    }
    return length
  }

  /// Returns the stroke as it lies after the glass was turned by multiples of 90°.
  ///
  /// Pass it to `DrawingModel.redraw` when a device changes between portrait and landscape.
  ///
  /// - Parameters:
  ///   - quarters: The number of 90° turns, positive clockwise; any value.
  ///   - glass: Width and height of the glass before the turn, in millimetres.
  public func turned(clockwise quarters: Int, on glass: Point) -> Stroke {
    var stroke = self
    for index in stroke.samples.indices {
      let position = samples[index].position
      stroke.samples[index].position =
        switch quarters & 3 {
        case 1: Point(glass.y - position.y, position.x)
        case 2: glass - position
        case 3: Point(position.y, glass.x - position.x)
        default: position
        }
    }
    return stroke
  }
}

/// Finds a stroke's gaps while a loop visits its samples in order.
///
/// The whole loop costs one step for each sample and each gap.
public struct GapCursor: Sendable {
  /// Ascending.
  private let gaps: [Int]
  private var next = 0

  /// Creates a cursor over gaps in any order.
  public init(_ gaps: [Int]) {
    // A recorded stroke lists them in order: do not copy them.
    let isAscending = zip(gaps, gaps.dropFirst()).allSatisfy { $0 <= $1 }
    self.gaps = isAscending ? gaps : gaps.sorted()
  }

  /// Returns whether reports were lost before a sample. Indices must not descend from call to call.
  public mutating func isGap(before index: Int) -> Bool {
    while next < gaps.count, gaps[next] < index { next += 1 }
    return next < gaps.count && gaps[next] == index
  }
}
