public import Configuration
public import Ink
internal import Linux
internal import Screen
internal import Text
internal import Touch

/// Everything that can be told of the pad's configuration before it runs: the one examination of
/// `--check-config`, `paraph doctor`, the start and a reload.
public struct PadExamination {
  /// The problems, in the order of the lines.
  public private(set) var problems: [ConfigurationProblem]

  private let origin: ConfigurationOrigin

  /// Looks at the files, devices, users and fonts that it names.
  ///
  /// - Parameter glass: The panel's size in millimetres, where it is known; nil: what the configuration
  ///   says of it, if it says anything.
  public init(_ configuration: PadConfiguration, glass: Point? = nil) {
    origin = configuration.origin
    problems = ThemeValidator(configuration, glass: glass, read: PictureFile.read).problems
    examine(configuration, glass: glass ?? configuration.display.glasses.first)
    examine(configuration.touch)
    examine(configuration.display)
    examine(configuration.text)
    examine(configuration.control)
    if let flaw = PathCheck.makeable(configuration.spool.path) {
      add(flaw.severity, "spool", "path", "\(flaw.reason): no signature can be saved")
    }
    problems = problems.sorted { $0.line < $1.line }
  }

  private mutating func add(
    _ severity: ConfigurationProblem.Severity, _ section: String, _ key: String, _ reason: String
  ) {
    problems.append(origin.problem(severity, section, key, reason))
  }

  /// The ink, and the signature's files.
  private mutating func examine(_ configuration: PadConfiguration, glass: Point?) {
    let model = StrokeModel.Kind(configuration.ink)
    let drawing = SignatureDrawing(
      wishes: configuration.signature, model: model, theme: Theme(configuration))
    if let glass, let problem = drawing.sizeProblem(on: glass, panel: nil) {
      add(.error, "signature", "dpi", problem)
    }
    if configuration.ink.width != nil, !model.followsLaw {
      add(
        .error, "ink", "width",
        "the model \(model.rawValue) has its own widths: take model = default")
    }
  }

  private mutating func examine(_ touch: TouchConfiguration) {
    if let path = touch.recording {
      do throws(RecordingError) { _ = try Recording(contentsOf: path) } catch {
        add(.error, "touch", "recording", error.text)
      }
    } else if case .path(let path) = touch.device, let reason = PathCheck.missing(path) {
      add(.warning, "touch", "device", "\(reason): the pad waits for it")
    }
  }

  private mutating func examine(_ display: DisplayConfiguration) {
    if case .path(let path) = display.card, let reason = PathCheck.missing(path) {
      add(.warning, "display", "card", "\(reason): the pad waits for it")
    }
    if case .named(let name) = display.backlight, display.card != .memory,
      PathCheck.missing("/sys/class/backlight/\(name)") != nil
    {
      add(.warning, "display", "backlight", "there is no lamp \(name): none is switched off")
    }
    if let path = display.picture, let reason = PathCheck.folder(of: path) {
      add(.warning, "display", "picture", "\(reason): the picture is not kept")
    }
  }

  private mutating func examine(_ text: TextConfiguration) {
    for (key, fonts) in [
      ("font", text.font.map { [$0] } ?? []), ("fallback-fonts", text.fallbackFonts),
    ] {
      for font in fonts {
        if let flaw = FontStack.flaw(of: font) {
          add(.warning, "text", key, "\(flaw.path): \(flaw.reason): it is not used")
        }
      }
    }
    guard let language = Language(text.language), language.canBe else {
      return add(
        .warning, "text", "language",
        "unknown language \"\(text.language)\": a tag such as en, de or pt-BR; English is shown")
    }
    let catalogues = CatalogueFolder(text.catalogues) { _ in }
    if let reason = catalogues.flaw(of: language) {
      add(
        .warning, "text", "language",
        "no words in \"\(language.tag)\" (\(reason)): English is shown")
    }
  }

  private mutating func examine(_ control: ControlConfiguration) {
    switch control.socket {
    case .none: return
    case .automatic: break
    case .path(let path):
      if let reason = PathCheck.folder(of: path) { add(.error, "control", "socket", reason) }
    }
    if let owner = control.owner, Account.user(owner) == nil {
      add(.error, "control", "owner", "there is no user \(owner)")
    }
    if let group = control.group, Account.group(group) == nil {
      add(.error, "control", "group", "there is no group \(group)")
    }
    for user in control.users where Account.user(user) == nil {
      add(.warning, "control", "users", "there is no user \(user)")
    }
  }
}
