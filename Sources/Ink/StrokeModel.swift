/// From the samples of a stroke to its ink. One face over all models; none of them allocates, waits
/// or reads a clock.
public struct StrokeModel: Sendable {
  /// The models, by the name that the configuration and the tool use.
  public enum Kind: String, CaseIterable, Sendable {
    /// Paraph's own: through the reports once the panel's noise is out of them; thinner when faster.
    case ductus
    /// Five shapes over parallel Béziers (Uber Engineering, 2017), as published.
    case uberSignature
    /// Quadratic curves between the middles of touches, as wide as the hand is slow (Harwig, 2012).
    case velocityStrip
    /// Straight lines of one width (Steinkopf, 2012): the baseline.
    case polyline

    /// Whether its ink is as wide as a `WidthLaw` says, and not as was published.
    public var followsLaw: Bool { self == .ductus }

    /// What is drawn with unless something else is asked for.
    public static let standard = Kind.ductus
  }

  /// Which model this is.
  public let kind: Kind
  /// Nanoseconds by which the tail runs ahead of the hand, where the model predicts: up to a frame of
  /// 60 Hz; 0: not at all. Predicted ink is never finalised.
  public var prediction: Int64 = 0
  // Side by side and not in an enum, whose payload would be copied out and back for every sample.
  private var ductus: Ductus
  private var uberSignature = UberSignature()
  private var velocityStrip = VelocityStrip()
  private var polyline = Polyline()

  /// A model that has seen nothing.
  ///
  /// - Parameter law: How wide the ink of a model is that has no widths of its own.
  public init(_ kind: Kind = .standard, law: WidthLaw = .standard) {
    self.kind = kind
    ductus = Ductus(law)
  }

  /// The first sample of a stroke. `ink.provisional` is replaced, `ink.finalised` appended to.
  public mutating func begin(at sample: Sample, into ink: inout StrokeInk) {
    switch kind {
    case .ductus: ductus = Ductus(ductus.law)
    case .uberSignature: uberSignature = UberSignature()
    case .velocityStrip: velocityStrip = VelocityStrip()
    case .polyline: polyline = Polyline()
    }
    extend(to: sample, into: &ink)
  }

  /// The next sample. `ink.provisional` is replaced, `ink.finalised` appended to. A sample without a
  /// place (NaN, infinity) changes nothing.
  public mutating func extend(to sample: Sample, into ink: inout StrokeInk) {
    guard let sample = sample.plausible else { return }
    switch kind {
    case .ductus:
      let ahead = prediction > 0 ? Float(prediction) / ReportClock.tick : 0
      ductus.extend(to: sample, ahead: ahead, into: &ink)
    case .uberSignature: uberSignature.extend(to: sample, into: &ink)
    case .velocityStrip: velocityStrip.extend(to: sample, into: &ink)
    case .polyline: polyline.extend(to: sample, into: &ink)
    }
  }

  /// The stroke is over: the tail becomes final, and nothing is provisional.
  public mutating func end(into ink: inout StrokeInk) {
    switch kind {
    case .ductus: ductus.end(into: &ink)
    case .uberSignature: uberSignature.end(into: &ink)
    case .velocityStrip: velocityStrip.end(into: &ink)
    case .polyline: polyline.end(into: &ink)
    }
  }

  /// Appends the closed shapes of several segments that this kind of model made.
  public static func outline(
    of segments: borrowing RigidArray<Segment>, by kind: Kind, into path: inout Path
  ) {
    guard kind == .ductus else { return outlineEach(of: segments, by: kind, into: &path) }
    for index in 0..<segments.count { Ductus.outline(of: segments[index], into: &path) }
  }

  /// With a copy of each, for which the standard model shall not make room.
  @inline(never)
  private static func outlineEach(
    of segments: borrowing RigidArray<Segment>, by kind: Kind, into path: inout Path
  ) {
    for index in 0..<segments.count { outline(of: segments[index], by: kind, into: &path) }
  }

  /// Appends the closed shape of a segment that this kind of model made.
  public static func outline(of segment: Segment, by kind: Kind, into path: inout Path) {
    switch kind {
    case .ductus: Ductus.outline(of: segment, into: &path)
    case .uberSignature: UberSignature.outline(of: segment, into: &path)
    case .velocityStrip: VelocityStrip.outline(of: segment, into: &path)
    case .polyline: Polyline.outline(of: segment, into: &path)
    }
  }
}
