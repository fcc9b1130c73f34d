/// The optional parts of a layout.
public struct LayoutParts: Equatable, Sendable {
  /// Whether there is a button *Undo*.
  public var undo: Bool
  /// Whether there is a button *Cancel*.
  public var cancel: Bool
  /// Whether the remaining time is shown.
  public var countdown: Bool
  /// Whether a message replaces the line to sign on, and its button.
  public var message: MessageButton
  /// Whether text runs from right to left.
  public var rightToLeft: Bool
  /// The minimum width of each button in order, in millimetres; empty: equal widths.
  public var buttonWidths: [Float] = []

  /// Whether a layout is for a message, and its button.
  public enum MessageButton: Sendable {
    /// Not a message: a signature.
    case signature
    /// A message without a button, which ends by itself.
    case none
    /// A message with *OK*.
    case understood
  }

  /// By default, a signature with *Clear* and *Done*.
  public init(
    undo: Bool = false, cancel: Bool = false, countdown: Bool = false,
    message: MessageButton = .signature, rightToLeft: Bool = false
  ) {
    self.undo = undo
    self.cancel = cancel
    self.countdown = countdown
    self.message = message
    self.rightToLeft = rightToLeft
  }
}
