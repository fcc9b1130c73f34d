/// How a text looks.
public struct TextStyle: Sendable, Equatable {
  /// An em in millimetres; a capital letter is 0.7 of it.
  public var size: Float
  /// By how much stems grow, in ems: 0 regular, 0.03 bold.
  public var bold: Float
  /// What language the text is in.
  public var language: Language

  /// A style.
  public init(size: Float, bold: Float = 0, language: Language) {
    self.size = size
    self.bold = bold
    self.language = language
  }
}
