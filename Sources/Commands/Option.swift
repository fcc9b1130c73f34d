/// An option of a command.
public final class Option: Sendable {
  /// The long name, without dashes.
  public let name: String
  /// The letter, without a dash.
  public let short: Unicode.Scalar?
  /// The placeholder of the value, for example "FILE"; nil: the option takes no value.
  public let value: String?
  /// The values that it takes.
  public let values: ValueKind
  /// Its effect: sentences in the imperative.
  public let help: String
  /// The value without the option, as the help shows it.
  public let defaultValue: String?
  /// Whether the command is refused without it.
  public let isRequired: Bool
  /// Whether all of its values count; otherwise the last one does.
  public let isRepeatable: Bool

  /// An option without a value.
  public init(flag name: String, short: Unicode.Scalar? = nil, _ help: String) {
    self.name = name
    self.short = short
    self.help = help
    (value, values, defaultValue, isRequired, isRepeatable) = (nil, .any, nil, false, false)
  }

  /// An option with a value.
  public init(
    _ name: String, short: Unicode.Scalar? = nil, value: String, values: ValueKind = .any,
    default defaultValue: String? = nil, isRequired: Bool = false, isRepeatable: Bool = false,
    _ help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.values = values
    self.help = help
    self.defaultValue = defaultValue
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
  }

  /// "--output FILE".
  public var longSpelling: String { "--\(name)" + (value.map { " \($0)" } ?? "") }

  /// "-o", or nothing.
  var shortSpelling: String? { short.map { "-\($0)" } }

  /// The help with what follows from the other properties.
  public var fullHelp: String {
    var text = help
    if isRequired { text += " Required." }
    if isRepeatable { text += " Can be repeated." }
    text += values.listed
    if let defaultValue { text += " Default: \(defaultValue)." }
    return text
  }
}
