/// Which mode of a connector to set.
public enum DisplayMode: Equatable, Sendable {
  /// The panel's own.
  case preferred
  /// The one of this size; of several, the one nearest to `refresh` in hertz, or the panel's choice.
  case size(PixelSize, refresh: Double?)
}
