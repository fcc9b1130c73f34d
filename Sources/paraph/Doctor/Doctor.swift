import Commands
import Configuration
import JSON
import Linux

struct Doctor: Runnable {
  static var command: Command {
    Command(
      "doctor", "Diagnose why a pad does not work.",
      discussion: [
        "Checks configuration, panel and the program that holds it, touchscreens, services, their users' "
          + "permissions, spool, deliveries and clock. Changes nothing. Run it as root to include the program that "
          + "holds a card and the contents of the spool."
      ],
      options: [
        Option(flag: "json", "Print JSON, for programs."),
        Option(
          "config", short: "c", value: "FILE", values: .file([]),
          default: PadConfiguration.defaultPath,
          "Read the pad's configuration from FILE."),
        Option(
          "handoff-config", value: "FILE", values: .file([]),
          default: HandoffConfiguration.defaultPath,
          "Read the configuration of paraph-handoff from FILE."),
      ],
      examples: [Command.Example("sudo paraph doctor", "Find out what keeps a pad from working.")],
      exitCodes: [
        Command.ExitCode(0, "Nothing is wrong."), Command.ExitCode(69, "Something is wrong."),
        Command.ExitCode(78, "A configuration is wrong."),
      ])
  }

  private let isJSON: Bool
  private let config: String
  private let handoffConfig: String

  init(_ arguments: Arguments) throws(UsageError) {
    isJSON = arguments.has("json")
    config = arguments.value("config") ?? PadConfiguration.defaultPath
    handoffConfig = arguments.value("handoff-config") ?? HandoffConfiguration.defaultPath
  }

  func run() throws(ToolError) {
    let settings = DoctorSettings(pad: config, handoff: handoffConfig)
    let pad = ServiceUnit("paraphd.service")
    let handoff = ServiceUnit("paraph-handoff.service")
    let panel = PanelCheck(settings.pad.display)
    let touch = TouchCheck(settings.pad.touch, on: panel.location)
    var diagnosis = Diagnosis()
    diagnosis.add(settings.findings)
    diagnosis.add(settings.examined(on: panel.glass))
    diagnosis.add(panel.findings)
    diagnosis.add(touch.findings)
    diagnosis.add(pad.findings + pad.newer(config, reloads: false))
    diagnosis.add(handoff.findings + handoff.newer(handoffConfig, reloads: true))
    diagnosis.add(
      PermissionCheck(
        settings, pad: pad, handoff: handoff, devices: panel.nodes + touch.nodes
      ).findings)
    diagnosis.add(SpoolCheck(settings.pad.spool, isSealing: settings.pad.seal.isActive).findings)
    diagnosis.add(DeliveryCheck(settings).findings)
    diagnosis.add(ClockCheck().findings)
    try show(diagnosis)
  }

  private func show(_ diagnosis: Diagnosis) throws(ToolError) {
    var output = StandardOutput()
    if isJSON {
      try output.line { $0 += diagnosis.json.bytes(.lines) }
    } else {
      for line in diagnosis.lines { try output.line(line.printable) }
    }
    try output.flush()
    if let refusal = diagnosis.refusal { throw refusal }
  }
}

/// All findings and the resulting exit code.
struct Diagnosis {
  private(set) var findings: [Finding] = []

  mutating func add(_ found: [Finding]) { findings += found }

  func findings(in area: Finding.Area) -> [Finding] { findings.filter { $0.area == area } }

  var wrong: [Finding] { findings.filter { $0.verdict == .wrong } }

  /// The findings as lines of text, by area.
  var lines: [String] {
    Finding.Area.allCases.flatMap { area in
      let found = findings(in: area)
      return found.isEmpty ? [] : [area.rawValue] + found.flatMap { $0.lines }
    }
  }

  var json: JSONValue {
    .object([
      ("verdict", .text(wrong.isEmpty ? "ok" : "wrong")),
      ("findings", .array(findings.map { $0.json })),
    ])
  }

  /// The error of the exit code; nil if nothing is wrong.
  var refusal: ToolError? {
    guard let first = wrong.first else { return nil }
    let isConfiguration = wrong.contains { $0.area == .configuration }
    let more = wrong.count == 1 ? "" : ", and \(wrong.count - 1) more"
    // Without deliveries the pad still accepts signatures.
    let what =
      wrong.allSatisfy { $0.area == .delivery }
      ? "signatures are not delivered" : "the pad cannot work"
    return ToolError(
      isConfiguration ? .config : .unavailable, "\(what): \(first.text)\(more)")
  }
}

/// The result of a check.
struct Finding {
  /// The severity.
  enum Verdict: String {
    /// The checked thing works.
    case right = "ok"
    /// Information only.
    case fact
    /// The pad works with a restriction.
    case note
    /// The pad does not work, or signatures are not delivered.
    case wrong
  }

  /// The areas in the order of the output.
  enum Area: String, CaseIterable {
    case configuration, panel, touchscreen, service, permissions, spool, delivery, clock
  }

  let area: Area
  let verdict: Verdict
  /// One line.
  let text: String
  /// The remedy; nil: none.
  let advice: String?
  /// Additional members of the JSON output.
  let details: [(String, JSONValue)]

  init(
    _ area: Area, _ verdict: Verdict, _ text: String, advice: String? = nil,
    details: [(String, JSONValue)] = []
  ) {
    self.area = area
    self.verdict = verdict
    self.text = text
    self.advice = advice
    self.details = details
  }

  /// A finding that no device of the area exists.
  static func noDevice(_ area: Area, _ text: String) -> Finding {
    Finding(
      area, .wrong, text,
      advice: "check that the \(area.rawValue)'s driver is loaded: dmesg shows the kernel's log")
  }

  /// The finding as lines of text.
  var lines: [String] {
    let mark =
      switch verdict {
      case .right: "ok   "
      case .fact: "     "
      case .note: "note "
      case .wrong: "WRONG"
      }
    let line = "  \(mark)  \(text)"
    return advice.map { [line, "         → \($0)"] } ?? [line]
  }

  /// The finding as JSON.
  var json: JSONValue {
    .object(
      [
        ("area", .text(area.rawValue)), ("verdict", .text(verdict.rawValue)),
        ("text", .text(text)), ("advice", .text(advice)),
      ] + details)
  }
}

/// Checks the clock, which only dates the manifests.
struct ClockCheck {
  let findings: [Finding]

  init() { self.init(now: WallClock.now, isSynchronized: WallClock.isSynchronized) }

  /// 2025-01-01. A board without a battery starts in 1970, or at its image's date.
  private static let plausible: Int64 = 1_735_689_600_000_000_000

  init(now: Int64, isSynchronized: Bool) {
    let details: [(String, JSONValue)] = [
      ("time", .text(WallClock.text(now))), ("synchronized", .flag(isSynchronized)),
    ]
    let finding: Finding =
      if now < Self.plausible {
        Finding(
          .clock, .wrong, "the clock is wrong: signatures would be dated \(WallClock.text(now))",
          advice: "set the clock: timedatectl, a time server, or a battery for the RTC",
          details: details)
      } else if !isSynchronized {
        Finding(
          .clock, .note, "\(WallClock.text(now)), not synchronised; manifests record that",
          advice: "timedatectl set-ntp yes, if there is a network", details: details)
      } else {
        Finding(.clock, .right, "\(WallClock.text(now)), synchronised", details: details)
      }
    findings = [finding]
  }
}
