public import Ink

/// The strokes of a `.svc` file: handwriting of a tablet, already without what was in the air.
public struct Handwriting: Sendable, Equatable {
  /// One row.
  public struct Row: BitwiseCopyable, Sendable, Equatable {
    /// In nanoseconds.
    public var time: Int64
    /// In the tablet's units.
    public var x: Double, y: Double
    /// In the tablet's units; 0 where it has none.
    public var pressure: Double

    /// A row.
    public init(time: Int64, x: Double, y: Double, pressure: Double) {
      self.time = time
      (self.x, self.y) = (x, y)
      self.pressure = pressure
    }
  }

  /// Every stroke has at least one row.
  public var strokes: [[Row]] = []

  /// The strokes in millimetres. Pressure has no common scale in these files, so the samples have none.
  public func samples(unitsPerMillimetre units: Double) -> [[Sample]] {
    strokes.map { stroke in
      stroke.map {
        Sample(time: $0.time, position: Point(Float($0.x / units), Float($0.y / units)))
      }
    }
  }
}
