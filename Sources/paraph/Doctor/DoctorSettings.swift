import Configuration
import Ink
import JSON
import Linux
import Pad

/// Both configurations as the daemons read them; one that cannot be used has its defaults here, so that the
/// rest can be looked at.
struct DoctorSettings {
  let pad: PadConfiguration
  /// Nil where handoff's cannot be used.
  let handoff: HandoffConfiguration?
  let findings: [Finding]

  init(pad padPath: String, handoff handoffPath: String) {
    var findings: [Finding] = []
    var isPadRead = true
    do throws(ConfigurationError) {
      pad = try PadConfiguration(reading: padPath)
      findings.append(Finding(.configuration, .right, padPath))
    } catch {
      findings += DoctorSettings.refusals(error)
      isPadRead = false
      pad = DoctorSettings.defaults
    }
    if FileStatus.isMissing(handoffPath) {
      findings.append(
        Finding(
          .configuration, .note, "\(handoffPath) is not there: signatures stay in the spool",
          advice: "install paraph-handoff, or carry them away yourself"))
      self.findings = findings
      handoff = nil
      return
    }
    do throws(ConfigurationError) {
      let read = try HandoffConfiguration(reading: handoffPath)
      let sinks = read.sinks.map { $0.name }
      findings.append(
        Finding(
          .configuration, .right, "\(handoffPath): delivers to \(sinks.joined(separator: ", "))",
          details: [("sinks", .array(sinks.map { .text($0) }))]))
      handoff = read
    } catch {
      findings += DoctorSettings.refusals(error)
      handoff = nil
    }
    if let handoff, isPadRead, handoff.spool != pad.spool.path {
      findings.append(
        Finding(
          .configuration, .wrong,
          "paraphd publishes in \(pad.spool.path), and paraph-handoff looks in \(handoff.spool)",
          advice: "give both the same path in [spool]"))
    }
    self.findings = findings
  }

  /// What the daemons would say of their configurations when they start.
  ///
  /// - Parameter glass: In millimetres; nil: only what the configuration says of it is known.
  func examined(on glass: Point?) -> [Finding] {
    let problems =
      PadExamination(pad, glass: glass).problems
      + (handoff.map { HandoffExamination($0).problems } ?? [])
    return problems.map { DoctorSettings.finding($0) }
  }

  private static func refusals(_ error: ConfigurationError) -> [Finding] {
    error.problems.map { finding($0) }
  }

  private static func finding(_ problem: ConfigurationProblem) -> Finding {
    Finding(.configuration, problem.severity == .error ? .wrong : .note, problem.text)
  }

  private static var defaults: PadConfiguration {
    do throws(ConfigurationError) { return try .defaults() } catch {
      preconditionFailure("the defaults are refused: \(error.lines)")
    }
  }
}
