internal import Touch

/// Sends the ink from the render thread to the journal in batches. Belongs to the render thread.
final class JournalFeed {
  private let ring: ContactRing
  /// The weight of the steps since the save thread was woken; the begin or end of a stroke weighs a batch.
  private var pending = 0

  private static let batch = 8

  init(into ring: ContactRing) { self.ring = ring }

  /// Records a step. Allocates nothing and wakes no thread.
  func record(_ step: GlassContact) {
    ring.push(step)
    pending += step.phase == .move ? 1 : JournalFeed.batch
  }

  /// Wakes the save thread for a full batch. Called after the frame, which must not wait for it.
  func wakeReader() {
    guard pending >= JournalFeed.batch else { return }
    pending = 0
    ring.wake()
  }
}
