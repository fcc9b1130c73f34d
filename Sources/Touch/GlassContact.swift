public import Ink

/// What a contact that may draw does, in millimetres on the glass: what goes from the input thread to
/// the render thread.
public struct GlassContact: BitwiseCopyable, Sendable, Equatable {
  /// What happened.
  public enum Phase: UInt8, BitwiseCopyable, Sendable {
    /// It touches.
    case down
    /// It moved, or pressed otherwise.
    case move
    /// It was lifted; the sample is the last one known.
    case up
    /// It is gone without having been lifted, or turned out not to be one that draws.
    case cancel
  }

  /// What happened.
  public var phase: Phase
  /// Events were lost before this: ink is not to be bent across.
  public var isAfterGap: Bool
  /// Of `cancel`: it never was a hand that writes (a palm, a ghost, a finger beside a pen), and what it
  /// drew is to be taken back. Otherwise what was drawn stays: the screen was unplugged, for example.
  public var isMistake: Bool
  /// The number of the contact, from 0.
  public var contact: Int32
  /// When, where, and how hard.
  public var sample: Sample

  /// One event of one contact.
  public init(
    _ phase: Phase, _ sample: Sample, contact: Int32 = 0, isAfterGap: Bool = false,
    isMistake: Bool = false
  ) {
    self.phase = phase
    self.isMistake = isMistake
    self.isAfterGap = isAfterGap
    self.contact = contact
    self.sample = sample
  }
}
