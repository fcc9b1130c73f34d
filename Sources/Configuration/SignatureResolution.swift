/// How finely a finished signature is drawn.
public enum SignatureResolution: Equatable, Sendable {
  /// Dots per inch.
  case dpi(Int)
  /// As fine as the panel showed it.
  case panel
}
