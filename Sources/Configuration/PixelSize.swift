/// A width and a height of a picture.
public struct PixelSize: Equatable, Sendable {
  /// In pixels.
  public var width: Int, height: Int

  /// Both in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
