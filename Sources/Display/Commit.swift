internal import Raster

/// Changes what a CRTC shows, in the way that its driver accepts.
final class Commit {
  private let atomic: AtomicCommit?
  private let legacy: LegacyCommit
  private var series: LightSeries

  /// Reads the properties of all that a commit sets.
  init(
    _ card: Card, survey: CardSurvey, pipeline: Pipeline, _ choice: CommitChoice
  ) throws(DisplayError) {
    var atomic: AtomicCommit?
    if choice != .legacy {
      do throws(DisplayError) {
        atomic = try AtomicCommit(card, survey: survey, pipeline: pipeline)
      } catch {
        guard choice == .automatic, error.isRepairable else { throw error }
      }
    }
    self.atomic = atomic
    legacy = try LegacyCommit(card, survey: survey, pipeline: pipeline)
    series = LightSeries(LightAttempt.all(choice, isAtomic: atomic != nil))
  }

  private var current: AtomicCommit? { series.next == .legacy ? nil : atomic }

  /// Whether commits are atomic.
  var isAtomic: Bool { current != nil }

  /// Whether flips carry damage.
  var takesDamage: Bool { current?.takesDamage ?? false }

  /// Shows a framebuffer in the pipeline's mode: what a former user may have left behind is undone with
  /// it. Blocks until it is so.
  func light(_ framebuffer: UInt32) throws(DisplayError) {
    try series.run { attempt throws(DisplayError) in
      switch attempt {
      case .atomic(let darkensOthers, let resetsColour):
        try atomic?.light(
          framebuffer, darkensOthers: darkensOthers, resetsColour: resetsColour)
      case .legacy: try legacy.light(framebuffer)
      }
    }
  }

  /// Shows a framebuffer from the next vblank on, of which `damage` changed. An event with `serial`
  /// tells when. Never blocks.
  func flip(
    to framebuffer: UInt32, damage: PixelRegion, serial: UInt64
  ) throws(DisplayError) -> FlipOutcome {
    do throws(DisplayError) {
      if let current {
        try current.flip(to: framebuffer, damage: damage, serial: serial)
      } else {
        try legacy.flip(to: framebuffer, serial: serial)
      }
      return .accepted
    } catch {
      if error.isBusy { return .busy }
      throw error
    }
  }

  /// Switches the panel's light and signal off, until `light`.
  func darken() throws(DisplayError) {
    if let current { try current.darken() } else { try legacy.darken() }
  }
}

/// What became of a flip.
enum FlipOutcome {
  /// An event will come.
  case accepted
  /// An older commit is not done yet (EBUSY).
  case busy
}
