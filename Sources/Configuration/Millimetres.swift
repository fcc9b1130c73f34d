/// A width and a height on the glass.
public struct Millimetres: Equatable, Sendable {
  /// In millimetres.
  public var width: Float, height: Float

  /// Both in millimetres.
  public init(width: Float, height: Float) {
    self.width = width
    self.height = height
  }
}
