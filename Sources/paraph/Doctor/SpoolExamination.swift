import CLinux
import Configuration
import JSON
import Linux
import Spool

/// Whether a signature finds a place, and what is in the spool.
struct SpoolExamination {
  private(set) var findings: [Finding] = []

  init(_ configuration: SpoolConfiguration) {
    do throws(SystemError) {
      let root = try Folder(configuration.path)
      findings.append(SpoolExamination.owner(try root.status(), configuration.path))
      findings.append(SpoolExamination.space(try root.freeSpace(), configuration))
    } catch {
      let advice = error.errno == .notPermitted ? "root may look" : "systemd-tmpfiles --create"
      findings.append(
        Finding(
          .spool, error.errno == .notPermitted ? .note : .wrong, error.text, advice: advice))
      return
    }
    do throws(SpoolError) {
      try count(try Spool(at: configuration.path), configuration)
    } catch { findings.append(SpoolExamination.unopened(error)) }
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
        .spool, .wrong, "its filesystem is mounted read-only",
        advice: "the disk may be failing: the kernel's log (dmesg) says so", details: details)
    }
    let text = "\(megabytes(space.bytes)) are free, \(megabytes(configuration.minimumFree)) must be"
    if space.bytes < configuration.minimumFree {
      return Finding(
        .spool, .wrong, text, advice: "nobody is asked to sign until there is room",
        details: details)
    }
    return Finding(.spool, .right, text, details: details)
  }

  private static func megabytes(_ bytes: Int64) -> String {
    bytes >= 10 << 30 ? "\(bytes >> 30)G" : "\(bytes >> 20)M"
  }

  private static func unopened(_ error: SpoolError) -> Finding {
    if case .system(let system) = error {
      if system.errno == .notPermitted {
        return Finding(.spool, .note, error.text, advice: "root may look")
      }
      if system.errno == .notThere {
        return Finding(
          .spool, .fact, "its folders are not made yet: the daemons do that at their first start")
      }
    }
    return Finding(.spool, .wrong, error.text)
  }

  private mutating func count(
    _ spool: borrowing Spool, _ configuration: SpoolConfiguration
  ) throws(SpoolError) {
    let waiting = try Spool.ids(in: spool.new).count
    let failed = try Spool.ids(in: spool.failed).count
    let kept = try Spool.ids(in: spool.delivered).count
    let isFull = configuration.maximumItems.map { waiting >= $0 } ?? false
    findings.append(
      Finding(
        .spool, isFull ? .wrong : .fact,
        "\(waiting) wait, \(kept) are delivered and kept, \(failed) were set aside",
        advice: isFull ? "maximum-items is reached: nobody is asked to sign" : nil,
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
