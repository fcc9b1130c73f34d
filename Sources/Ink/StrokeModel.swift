/// From the samples of a stroke to its ink. One face over four models; none of them allocates, waits
/// or reads a clock.
public struct StrokeModel: Sendable {
  /// The models, by the name that the configuration and the tool use.
  public enum Kind: String, CaseIterable, Sendable {
    /// Five shapes over parallel Béziers (Uber Engineering, 2017), as published.
    case uberSignature
    /// Straight lines of one width (Steinkopf, 2012): the baseline.
    case polyline
  }

  private enum State: Sendable {
    case uberSignature(UberSignature)
    case polyline(Polyline)
  }

  /// Which model this is.
  public let kind: Kind
  private var state: State

  /// A model that has seen nothing.
  public init(_ kind: Kind) {
    self.kind = kind
    switch kind {
    case .uberSignature: state = .uberSignature(UberSignature())
    case .polyline: state = .polyline(Polyline())
    }
  }

  /// The first sample of a stroke. `ink.provisional` is replaced, `ink.finalised` appended to.
  public mutating func begin(at sample: Sample, into ink: inout StrokeInk) {
    self = StrokeModel(kind)
    extend(to: sample, into: &ink)
  }

  /// The next sample. `ink.provisional` is replaced, `ink.finalised` appended to.
  public mutating func extend(to sample: Sample, into ink: inout StrokeInk) {
    switch state {
    case .uberSignature(var model):
      model.extend(to: sample, into: &ink)
      state = .uberSignature(model)
    case .polyline(var model):
      model.extend(to: sample, into: &ink)
      state = .polyline(model)
    }
  }

  /// The stroke is over: the tail becomes final, and nothing is provisional.
  public mutating func end(into ink: inout StrokeInk) {
    switch state {
    case .uberSignature(var model):
      model.end(into: &ink)
      state = .uberSignature(model)
    case .polyline(var model):
      model.end(into: &ink)
      state = .polyline(model)
    }
  }

  /// Appends the closed shape of a segment that this kind of model made.
  public static func outline(of segment: Segment, by kind: Kind, into path: inout Path) {
    switch kind {
    case .uberSignature: UberSignature.outline(of: segment, into: &path)
    case .polyline: Polyline.outline(of: segment, into: &path)
    }
  }
}
