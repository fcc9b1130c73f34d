public import Ink

/// What the pad tells programs.
public enum ControlEvent: Equatable, Sendable {
  /// The pad does something else now. `request` is the open request, `limit` its time limit by
  /// CLOCK_MONOTONIC. Not sent for saved, cancelled and timed out: those have events of their own.
  case state(PadState, request: Int64?, limit: Int64?)
  /// A request cannot be taken.
  case refused(Int64, Refusal)
  /// A signature is durably in the spool; without a request, somebody signed in stand-alone mode.
  case signed(Int64?, SavedSignature)
  /// A request is over.
  case cancelled(Int64, by: Canceller)
  /// Nobody signed within the time limit.
  case timedOut(Int64)
  /// A message is gone; whether its button was pressed.
  case messageGone(Int64, acknowledged: Bool)
  /// What the pad is.
  case info(PadInfo)
  /// Ink that was drawn since the last time.
  case ink([InkStep])

  /// Why a request cannot be taken.
  public enum Refusal: Equatable, Sendable {
    /// There is another one.
    case busy
    /// Signatures cannot be saved; why, where that is known.
    case outOfService(String)
    /// A text does not fit the panel: which parameter, and how many code points of it fit.
    case tooLong(String, limit: Int)
  }

  /// Who cancelled.
  public enum Canceller: String, Sendable {
    /// The one in front of the pad.
    case person
    /// By a request to cancel, or by disconnecting.
    case program
    /// The pad ends.
    case pad
  }

  /// What ink does.
  public enum InkStep: Equatable, Sendable {
    /// A stroke begins.
    case begins(Sample)
    /// It goes on.
    case goesOn(Sample)
    /// It goes on; reports were lost before.
    case goesOnAfterGap(Sample)
    /// It ends.
    case ends
    /// The last stroke was taken away.
    case undone
    /// All ink was taken away.
    case wiped
  }
}
