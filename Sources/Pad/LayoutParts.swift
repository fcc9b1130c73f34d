/// What a layout has room for.
public struct LayoutParts: Equatable, Sendable {
  /// A button that takes the last stroke away.
  public var undo: Bool
  /// A button that ends the request.
  public var cancel: Bool
  /// The time that is left.
  public var countdown: Bool
  /// A message instead of the line to sign on; whether it has a button.
  public var message: MessageButton
  /// Lines start at the right.
  public var rightToLeft: Bool
  /// How wide the buttons must be for their words, in millimetres and in their order; empty: alike.
  public var buttonWidths: [Float] = []

  /// Whether a message is shown, and with which button.
  public enum MessageButton: Sendable {
    /// No message: a signature.
    case signature
    /// A message that goes by itself.
    case none
    /// A message with *OK*.
    case understood
  }

  /// Without any: *Clear* and *Done* for a signature.
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
