/// What the pad is doing, as programs are told. The raw value is the name in the interface.
public enum PadState: String, Sendable {
  /// Nobody is asked for anything.
  case idle
  /// The person is asked to sign, and has not begun.
  case invited
  /// There is ink on the glass.
  case signing
  /// *Done* was pressed; the signature is being saved.
  case confirming
  /// The signature is durably in the spool.
  case saved
  /// The request was cancelled.
  case cancelled
  /// Nobody signed within the time limit.
  case timedOut = "timed_out"
  /// A message is shown.
  case message
  /// Signatures cannot be saved.
  case outOfService = "out_of_service"
}
