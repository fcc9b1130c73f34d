internal import ArgumentParser
import Configuration
import JSON

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says why a pad does not work, or that it can.",
    discussion: """
      Looks at everything that a pad needs: its configuration, the panel and who holds it, the \
      touchscreens, the services, what their users may do, the spool, the deliveries and the clock. \
      Changes nothing. As root it sees more: who holds a card, and what waits in the spool.

      Ends with 0 if nothing is wrong, with 78 if a configuration is, else with 69.
      """)

  @Flag(help: "As JSON, for programs.")
  var json = false

  @Option(name: [.customShort("c"), .long], help: "The pad's configuration.", completion: .file())
  var config = PadConfiguration.defaultPath

  @Option(help: "The configuration of paraph-handoff.", completion: .file())
  var handoffConfig = HandoffConfiguration.defaultPath

  func run() throws {
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

  private func show(_ diagnosis: Diagnosis) throws {
    var output = StandardOutput()
    if json {
      try output.line { $0 += diagnosis.json.bytes(.lines) }
    } else {
      for line in diagnosis.lines { try output.line(line) }
    }
    try output.flush()
    if let refusal = diagnosis.refusal { throw refusal }
  }
}
