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
    /// Nothing: nobody is asked for anything.
    case idle
    /// The line to sign on.
    case invitation
    /// A message.
    case message
    /// The signature is durably in the spool.
    case saved
    /// The request was cancelled.
    case cancelled
    /// Nobody signed in time.
    case timedOut
    /// The signature could not be saved, or there is no room for one.
    case outOfService
  }

  /// The look of *Clear*.
  public var clear: ButtonLook
  /// The look of *Undo*.
  public var undo: ButtonLook
  /// The look of *Done*.
  public var done: ButtonLook
  /// The look of *Cancel*.
  public var cancel: ButtonLook
  /// The look of *OK*.
  public var understood: ButtonLook
  /// What the pad says.
  public var mark: Mark
  /// The signature is being saved.
  public var isSaving: Bool
  /// What was sent was not enough ink for a signature.
  public var isTooShort: Bool
  /// Whole seconds until the time limit, where there is one.
  public var secondsLeft: Int?
  /// The request whose words are shown; nil: the pad's own.
  public var request: Int64?

  /// The look of a button.
  public func look(of button: Button) -> ButtonLook {
    switch button {
    case .clear: clear
    case .undo: undo
    case .done: done
    case .cancel: cancel
    case .understood: understood
    }
  }
}
