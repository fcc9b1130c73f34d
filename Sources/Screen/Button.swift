/// A button of the pad.
public enum Button: CaseIterable, Sendable {
  /// Erases the ink.
  case clear
  /// Removes the last stroke.
  case undo
  /// Submits the signature.
  case done
  /// Ends the request without a signature.
  case cancel
  /// Acknowledges a message.
  case understood
}
