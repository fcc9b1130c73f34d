import Commands
import Configuration
import JSON

struct Doctor: Runnable {
  static var command: Command {
    Command(
      "doctor", "Diagnose why a pad does not work.",
      discussion: [
        "Examines everything that a pad needs: configuration, panel and who holds it, touchscreens, services, "
          + "permissions of their users, spool, deliveries and clock. Changes nothing. As root it sees more: "
          + "which program holds a card, and what waits in the spool."
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
    let panel = PanelExamination(settings.pad.display)
    let touch = TouchExamination(settings.pad.touch, on: panel.location)
    var diagnosis = Diagnosis()
    diagnosis.add(settings.findings)
    diagnosis.add(settings.examined(on: panel.glass))
    diagnosis.add(panel.findings)
    diagnosis.add(touch.findings)
    diagnosis.add(pad.findings + pad.newer(config, reloads: false))
    diagnosis.add(handoff.findings + handoff.newer(handoffConfig, reloads: true))
    diagnosis.add(
      PermissionExamination(
        settings, pad: pad, handoff: handoff, devices: panel.nodes + touch.nodes
      ).findings)
    diagnosis.add(SpoolExamination(settings.pad.spool).findings)
    diagnosis.add(DeliveryExamination(settings).findings)
    diagnosis.add(ClockExamination().findings)
    try show(diagnosis)
  }

  private func show(_ diagnosis: Diagnosis) throws(ToolError) {
    var output = StandardOutput()
    if isJSON {
      try output.line { $0 += diagnosis.json.bytes(.lines) }
    } else {
      for line in diagnosis.lines { try output.line(line) }
    }
    try output.flush()
    if let refusal = diagnosis.refusal { throw refusal }
  }
}
