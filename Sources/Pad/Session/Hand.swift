internal import Screen

/// The role of the contact that is down.
enum Hand: Equatable, Sendable {
  case none
  case inking
  /// It scrolls or turns a page of a document.
  case reading
  case pressing(Button, inside: Bool)
  /// It came down where or when nothing is possible, or what it belonged to is over.
  case ignored

  /// Ignores the contact until it is lifted: what it belonged to is over.
  mutating func release() { if self != .none { self = .ignored } }
}
