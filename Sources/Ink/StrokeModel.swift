/// Turns the samples of a stroke into ink, segment by segment.
///
/// One interface to all models. A sample causes no allocation, no waiting and no clock access.
public struct StrokeModel: Sendable {
  /// The models, by their names in the configuration and the tool.
  public enum Kind: String, CaseIterable, Sendable {
    /// Paraph's own: a spline through the denoised samples, thinner where the hand is faster.
    case ductus
    /// Five shapes over parallel Béziers (Uber Engineering, 2017), as published.
    case uberSignature
    /// Quadratic curves between the middles of touches, wider where the hand is slower (Harwig, 2012).
    case velocityStrip
    /// Straight lines of one width (Steinkopf, 2012): the baseline.
    case polyline

    /// Whether a `WidthLaw` sets the width of the ink, and not the publication.
    public var followsLaw: Bool { self == .ductus }

    /// The default model.
    public static let standard = Kind.ductus
  }

  /// The kind of this model.
  public let kind: Kind
  /// Nanoseconds by which the tail precedes the hand; 0 turns prediction off.
  ///
  /// The limit is a frame at 60 Hz. Predicted ink is never finalised. Only `Kind.ductus` predicts.
  public var prediction: Int64 = 0
  // Side by side: the payload of an enum would be copied out and back for every sample.
  private var ductus: Ductus
  private var uberSignature = UberSignature()
  private var velocityStrip = VelocityStrip()
  private var polyline = Polyline()

  /// Creates a model without a stroke.
  ///
  /// - Parameter law: The width of the ink, for the kinds whose `followsLaw` is true.
  public init(_ kind: Kind = .standard, law: WidthLaw = .standard) {
    self.kind = kind
    ductus = Ductus(law)
  }

  /// Starts a stroke. Replaces `ink.provisional` and appends to `ink.finalised`.
  public mutating func begin(at sample: Sample, into ink: inout StrokeInk) {
    switch kind {
    case .ductus: ductus = Ductus(ductus.law)
    case .uberSignature: uberSignature = UberSignature()
    case .velocityStrip: velocityStrip = VelocityStrip()
    case .polyline: polyline = Polyline()
    }
    extend(to: sample, into: &ink)
  }

  /// Adds a sample. Replaces `ink.provisional` and appends to `ink.finalised`.
  ///
  /// Ignores a sample whose position is NaN or infinite.
  public mutating func extend(to sample: Sample, into ink: inout StrokeInk) {
    guard let sample = sample.clamped else { return }
    guard kind == .ductus else { return extendOther(to: sample, into: &ink) }
    let lookahead = prediction > 0 ? ReportClock.ticks(UInt64(prediction)) : 0
    ductus.extend(to: sample, lookahead: lookahead, into: &ink)
  }

  /// Not inlined: otherwise the default model would execute instructions for the other models.
  @inline(never)
  private mutating func extendOther(to sample: Sample, into ink: inout StrokeInk) {
    switch kind {
    case .ductus: break
    case .uberSignature: uberSignature.extend(to: sample, into: &ink)
    case .velocityStrip: velocityStrip.extend(to: sample, into: &ink)
    case .polyline: polyline.extend(to: sample, into: &ink)
    }
  }

  /// Ends the stroke: finalises the tail and leaves nothing provisional.
  public mutating func end(into ink: inout StrokeInk) {
    switch kind {
    case .ductus: ductus.end(into: &ink)
    case .uberSignature: uberSignature.end(into: &ink)
    case .velocityStrip: velocityStrip.end(into: &ink)
    case .polyline: polyline.end(into: &ink)
    }
  }

  /// Appends the closed outlines of segments that a model of this kind made.
  ///
  /// Optimised for speed even in the boards' builds, which are optimised for size: all shapes are
  /// inlined and no register is saved.
  @_optimize(speed)
  public static func outline(
    of segments: borrowing RigidArray<Segment>, by kind: Kind, into path: inout Path
  ) {
    guard kind == .ductus else { return outlineEach(of: segments, by: kind, into: &path) }
    for index in 0..<segments.count { path.add(segments[index]) }
  }

  /// Not inlined: the default model would reserve stack for a copied segment.
  @inline(never)
  private static func outlineEach(
    of segments: borrowing RigidArray<Segment>, by kind: Kind, into path: inout Path
  ) {
    for index in 0..<segments.count { outline(of: segments[index], by: kind, into: &path) }
  }

