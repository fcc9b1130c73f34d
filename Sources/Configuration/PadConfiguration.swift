/// The configuration of paraphd: /etc/paraph/paraphd.conf. Every key has a default.
public struct PadConfiguration: Equatable, Sendable {
  /// The section `[touch]`.
  public var touch: TouchConfiguration
  /// The section `[display]`.
  public var display: DisplayConfiguration
  /// The section `[theme]`.
  public var theme: ThemeConfiguration
  /// The section `[ink]`.
  public var ink: InkConfiguration
  /// The section `[signature]`.
  public var signature: SignatureConfiguration
  /// The section `[text]`.
  public var text: TextConfiguration
  /// The section `[pad]`.
  public var pad: SessionConfiguration
  /// The section `[control]`.
  public var control: ControlConfiguration
  /// The section `[seal]`.
  public var seal: SealConfiguration
  /// The section `[sign]`.
  public var sign: SignConfiguration
  /// The section `[spool]`.
  public var spool: SpoolConfiguration
  /// The lines of the values.
  public let origin: ConfigurationOrigin

  /// The default path of the file.
  public static let defaultPath = "/etc/paraph/paraphd.conf"

  /// Reads a file. `models` are the valid names of `[ink] model` besides "default".
  public init(reading path: String, models: [String]) throws(ConfigurationError) {
    try self.init(ConfigurationReader(try Document.read(path)), models: models)
  }

  /// Parses a text. `file` is the name for problems.
  public init(_ text: String, file: String, models: [String]) throws(ConfigurationError) {
    let document = Document.parse([UInt8](text.utf8), file: file)
    try self.init(ConfigurationReader(document), models: models)
  }

  init(_ reader: ConfigurationReader, models: [String]) throws(ConfigurationError) {
    touch = TouchConfiguration(reader.section("touch"))
    display = DisplayConfiguration(reader.section("display"))
    theme = ThemeConfiguration(reader.section("theme"))
    ink = InkConfiguration(
      reader.section("ink"), models: models, defaultColour: theme.colours.ink)
    signature = SignatureConfiguration(reader.section("signature"))
    text = TextConfiguration(reader.section("text"))
    pad = SessionConfiguration(reader.section("pad"))
    control = ControlConfiguration(reader.section("control"))
    seal = SealConfiguration(reader.section("seal"))
    sign = SignConfiguration(reader.section("sign"))
    spool = SpoolConfiguration(reader.section("spool"))
    origin = reader.origin
    try reader.finish()
  }
}
