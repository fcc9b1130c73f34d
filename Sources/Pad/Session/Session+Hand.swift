internal import Screen

extension Session {
  /// What a contact that is down does.
  enum Hand: Equatable, Sendable {
    case none
    case inking
    case pressing(Button, inside: Bool)
    /// It came down where or when nothing can be done, or what it belonged to is over.
    case ignored
  }
}
