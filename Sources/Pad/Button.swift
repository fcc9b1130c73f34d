/// What can be pressed on the pad.
public enum Button: CaseIterable, Sendable {
  /// Wipes the ink.
  case clear
  /// Takes the last stroke away.
  case undo
  /// Sends the signature.
  case done
  /// Ends the request without a signature.
  case cancel
  /// A message has been read.
  case understood
}
