/// The pad's words in one language.
public struct Words: Sendable {
  /// What they are in.
  public let language: Language
  /// The language that was asked for; English answers for those that have no catalogue.
  let asked: Language
  private let texts: [String]

  /// The built-in English.
  public static let english = Words(.english, asked: .english, nil)

  /// Translations from a catalogue; English where one is missing.
  init(_ language: Language, asked: Language, _ catalogue: MessageCatalogue?) {
    self.language = language
    self.asked = asked
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
