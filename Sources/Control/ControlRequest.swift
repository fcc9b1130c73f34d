/// What programs want of the pad.
public enum ControlRequest: Equatable, Sendable {
  /// Ask the person to sign. Answered by `.refused`, `.signed`, `.cancelled` or `.timedOut`, and by
  /// `.state` in between.
  case sign(SignRequest)
  /// Show a message. Answered by `.refused` or `.messageGone`.
  case show(MessageRequest)
  /// End a request or a message, if it is still open; the number is that of its request. It is
  /// answered as the request itself.
  case cancel(Int64)
  /// Say what the pad is. Answered by `.info`.
  case describe
  /// Who asked for the signature of this id has it, or does not want it any more: it need not be kept for a
  /// restart.
  case forget(String)
  /// Begin or end to report ink as it is drawn, by `.ink`.
  case watchInk(Bool)
}

/// A signature that is asked for.
public struct SignRequest: Equatable, Sendable {
  /// Counts requests; answers name it.
  public var number: Int64
  /// For the manifest only.
  public var reference: String?
  /// One line.
  public var title: String?
  /// Up to three lines.
  public var prompt: String?
  /// A language tag.
  public var language: String?
  /// In nanoseconds; nil: as configured.
  public var timeLimit: Int64?
  /// Whether there is a button *Cancel*.
  public var cancellable = false

  /// A request without words of its own.
  public init(number: Int64) { self.number = number }
}

/// A message that is to be shown.
public struct MessageRequest: Equatable, Sendable {
  /// Counts requests; answers name it.
  public var number: Int64
  /// One line.
  public var title: String?
  /// Up to three lines.
  public var text: String
  /// A language tag.
  public var language: String?
  /// In nanoseconds.
  public var timeLimit: Int64
  /// Whether there is a button *OK*.
  public var button = false

  /// A message; `timeLimit` in nanoseconds.
  public init(number: Int64, text: String, timeLimit: Int64) {
    self.number = number
    self.text = text
    self.timeLimit = timeLimit
  }
}
