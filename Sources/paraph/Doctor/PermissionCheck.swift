import Configuration
import JSON
import Linux
import Spool

/// Checks the access of the services' users to devices, spool, and what the configurations name.
struct PermissionCheck {
  private(set) var findings: [Finding] = []

  init(_ settings: DoctorSettings, pad: ServiceUnit, handoff: ServiceUnit, devices: [String]) {
    let spool = settings.pad.spool.path
    examine(
      pad, user: "paraph",
      devices.map { AccessWish($0, .write) } + folders(of: spool)
        + AccessWish.files(of: settings.pad))
    var ours: [String] = []
    for sink in settings.handoff?.sinks ?? [] {
      if case .directory(let folder) = sink.kind { ours.append(folder.path) }
    }
    if let metrics = settings.handoff?.metrics, let slash = metrics.lastIndex(of: "/") {
      ours.append(slash == metrics.startIndex ? "/" : String(metrics[..<slash]))
    }
    examine(
      handoff, user: "paraph-handoff",
      folders(of: settings.handoff?.spool ?? spool)
        + records(in: settings.handoff?.spool ?? spool) + ours.map { AccessWish($0, .change) }
        + (settings.handoff.map { AccessWish.files(of: $0) } ?? []))
  }

  /// The existing folders of the spool; the daemons create the others at their first start.
  private func folders(of spool: String) -> [AccessWish] {
    let names = ["new", "tmp", "state", "failed", "delivered"]
    return
      ([spool]
      + names.map { "\(spool)/\($0)" }.filter { (try? FileStatus(of: $0))?.kind == .folder })
      .map { AccessWish($0, .change) }
  }

  /// The folders of paraph-handoff's records. A copy of a spool may have other owners.
  private func records(in spool: String) -> [AccessWish] {
    let folder = "\(spool)/state/\(Spool.sinksName)"
    let names = (try? Folder.names(of: folder)) ?? []
    return ([folder] + names.map { "\(folder)/\($0)" })
      .filter { (try? FileStatus(of: $0))?.kind == .folder }.map { AccessWish($0, .change) }
  }

  private mutating func examine(_ unit: ServiceUnit, user name: String, _ wishes: [AccessWish]) {
    let user = unit.user ?? name
    guard let credentials = Credentials(user: user, more: unit.groups) else {
      findings.append(
        Finding(
          .permissions, unit.isLoaded ? .wrong : .note,
          "user \(user) of \(unit.name) does not exist",
          advice: "systemd-sysusers creates it"))
      return
    }
    let refused = wishes.compactMap { wish in
      hiding(unit, wish) ?? refusal(user, credentials, wish, isWrong: unit.isLoaded)
        ?? closure(unit, wish)
    }
    findings += refused
    if refused.isEmpty {
      let groups = Set(credentials.groups).map { Account.name(ofGroup: $0) }.sorted()
      findings.append(
        Finding(
          .permissions, .right,
          "\(user) (\(groups.joined(separator: ", "))) may open \(list(wishes.map { $0.path }))",
          details: [
            ("user", .text(user)), ("groups", .array(groups.map { .text($0) })),
          ]))
    }
  }

  private func list(_ paths: [String]) -> String { paths.joined(separator: ", ") }

  /// Nil if the user has access.
  private func refusal(
    _ user: String, _ credentials: Credentials, _ wish: AccessWish, isWrong: Bool
  ) -> Finding? {
    let verdict = isWrong ? wish.verdict : .note
    let what = wish.access == .change ? "write into" : "open"
    let details: [(String, JSONValue)] = [("user", .text(user)), ("path", .text(wish.path))]
    for folder in wish.parents {
      guard let status = try? FileStatus(of: folder), !credentials.may(.search, status),
        !FileStatus.hasAccessList(folder)
      else { continue }
      return Finding(
        .permissions, verdict,
        "\(user) may not \(what) \(wish.path): \(folder) is \(ownership(status))",
        advice: "permit \(user) to search \(folder), or choose another place", details: details)
    }
    let status: FileStatus
    do throws(SystemError) { status = try FileStatus(of: wish.path) } catch {
      // The examination of the configuration reports files.
      if wish.access == .read || wish.access == .list { return nil }
      return Finding(
        .permissions, verdict, error.text, advice: "systemd-tmpfiles --create creates the folders")
    }
    if credentials.may(wish.access, status) { return nil }
    // Those of devices are for people at the desk, not for services.
    if wish.access != .write, FileStatus.hasAccessList(wish.path) { return nil }
    return Finding(
      .permissions, verdict,
      "\(user) may not \(what) \(wish.path): it is \(ownership(status))",
      advice: advice(wish, user, group: Account.name(ofGroup: status.group)), details: details)
  }

  private func advice(_ wish: AccessWish, _ user: String, group: String) -> String {
    switch wish.access {
    case .change:
      "permit it: chown, chgrp and chmod; systemd-tmpfiles --create does so for the spool itself"
    case .write: "set SupplementaryGroups=\(group) in the unit, or GROUP= in a udev rule"
    case .read, .list, .search: "permit \(user) to read it: chgrp and chmod"
    }
  }

  /// Nil if the service's sandbox does not hide the path.
  private func hiding(_ unit: ServiceUnit, _ wish: AccessWish) -> Finding? {
    guard unit.hides(wish.path) else { return nil }
    return Finding(
      .permissions, wish.verdict, "\(unit.name) does not see \(wish.path): its sandbox hides it",
      advice: "choose a place that is not in /home, /root, /run/user, /tmp or /var/tmp",
      details: [("unit", .text(unit.name)), ("path", .text(wish.path))])
  }

  /// Nil if the service's sandbox permits writing, or nothing is to be written.
  private func closure(_ unit: ServiceUnit, _ wish: AccessWish) -> Finding? {
    let folder = wish.path
    if wish.access != .change || unit.canWrite(into: folder) { return nil }
    return Finding(
      .permissions, .wrong,
      "\(unit.name) may not write into \(folder): read-only in its sandbox",
      advice:
        "add a drop-in with ReadWritePaths=\(folder), see examples/paraph-handoff-folder.conf",
      details: [("unit", .text(unit.name)), ("path", .text(folder))])
  }

  /// Owner, group and mode.
  private func ownership(_ status: FileStatus) -> String {
    let (owner, group) = (
      Account.name(ofUser: status.owner), Account.name(ofGroup: status.group)
    )
    return "\(owner):\(group) \(octal(status.mode))"
  }

  private func octal(_ mode: UInt32) -> String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
