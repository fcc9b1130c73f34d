/// The state of everything shown besides the ink, derived from the session's state.
public struct ViewState: Equatable, Sendable {
  /// How a button looks.
  public enum ButtonState: Sendable {
    /// Pressing it has no effect.
    case disabled
    /// It can be pressed.
    case normal
    /// A finger is on it.
    case pressed
  }

  /// The page that is shown.
  public enum Page: Sendable {
    /// Nothing: no signature is requested.
    case idle
    /// A page of a document.
    case reading
    /// The line to sign on.
    case invitation
    /// A message.
    case message
    /// A question with its choices.
    case question
    /// The signature is durably in the spool.
    case saved
    /// The request was cancelled.
    case cancelled
    /// The time limit of the request has passed.
    case timedOut
    /// The signature could not be saved, or the spool has no room.
    case outOfService

    /// Whether the page shows the buttons of its layout.
    public var hasButtons: Bool {
      switch self {
      case .reading, .invitation, .message, .question: true
      case .idle, .saved, .cancelled, .timedOut, .outOfService: false
      }
    }
  }

  /// The state of *Clear*.
  public var clear: ButtonState
  /// The state of *Undo*.
  public var undo: ButtonState
  /// The state of *Done*.
  public var done: ButtonState
  /// The state of *Cancel*.
  public var cancel: ButtonState
  /// The state of *OK*.
  public var understood: ButtonState
  /// The page that is shown.
  public var page: Page
  /// Whether the signature is being saved.
  public var isSaving: Bool
  /// Whether a submitted signature had too little ink.
  public var isTooShort: Bool
  /// Whole seconds until the time limit; nil: no limit.
  public var secondsLeft: Int?
  /// The request whose words are shown; nil: the pad's own.
  public var request: Int64?
  /// Whether clients watch the ink.
  public var isMirrored: Bool
  /// The choice of a question under a finger; nil: none.
  public var pressedChoice: Int?

  /// The page of a document, and the buttons below it; nil: none is shown.
  public var reading: Reading?
  /// The state of *Document*.
  public var document: ButtonState

  /// What is shown of a document.
  public struct Reading: Equatable, Sendable {
    /// The page, from 0.
    public var page: Int
    /// The height of what is scrolled out above, in millimetres.
    public var offset: Float
    /// The buttons' states.
    public var back, forward, sign: ButtonState

    /// A page with its buttons.
    public init(
      page: Int, offset: Float, back: ButtonState, forward: ButtonState, sign: ButtonState
    ) {
      (self.page, self.offset) = (page, offset)
      (self.back, self.forward, self.sign) = (back, forward, sign)
    }
  }

  /// The state of each button, the page, and what the page says.
  public init(
    clear: ButtonState, undo: ButtonState, done: ButtonState, cancel: ButtonState,
    understood: ButtonState, page: Page, isSaving: Bool, isTooShort: Bool, secondsLeft: Int?,
    request: Int64?, isMirrored: Bool = false, pressedChoice: Int? = nil,
    document: ButtonState = .disabled, reading: Reading? = nil
  ) {
    self.clear = clear
    self.undo = undo
    self.done = done
    self.cancel = cancel
    self.understood = understood
    self.page = page
    self.isSaving = isSaving
    self.isTooShort = isTooShort
    self.secondsLeft = secondsLeft
    self.request = request
    self.isMirrored = isMirrored
    self.pressedChoice = pressedChoice
    self.document = document
    self.reading = reading
  }

  /// The state of a button.
  public func state(of button: Button) -> ButtonState {
    switch button {
    case .clear: clear
    case .undo: undo
    case .done: done
    case .cancel: cancel
    case .understood: understood
    case .back: reading?.back ?? .disabled
    case .forward: reading?.forward ?? .disabled
    case .sign: reading?.sign ?? .disabled
    case .document: document
    case .choice(let index):
      page != .question ? .disabled : pressedChoice == index ? .pressed : .normal
    }
  }
}
