/// The pad's words in one language.
public struct Words: Sendable {
  /// The language of the words.
  public let language: Language
  /// The requested language, which may have no catalogue.
  let requested: Language
  private let texts: [String]

  /// The built-in English.
  public static let english = Words(.english, requested: .english, nil)

  /// The translations of a catalogue; English for missing ones.
  init(_ language: Language, requested: Language, _ catalogue: MessageCatalogue?) {
    self.language = language
    self.requested = requested
    texts = Word.allCases.map { catalogue?[$0.rawValue] ?? $0.rawValue }
  }

  /// The text of a word.
  public subscript(word: Word) -> String {
    for (index, candidate) in Word.allCases.enumerated() where candidate == word {
      return texts[index]
    }
    return word.rawValue
  }
}

/// A text of the pad itself.
///
/// The raw value is the English text, and its key in the catalogues of config/locale.
public enum Word: String, CaseIterable, Sendable {
  /// The prompt of a request without its own.
  case signHere = "Please sign here"
  /// Button: erases the ink.
  case clear = "Clear"
  /// Button: removes the last stroke.
  case undo = "Undo"
  /// Button: submits the signature.
  case done = "Done"
  /// Button: declines to sign.
  case cancel = "Cancel"
  /// Button: acknowledges a message.
  case understood = "OK"
  /// Button: leaves a document for the line to sign on.
  case sign = "Sign"
  /// Button: shows the document again.
  case document = "Document"
  /// The number of a page of a document.
  case page = "{page} of {count}"
  /// Label of the remaining minutes and seconds.
  case timeLeft = "Time left"
  /// While the signature is being saved; a message without a text of its own.
  case oneMoment = "One moment, please"
  /// The signature is saved: the first line.
  case thanks = "Thank you"
  /// The signature is saved: the second line.
  case saved = "Your signature has been saved."
  /// The submitted ink is too short for a signature.
  case tooShort = "That was too short. Please sign again."
  /// The person or the client has cancelled.
  case cancelled = "Cancelled"
  /// The time limit has passed.
  case timedOut = "Time is up"
  /// Signatures cannot be saved at the moment: the first line.
  case outOfService = "Out of service"
  /// Signatures cannot be saved at the moment: the second line.
  case tryLater = "Please try again later."
}
