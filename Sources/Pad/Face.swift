/// What the pad shows besides the ink. Derived from the session's state, never stored in it.
public struct Face: Equatable, Sendable {
  /// How a button looks.
  public enum ButtonLook: Sendable {
    /// It would do nothing now.
    case faint
    /// It can be pressed.
    case plain
    /// A finger is on it.
    case pressed
  }

  /// What the pad says.
  public enum Mark: Sendable {
    /// The line to sign on.
    case invitation
    /// The signature is durably in the spool.
    case saved
    /// The signature could not be saved, or there is no room for one.
    case outOfService
  }

  /// The look of *Clear*.
  public var clear: ButtonLook
  /// The look of *Done*.
  public var done: ButtonLook
  /// What the pad says.
  public var mark: Mark

  /// The look of a button.
  public func look(of button: Button) -> ButtonLook {
    switch button {
    case .clear: clear
    case .done: done
    }
  }
}
