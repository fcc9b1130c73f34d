/// What can be pressed on the pad.
public enum Button: CaseIterable, Sendable {
  /// Wipes the ink.
  case clear
  /// Sends the signature.
  case done
}
