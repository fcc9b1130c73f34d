public import Ink
public import Spool

/// A client's request to the pad.
public enum ControlRequest: Equatable, Sendable {
  /// Show a request. Answered by `.refused`, or by `.state` events and the event that ends it.
  case open(PadRequest)
  /// End the request with this number if it is open. The request's own end answers it.
  case cancel(Int64)
  /// End the request with this number if it is open and has no ink. Answered by `.inkStays` if it has some.
  case cancelWithoutInk(Int64, client: Int)
  /// Delete the journal's copy of this signature: its client has read it, or no client asks for it any more.
  case forget(String)
  /// Start or stop sending `.ink` events. A start first sends `.wiped` and all ink of now.
  case watchInk(Bool)
  /// Press a button for this client. Answered by `.pressed`.
  case press(Button, Int)
  /// Bring the pad to the front for this client, and keep it there. Answered by `.foreground`.
  case bringToFront(Int)
  /// Return the panel to the other side for this client. Answered by `.foreground`.
  case sendToBack(Int)
  /// List the input devices anew if the list is old: a client has read it.
  case refreshDevices
  /// Take a screenshot, and answer `.screenshot`. `allowsInk`: also while there is ink on the glass.
  case takeScreenshot(allowsInk: Bool)
  /// Keep a part of a page for its client. Answered by `.pagePut`.
  case putPage(PagePart)
  /// Discard the document that this client has uploaded.
  case discardDocument(Int)

  /// A button that a client can press. The raw value is its name in the interface.
  public enum Button: String, Sendable {
    /// Save the signature.
    case done
    /// Remove all ink.
    case clear
  }
}

/// A client's request to a person: to sign, to read a message, or to answer a question.
public struct PadRequest: Equatable, Sendable {
  /// The kinds of requests.
  public enum Kind: Equatable, Sendable {
    /// A signature.
    case signature
    /// Reading a message.
    case message
    /// Answering a question.
    case question
  }

  /// The answer that is wanted.
  public var kind: Kind
  /// Counts requests from 1.
  public var number: Int64
  /// The client's reference for the manifest.
  public var reference: String?
  /// The requester; nil: unknown.
  public var requester: Requester?
  /// One line.
  public var title: String?
  /// The prompt, the message or the question. Nil: the pad's own prompt.
  public var text: String?
  /// What the person reads before signing; nil: nothing.
  public var document: RequestDocument?
  /// The answers to a question: two to four.
  public var choices: [String] = []
  /// The language tag of the texts.
  public var language: String?
  /// Nanoseconds from the moment it is shown; nil: no limit, or the configured one.
  public var timeLimit: Int64?
  /// The end of its time limit, CLOCK_MONOTONIC; nil before it is shown, and without a limit.
  public var deadline: Int64?
  /// Whether it has a button: *Cancel*, or *OK* below a message.
  public var hasButton = false

  /// Creates a request without texts.
  public init(_ kind: Kind, number: Int64) {
    self.kind = kind
    self.number = number
  }

  /// The end of a request that its client or the pad has given up.
  public func givenUp(by canceller: ControlEvent.Canceller) -> ControlEvent {
    kind == .message
      ? .messageGone(number, acknowledged: false, by: canceller)
      : .cancelled(number, by: canceller)
  }
}

/// The pad's message to its clients.
public enum ControlEvent: Equatable, Sendable {
  /// The pad's state changed. `request` is the open request, `deadline` the end of its time limit (CLOCK_MONOTONIC).
  /// `.reading`, `.saved`, `.cancelled` and `.timedOut` have events of their own.
  case state(PadState, request: Int64?, deadline: Int64?)
  /// The person reads a page of the open request's document, from 1. `deadline`: as of `.state`.
  case reading(Int64, page: Int, deadline: Int64?)
  /// The answer to this client's `.putPage`; nil: the part is kept.
  case pagePut(Int, DocumentProblem?)
  /// The request was refused.
  case refused(Int64, Refusal)
  /// There is no panel for a request of an earlier start, for this reason. The request stays, for its client to ask
  /// again.
  case unavailable(Int64, String)
  /// The signature is in the spool, on the disk. Without a request, it was signed in stand-alone mode.
  case signed(Int64?, SavedSignature)
  /// The request was cancelled.
  case cancelled(Int64, by: Canceller)
  /// The answer to this client's `.cancelWithoutInk`: the request has ink, and stays open.
  case inkStays(Int64, client: Int)
  /// The time limit of the request passed.
  case timedOut(Int64)
  /// The message disappeared. `acknowledged`: its button was pressed. `by`: who removed it before; nil: nobody did.
  case messageGone(Int64, acknowledged: Bool, by: Canceller? = nil)
  /// The question was answered. `choice` counts from 0.
  case answered(Int64, choice: Int)
  /// Ink drawn since the last event.
  case ink([InkStep])
  /// The answer to this client's `.press`; false: the button was not enabled, or the ink too short for *Done*.
  case pressed(Int, Bool)
  /// The answer to `.takeScreenshot`.
  case screenshot(Screenshot)
  /// The answer to this client's `.bringToFront` or `.sendToBack`.
  case foreground(Int, Switch)

  /// The result of a change of the foreground.
  public enum Switch: Equatable, Sendable {
    /// The pad is in front, or it does not keep the panel any longer.
    case done
    /// A request is open.
    case busy
    /// The pad does not share its panel.
    case notShared
    /// The other side does not release the panel; the reason is for clients.
    case outOfService(String)
  }

  /// A screenshot, or why there is none.
  public enum Screenshot: Equatable, Sendable {
    /// The picture as PNG.
    case png([UInt8])
    /// There is ink on the glass, which clients must not see.
    case inkNotAllowed
    /// Nothing of the pad is visible; the reason is for clients.
    case outOfService(String)
  }

  /// Why a request was refused.
  public enum Refusal: Equatable, Sendable {
    /// Another request is open.
    case busy
    /// Signatures cannot be saved. The reason is empty if the pad's session does not know it.
    case outOfService(String)
    /// The text of this parameter does not fit the panel; `limit` code points of it do.
    case tooLong(String, limit: Int)
    /// Its document cannot be shown.
    case badDocument(DocumentProblem)
  }

  /// The party that cancelled a request.
  public enum Canceller: String, Sendable {
    /// The person at the pad.
    case person
    /// A client, by Cancel or by disconnecting.
    case program
    /// The pad, because it ended, or because another panel has no font for the question.
    case pad
  }

  /// A change of the ink.
  public enum InkStep: Equatable, Sendable {
    /// A stroke begins.
    case begins(Sample)
    /// The stroke continues.
    case goesOn(Sample)
    /// The stroke continues after lost reports.
    case goesOnAfterGap(Sample)
    /// The stroke ends.
    case ends
    /// The last stroke was removed.
    case undone
    /// All ink was removed.
    case wiped
  }
}

/// The state of the pad. The raw value is its name in the interface.
public enum PadState: String, Sendable {
  /// No request is open.
  case idle
  /// A document is shown before a signature.
  case reading
  /// The pad asks for a signature, and there is no ink yet.
  case invited
  /// There is ink on the glass.
  case signing
  /// *Done* was pressed; the signature is being saved.
  case confirming
  /// The signature is in the spool, on the disk.
  case saved
  /// The request was cancelled.
  case cancelled
  /// The time limit passed without a signature.
  case timedOut = "timed_out"
  /// A message is shown.
  case message
  /// A question is shown.
  case question
  /// Signatures cannot be saved.
  case outOfService = "out_of_service"
}
