import CLinux
import Configuration
import JSON
import Linux
import Pad
import Spool

/// Examines the spool: its space, its limits, and its contents.
struct SpoolExamination {
  private(set) var findings: [Finding] = []

  init(_ configuration: SpoolConfiguration) {
    do throws(SystemError) {
      let root = try Folder(configuration.path)
      findings.append(SpoolExamination.owner(try root.status(), configuration.path))
      findings.append(SpoolExamination.space(try root.freeSpace(), configuration))
    } catch {
      let advice = error.errno == .notPermitted ? "run this as root" : "systemd-tmpfiles --create"
      findings.append(
        Finding(
          .spool, error.errno == .notPermitted ? .note : .wrong, error.text, advice: advice))
      return
    }
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.path)
      try count(spool)
      try spool.checkCapacity(SpoolLimits(configuration))
    } catch { findings += SpoolExamination.trouble(error) }
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
    let text = "\(megabytes(space.bytes)) free, \(megabytes(configuration.minimumFree)) must be"
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
    // The filesystem's own finding says it.
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
        "\(waiting) wait, \(kept) are delivered and kept, \(failed) failed",
        details: [
          ("waiting", .integer(waiting)), ("delivered", .integer(kept)),
          ("failed", .integer(failed)),
        ]))
  }
}

extension Errno {
  static let notPermitted = Errno(EACCES)
  static let notThere = Errno(ENOENT)
}
