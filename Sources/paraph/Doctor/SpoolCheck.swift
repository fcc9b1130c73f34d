import CLinux
import Configuration
import JSON
import Linux
import Pad
import Spool

/// Checks the spool's free space, limits and contents.
struct SpoolCheck {
  private(set) var findings: [Finding] = []

  /// - Parameter isSealing: Whether new signatures are sealed.
  init(_ configuration: SpoolConfiguration, isSealing: Bool) {
    do throws(SystemError) {
      let root = try Folder(configuration.path)
      findings.append(SpoolCheck.owner(try root.status(), configuration.path))
      findings.append(SpoolCheck.space(try root.freeSpace(), configuration))
    } catch {
      let advice = error.errno == .notPermitted ? "run this as root" : "systemd-tmpfiles --create"
      findings.append(
        Finding(
          .spool, error.errno == .notPermitted ? .note : .wrong, error.text, advice: advice))
      return
    }
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.path, forReading: true)
      try count(spool)
      if isSealing { try findUnsealed(spool) }
      try spool.checkCapacity(SpoolLimits(configuration))
    } catch { findings += SpoolCheck.trouble(error) }
  }

  private static func owner(_ status: FileStatus, _ path: String) -> Finding {
    let owner = Account.name(ofUser: status.owner), group = Account.name(ofGroup: status.group)
    return Finding(
      .spool, .fact, "\(path) belongs to \(owner):\(group)",
      details: [
        ("path", .text(path)), ("owner", .text(owner)), ("group", .text(group)),
      ])
  }

  private static func space(_ space: FreeSpace, _ configuration: SpoolConfiguration) -> Finding {
    let details: [(String, JSONValue)] = [
      ("free", .integer(space.bytes)), ("minimum_free", .integer(configuration.minimumFree)),
    ]
    if space.isReadOnly {
      return Finding(
        .spool, .wrong, "the filesystem is mounted read-only",
        advice: "the disk may be failing: see the kernel's log (dmesg)", details: details)
    }
    let text =
      "\(megabytes(space.bytes)) free; the minimum is \(megabytes(configuration.minimumFree))"
    if space.bytes < configuration.minimumFree {
      return Finding(
        .spool, .wrong, text, advice: "the pad accepts no requests until there is space",
        details: details)
    }
    return Finding(.spool, .right, text, details: details)
  }

  private static func megabytes(_ bytes: Int64) -> String {
    bytes >= 10 << 30 ? "\(bytes >> 30)G" : "\(bytes >> 20)M"
  }

  private static func trouble(_ error: SpoolError) -> [Finding] {
    switch error {
    // The finding of the free space reports it.
    case .capacity(_, .space), .capacity(_, .readOnly): []
    case .capacity:
      [
        Finding(
          .spool, .wrong, error.text, advice: "the pad accepts no requests until there is space")
      ]
    case .system(let system) where system.errno == .notPermitted:
      [Finding(.spool, .note, error.text, advice: "run this as root")]
    case .system(let system) where system.errno == .notThere:
      [
        Finding(
          .spool, .fact,
          "the folders do not exist yet: the daemons create them at their first start")
      ]
    default: [Finding(.spool, .wrong, error.text)]
    }
  }

  private mutating func count(_ spool: borrowing Spool) throws(SpoolError) {
    let waiting = try Spool.ids(in: spool.new).count
    let failed = try Spool.ids(in: spool.failed).count
    let kept = try Spool.ids(in: spool.delivered).count
    findings.append(
      Finding(
        .spool, .fact,
        "\(waiting) waiting, \(kept) delivered and retained, \(failed) failed",
        details: [
          ("waiting", .integer(waiting)), ("delivered", .integer(kept)),
          ("failed", .integer(failed)),
        ]))
  }
}

extension SpoolCheck {
  /// Sealing does not change what was saved before it was turned on.
  fileprivate mutating func findUnsealed(_ spool: borrowing Spool) throws(SpoolError) {
    var unsealed = 0
    for place in Spool.Place.allCases {
      let folder = try spool.open(place)
      for id in try Spool.ids(in: folder) {
        guard let files = try? Item.readManifest(of: id, in: folder).files else { continue }
        if files.contains(where: { !$0.file.isSealed && $0.file != .png }) { unsealed += 1 }
      }
    }
    if unsealed == 0 { return }
    findings.append(
      Finding(
        .spool, .note,
        "\(unsealed) signatures have unsealed ink: they were saved before [seal] was on",
        advice: "deliver them, or remove them with paraph spool erase",
        details: [("unsealed", .integer(unsealed))]))
  }
}

extension Errno {
  static let notPermitted = Errno(EACCES)
  static let notThere = Errno(ENOENT)
}

/// Checks the records of failed deliveries.
///
/// The findings contain no personal data.
struct DeliveryCheck {
  private(set) var findings: [Finding] = []

  /// The maximum number of failed signatures whose reasons are read.
  private static let reasonLimit = 100

