/// An argument of a command that is no option.
public final class Operand: Sendable {
  /// How many there may be.
  public enum Count: Sendable {
    /// Exactly one.
    case one
    /// None or one.
    case optional
    /// Any number, or none.
    case any
    /// One or more.
    case several
  }

  /// The placeholder in texts, for example "FILE".
  public let name: String
  /// The number of words that it takes.
  public let count: Count
  /// The values that it takes.
  public let values: ValueKind
  /// Its meaning.
  public let help: String

  /// Describes an operand.
  public init(_ name: String, count: Count = .one, values: ValueKind = .any, _ help: String) {
    self.name = name
    self.count = count
    self.values = values
    self.help = help
  }

  /// "FILE", "[FILE]", "[FILE]..." or "FILE...".
  public var spelling: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .any: "[\(name)]..."
    case .several: "\(name)..."
    }
  }

  /// The help with the values.
  public var fullHelp: String { help + values.listed }

  var isRequired: Bool { count == .one || count == .several }
  var isRepeatable: Bool { count == .any || count == .several }
}