  /// Appends the closed outline of a segment that a model of this kind made.
  public static func outline(of segment: Segment, by kind: Kind, into path: inout Path) {
    switch kind {
    case .ductus: path.add(segment)
    case .uberSignature: UberSignature.outline(of: segment, into: &path)
    case .velocityStrip: VelocityStrip.outline(of: segment, into: &path)
    case .polyline: Polyline.outline(of: segment, into: &path)
    }
  }
}

extension Sample {
  /// The farthest position from the origin, in millimetres: a kilometre.
  private static var farthest: Float { 1_000_000 }

  /// The sample with clamped values; nil if its position is not finite.
  ///
  /// No panel exceeds the limits (1 km, 73 years of uptime). Within them neither squares nor differences
  /// overflow.
  @inline(__always)
  fileprivate var clamped: Sample? {
    let (x, y) = (position.x, position.y)
    let limit = Sample.farthest
    var sample = self
    // The negation is true for NaN too.
    if !(abs(x) <= limit && abs(y) <= limit) {
      guard x.isFinite, y.isFinite else { return nil }
      sample.position = Point(min(max(x, -limit), limit), min(max(y, -limit), limit))
    }
    sample.time = min(max(time, -1 << 61), 1 << 61)
    sample.pressure = pressure >= 0 ? min(pressure, 1) : -1
    return sample
  }
}

/// The ink of a stroke since the last sample: finalised segments and the tail.
public struct StrokeInk: ~Copyable {
  /// Segments that never change again. The drawing model adds them to the page and empties the array.
  public var finalised: RigidArray<Segment>
  /// The tail, replaced with each sample, so that ink ends at the finger.
  public var provisional: RigidArray<Segment>

  /// Allocates memory; the default suffices for the ink of one sample.
  public init(capacity: Int = 64) {
    finalised = RigidArray(capacity: capacity)
    provisional = RigidArray(capacity: capacity)
  }

  /// Removes all segments.
  public mutating func removeAll() {
    finalised.removeAll()
    provisional.removeAll()
  }

  /// Replaces the tail by one segment.
  mutating func setTail(_ segment: Segment) {
    provisional.removeAll()
    provisional.append(segment)
  }

  /// Moves the tail to the finalised ink.
  mutating func finaliseTail() {
    for index in 0..<provisional.count { finalised.append(provisional[index]) }
    provisional.removeAll()
  }
}

/// The width of ink by the hand's speed: the faster, the thinner.
///
/// Follows UberSignature, but in mm/s. It is anchored at that app's screen with 60 touches per second and
/// 163 points per inch: there `max(0, 50 − d)·0.1 + 2` and the outline stroke of 1 pt yield ink from 8 pt at
/// rest to 3 pt at 3000 pt/s (467 mm/s). Other widths are reached at the same speeds.
public struct WidthLaw: BitwiseCopyable, Equatable, Sendable {
  /// The narrowest and the widest ink, in millimetres.
  public let narrowest, widest: Float
  /// The diameter of a dot.
  ///
  /// It lies between both as UberSignature's 7 pt do: 3 pt of radius and the outline stroke.
  let dot: Float
  /// The millimetres by which 1 mm per tick narrows ink.
  private let slope: Float

  /// UberSignature's widths.
  public static let standard = WidthLaw(
    narrowest: 3 * UberSignature.pointSize, widest: 8 * UberSignature.pointSize)
  /// The speed from which ink is narrowest, in mm per tick: 3000 pt/s.
  private static let fastest = 30 * UberSignature.pointSize

  /// Creates a law from the narrowest and the widest ink, in millimetres.
  public init(narrowest: Float, widest: Float) {
    self.narrowest = narrowest
    self.widest = widest
    dot = narrowest + 0.8 * (widest - narrowest)
    slope = (widest - narrowest) / WidthLaw.fastest
  }

  /// The width in millimetres at a speed in mm per tick.
  ///
  /// A pressure of 0.5 changes nothing; other pressures change the width by up to 35 %.
  @inline(__always)
  func width(speed: Float, pressure: Float) -> Float {
    let width = max(widest - speed * slope, narrowest)
    guard pressure >= 0 else { return width }
    return min(max(width * (0.65 + 0.7 * pressure), narrowest), widest)
  }
}
