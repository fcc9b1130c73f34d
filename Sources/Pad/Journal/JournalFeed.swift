internal import Touch

/// What the ink does, on its way from the render thread to the save thread, which need not wake at every
/// report. Belongs to the render thread.
final class JournalFeed {
  private let ring: ContactRing
  /// Of the steps that the save thread was not woken for; a beginning or an end counts as a batch.
  private var pending = 0

  private static let batch = 8

  init(into ring: ContactRing) { self.ring = ring }

  /// Allocates nothing, and wakes nobody.
  func note(_ step: GlassContact) {
    ring.push(step)
    pending += step.phase == .move ? 1 : JournalFeed.batch
  }

  /// Wakes the save thread if there is enough for it. To be called after the frame: it must not wait for
  /// the waking.
  func wakeReader() {
    guard pending >= JournalFeed.batch else { return }
    pending = 0
    ring.wake()
  }
}