  init(_ settings: DoctorSettings) {
    guard let handoff = settings.handoff else { return }
    do throws(SpoolError) {
      let spool = try Spool(at: handoff.spool, forReading: true)
      try waiting(spool, handoff.sinks)
      if handoff.timestamp != nil { findings.append(try TimestampFinding.of(spool)) }
      try failed(spool)
    } catch {
      // `SpoolCheck` reports the error.
    }
  }

  private struct Sink {
    let isHeld: Bool
    var waiting = 0
    /// Rejected by this sink while others still wait.
    var rejected = 0
    var rejection: String?
    var failing = 0
    var attempts = 0
    var reason: String?
  }

  private mutating func waiting(
    _ spool: borrowing Spool, _ sinks: [SinkConfiguration]
  ) throws(SpoolError) {
    var sinks = sinks.map { (name: $0.name, state: Sink(isHeld: $0.isHeld)) }
    var (unreadable, flaw) = (0, "")
    for id in try Spool.ids(in: spool.new) {
      let states: [String: SinkState]
      do throws(SpoolError) {
        states = try DeliveryCheck.states(of: id, spool)
      } catch {
        unreadable += 1
        flaw = error.text
        continue
      }
      for index in sinks.indices {
        let state = states[sinks[index].name] ?? SinkState()
        if state.outcome == .never {
          sinks[index].state.rejected += 1
          sinks[index].state.rejection = state.reason
        }
        if state.outcome != .pending { continue }
        sinks[index].state.waiting += 1
        if state.attempts == 0 { continue }
        sinks[index].state.failing += 1
        if state.attempts >= sinks[index].state.attempts {
          sinks[index].state.attempts = state.attempts
          sinks[index].state.reason = state.reason
        }
      }
    }
    guard unreadable > 0 else {
      findings += sinks.flatMap { DeliveryCheck.findings($0.name, $0.state) }
      return
    }
    // Of a sink for which nothing else waits, nobody knows what waits.
    for sink in sinks where sink.state.waiting + sink.state.rejected > 0 {
      findings += DeliveryCheck.findings(sink.name, sink.state)
    }
    findings.append(
      Finding(
        .delivery, .wrong, "\(unreadable) signatures cannot be read: \(flaw)",
        advice: "correct owner and mode, or see the kernel's log (dmesg); they wait meanwhile",
        details: [("unreadable", .integer(unreadable)), ("reason", .text(flaw))]))
  }

  /// Reads what paraph-handoff reads of an item in `new` before it delivers it.
  private static func states(
    of id: ItemID, _ spool: borrowing Spool
  ) throws(SpoolError) -> [String: SinkState] {
    do throws(Item.Failure) {
      _ = try Item.readManifest(of: id, in: spool.new)
    } catch {
      // It moves any other one to `failed`.
      if case .system(let error) = error { throw .system(error) }
    }
    return try spool.states(of: id)
  }

  private static func findings(_ name: String, _ sink: Sink) -> [Finding] {
    var findings: [Finding] = []
    if sink.rejected > 0 {
      findings.append(
        Finding(
          .delivery, .wrong,
          "\(name): \(sink.rejected) signatures rejected: \(sink.rejection ?? "no reason recorded")",
          advice:
            "they move to failed/ after the other sinks; retry them with paraph spool retry",
          details: [("sink", .text(name)), ("rejected", .integer(sink.rejected))]))
      if sink.waiting == 0 { return findings }
    }
    return findings + [pending(name, sink)]
  }

  private static func pending(_ name: String, _ sink: Sink) -> Finding {
    let details: [(String, JSONValue)] = [
      ("sink", .text(name)), ("waiting", .integer(sink.waiting)),
      ("failing", .integer(sink.failing)), ("attempts", .integer(sink.attempts)),
      ("reason", .text(sink.reason)), ("held", .flag(sink.isHeld)),
    ]
    if sink.isHeld {
      return Finding(
        .delivery, .note, "\(name): held; \(sink.waiting) waiting",
        advice: "resume it with hold = no and systemctl reload paraph-handoff", details: details)
    }
    if sink.failing > 0 {
      return Finding(
        .delivery, .wrong,
        "\(name): \(sink.failing) of \(sink.waiting) signatures failed, \(sink.attempts) times: "
          + (sink.reason ?? "no reason recorded"),
        advice: "they are retried; retry them now with systemctl reload paraph-handoff",
        details: details)
    }
    return Finding(
      .delivery, .right,
      sink.waiting == 0 ? "\(name): none waiting" : "\(name): \(sink.waiting) waiting",
      details: details)
  }

  private mutating func failed(_ spool: borrowing Spool) throws(SpoolError) {
    var counts: [String: Int] = [:]
    for id in try Spool.ids(in: spool.failed).prefix(Self.reasonLimit) {
      let reason: String
      do throws(SpoolError) {
        reason = try spool.reason(of: id.text) ?? "no reason recorded"
      } catch { reason = error.text }
      counts[String(reason.prefix { $0 != "\n" }), default: 0] += 1
    }
    for (reason, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      findings.append(
        Finding(
          .delivery, .wrong, "\(count) signatures in failed/: \(reason)",
          advice: "retry them with paraph spool retry, or remove them with paraph spool drop",
          details: [("set_aside", .integer(count)), ("reason", .text(reason))]))
    }
  }
}
