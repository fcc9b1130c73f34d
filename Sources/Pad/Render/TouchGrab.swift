internal import Linux

/// Whether the touchscreen is the pad's alone, as the render thread wants it: while the pad is not visible,
/// touches belong to what is shown in its place. Belongs to the render thread.
final class TouchGrab {
  private let main: Mailbox<MainMessage>
  /// The input thread starts with its devices grabbed.
  private var isWanted = true

  init(_ main: Mailbox<MainMessage>) { self.main = main }

  /// Notifies the main thread of a change.
  func want(_ isWanted: Bool) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    main.post(.grabsTouch(isWanted))
  }
}
