import Configuration
import Ink
import JSON
import Linux
import Pad

/// The configurations of both daemons. An invalid one is replaced by the defaults for the other checks.
struct DoctorSettings {
  let pad: PadConfiguration
  /// Nil if the configuration of paraph-handoff is missing or invalid.
  let handoff: HandoffConfiguration?
  let findings: [Finding]

  init(pad padPath: String, handoff handoffPath: String) {
    var findings: [Finding] = []
    var isPadRead = true
    do throws(ConfigurationError) {
      pad = try PadConfiguration(reading: padPath)
      findings.append(Finding(.configuration, .right, pad.origin.summary))
    } catch {
      findings += DoctorSettings.refusals(error)
      isPadRead = false
      pad = DoctorSettings.defaults
    }
    if FileStatus.isMissing(handoffPath) {
      findings.append(
        Finding(
          .configuration, .note, "\(handoffPath) does not exist: signatures stay in the spool",
          advice: "install paraph-handoff, or copy signatures with paraph spool export"))
      self.findings = findings
      handoff = nil
      return
    }
    do throws(ConfigurationError) {
      let read = try HandoffConfiguration(reading: handoffPath)
      let sinks = read.sinks.map { $0.name }
      findings.append(
        Finding(
          .configuration, .right,
          "\(read.origin.summary): delivers to \(sinks.joined(separator: ", "))",
          details: [("sinks", .array(sinks.map { .text($0) }))]))
      handoff = read
    } catch {
      findings += DoctorSettings.refusals(error)
      handoff = nil
    }
    if let handoff, isPadRead, !FileStatus.areSame(handoff.spool, pad.spool.path) {
      findings.append(
        Finding(
          .configuration, .wrong,
          "paraphd publishes in \(pad.spool.path), but paraph-handoff watches \(handoff.spool)",
          advice: "set the same path in [spool] of both"))
    }
    self.findings = findings
  }

  /// The problems that the daemons would report at start.
  ///
  /// - Parameter glass: The panel's size in millimetres; nil: only the configured size is known.
  func examined(on glass: Point?) -> [Finding] {
    let problems =
      PadExamination(pad, glass: glass, triesSealing: true).problems
      + (handoff.map { HandoffValidator($0).problems } ?? [])
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
      preconditionFailure("invalid defaults: \(error.lines.joined(separator: "; "))")
    }
  }
}
