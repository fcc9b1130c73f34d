internal import Linux

/// Whether the touchscreen is the pad's alone, as the render thread wants it: while the pad is not visible,
/// touches belong to what is shown in its place. Belongs to the render thread.
final class TouchGrab {
  private let news: Mailbox<PadNews>
  /// The input thread starts with its devices grabbed.
  private var isWanted = true

  init(_ news: Mailbox<PadNews>) { self.news = news }

  /// Notifies the main thread of a change.
  func want(_ isWanted: Bool) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    news.post(.grabsTouch(isWanted))
  }
}
