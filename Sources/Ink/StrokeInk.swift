/// What a model has to show for the last sample: segments that never change again, and the tail.
public struct StrokeInk: ~Copyable {
  /// Finalised since they were last taken. The drawing model burns them in and empties the array.
  public var finalised: RigidArray<Segment>
  /// The tail: replaced on every sample, so that ink ends where the finger is.
  public var provisional: RigidArray<Segment>

  /// Room for what one sample can yield.
  public init(capacity: Int = 64) {
    finalised = RigidArray(capacity: capacity)
    provisional = RigidArray(capacity: capacity)
  }

  /// Forgets both.
  public mutating func removeAll() {
    finalised.removeAll()
    provisional.removeAll()
  }
}
