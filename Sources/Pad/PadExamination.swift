public import Configuration
public import Ink
internal import Linux
internal import Screen
internal import Text
internal import Touch

/// Checks the pad's configuration, for `--check-config`, `paraph doctor`, the start and a reload.
public struct PadExamination {
  /// The problems, in the order of the lines.
  public private(set) var problems: [ConfigurationProblem]

  private let origin: ConfigurationOrigin
  private let triesSealing: Bool

  /// Checks the files, devices, users and fonts that it names.
  ///
  /// - Parameters:
  ///   - glass: The panel's size in millimetres; nil: the configured size, if any.
  ///   - triesSealing: Whether to have paraph-seal try the recipients' certificates, and the pad's key unless it is in a
  ///     token.
  public init(
    _ configuration: PadConfiguration, glass: Point? = nil, triesSealing: Bool = false
  ) {
    self.triesSealing = triesSealing
    origin = configuration.origin
    problems = ThemeValidator(configuration, glass: glass, read: PictureFile.read).problems
    examine(configuration, glass: glass ?? configuration.display.glasses.first)
    examine(configuration.touch)
    examine(configuration.display)
    examine(configuration.text)
    examine(configuration.control)
    examine(seal: configuration)
    examine(sign: configuration)
    if let path = configuration.pad.slides, let reason = PathCheck.folder(path) {
      add(.warning, "pad", "slides", "\(reason): no pictures are shown")
    }
    if !configuration.pad.staysInFront, configuration.pad.invitesAlways {
      add(
        .warning, "pad", "foreground",
        "with invite = always, people can sign only while a program asks: use invite = request")
    }
    if let flaw = PathCheck.makeable(configuration.spool.path) {
      add(flaw.severity, "spool", "path", "\(flaw.reason): signatures cannot be saved")
    }
    problems = problems.sortedByPlace
  }

  private mutating func add(
    _ severity: ConfigurationProblem.Severity, _ section: String, _ key: String, _ reason: String
  ) {
    problems.append(origin.problem(severity, section, key, reason))
  }

  /// Checks the ink and the signature's files.
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
        "the model \(model.rawValue) ignores the width: use model = default")
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
      add(
        .warning, "display", "backlight",
        "unknown backlight \(name): it is not switched off until it exists")
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
    if let path = text.notes, let reason = PathCheck.folder(of: path) {
      add(.warning, "text", "notes", "\(reason): no notes are shown")
    }
    guard let language = Language(text.language), language.isPlausible else {
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

  private mutating func examine(seal configuration: PadConfiguration) {
    let (seal, signature) = (configuration.seal, configuration.signature)
    guard seal.isActive else { return }
    if triesSealing {
      for flaw in Sealing.trial(seal) { add(.warning, "seal", "recipients", flaw) }
    } else {
      for path in seal.recipients {
        if let flaw = RecipientFile.flaw(of: path) {
          add(.warning, "seal", "recipients", "\(path): \(flaw): the pad is out of service")
        }
      }
    }
    if !seal.sealsPicture, !signature.svg, !signature.inkml, !signature.json {
      add(
        .warning, "seal", "recipients",
        "nothing is sealed: set picture = yes, or [signature] formats with json, svg or inkml")
    }
    if seal.sealsPicture, configuration.display.picture != nil {
      add(
        .error, "display", "picture",
        "is an unsealed picture of the ink: remove it, or [seal] picture")
    }
    if seal.hidesInk, configuration.control.watchStrokes {
      add(
        .warning, "control", "watch-strokes",
        "clients see no ink, which is sealed: set [seal] replies = plain to show it")
    }
    if let path = seal.service, let reason = PathCheck.missing(path) {
      add(.warning, "seal", "service", "\(reason): the pad is out of service")
    }
  }

  private mutating func examine(sign configuration: PadConfiguration) {
    guard let path = configuration.sign.certificate else { return }
    if triesSealing {
      if let flaw = Signing.trial(configuration) { add(.warning, "sign", "certificate", flaw) }
    } else if let flaw = RecipientFile.flaw(of: path) {
      add(.warning, "sign", "certificate", "\(path): \(flaw): the pad is out of service")
    }
    if let key = configuration.sign.keyFile, let reason = PathCheck.missing(key) {
      add(.warning, "sign", "key", "\(reason): the pad is out of service")
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
      add(.error, "control", "owner", "unknown user \(owner)")
    }
    if let group = control.group, Account.group(group) == nil {
      add(.error, "control", "group", "unknown group \(group)")
    }
    for user in control.users where Account.user(user) == nil {
      add(.warning, "control", "users", "unknown user \(user)")
    }
  }
}

/// Compares the configuration file with the running configuration, for a reload (SIGHUP).
///
/// Only a start applies changes: threads, panel and sockets are created once. Certificates are read again at once.
struct ReloadedConfiguration {
  /// The files of the recipients' certificates, to be read again with the pad's own; nil: nothing is sealed or signed, or
  /// the file cannot be used.
  private(set) var recipients: [String]?
  /// The lines for the log.
  private(set) var lines: [(priority: StandardError.Priority, text: String)] = []

  init(of running: PadConfiguration) {
    let file = running.origin.file
    do throws(ConfigurationError) {
      let read = try PadConfiguration(reading: file, models: Appliance.modelNames)
      let problems = PadExamination(read).problems
      add(problems)
      if problems.areFatal {
        keep(file)
      } else {
        let seals = read.seal.isActive && running.seal.isActive
        if seals { recipients = read.seal.recipients }
        if !seals, running.sign.certificate != nil { recipients = [] }
        compare(read.origin, running.origin, applying: seals ? ["[seal] recipients"] : [])
      }
    } catch {
      add(error.problems)
      keep(file)
    }
  }

  /// - Parameter applied: Changes that are applied at once.
  private mutating func compare(
    _ new: ConfigurationOrigin, _ old: ConfigurationOrigin, applying applied: [String]
  ) {
    let keys = new.changes(since: old).filter { !applied.contains($0) }.joined(separator: ", ")
    add(
      .notice,
      keys.isEmpty
        ? "\(new.file): no changes"
        : "\(new.file): changed \(keys); run systemctl restart paraphd to apply")
  }

  private mutating func keep(_ file: String) {
    add(.error, "\(file): cannot be used; the pad keeps its running configuration")
  }

  private mutating func add(_ problems: [ConfigurationProblem]) {
    for problem in problems { add(problem.severity == .error ? .error : .warning, problem.text) }
  }

  private mutating func add(_ priority: StandardError.Priority, _ text: String) {
    lines.append((priority, "config: " + text))
  }
}
