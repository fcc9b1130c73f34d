/// What the pad says by itself. The raw value is the English text, and the key of the catalogues in
/// config/locale.
public enum Word: String, CaseIterable, Sendable {
  /// Above the line to sign on, where the request brings no prompt of its own.
  case signHere = "Please sign here"
  /// Button: wipes the ink.
  case clear = "Clear"
  /// Button: takes the last stroke away.
  case undo = "Undo"
  /// Button: the signature is complete.
  case done = "Done"
  /// Button: the person does not want to sign.
  case cancel = "Cancel"
  /// Button: a message has been read.
  case understood = "OK"
  /// Before the minutes and seconds that are left to sign.
  case timeLeft = "Time left"
  /// While the signature is being saved.
  case saving = "One moment, please"
  /// The signature is saved: the first line.
  case thanks = "Thank you"
  /// The signature is saved: the second line.
  case saved = "Your signature has been saved."
  /// A dot or a slip of the finger was sent as a signature.
  case tooShort = "That was too short. Please sign again."
  /// The person or the terminal's program has cancelled.
  case cancelled = "Cancelled"
  /// Nobody signed within the time limit.
  case timedOut = "Time is up"
  /// Signatures cannot be saved at the moment: the first line.
  case outOfService = "Out of service"
  /// Signatures cannot be saved at the moment: the second line.
  case tryLater = "Please try again later."
}
