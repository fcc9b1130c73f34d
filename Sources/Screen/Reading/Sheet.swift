/// A page of a document, ready to be painted.
public enum Sheet: Sendable {
  /// The lines of a text at their positions on the glass.
  case text(Lines)
  /// A picture that is as wide as the area of the pages.
  case picture(PagePicture)

  /// Lines of text.
  public final class Lines: Sendable {
    let lines: [PlacedText]

    init(_ lines: [PlacedText]) { self.lines = lines }
  }

  static func text(_ lines: [PlacedText]) -> Sheet { .text(Lines(lines)) }

  /// The memory of a picture, in bytes.
  public var size: Int { if case .picture(let picture) = self { picture.size } else { 0 } }

  /// Whether both are the same page, not only equal ones.
  static func === (a: Sheet, b: Sheet) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)): a === b
    case (.picture(let a), .picture(let b)): a === b
    default: false
    }
  }
}
