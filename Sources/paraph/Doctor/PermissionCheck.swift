import Configuration
import JSON
import Linux

/// Checks the access of the services' users to devices and spool.
struct PermissionCheck {
  private(set) var findings: [Finding] = []

  init(_ settings: DoctorSettings, pad: ServiceUnit, handoff: ServiceUnit, devices: [String]) {
    let spool = settings.pad.spool.path
    examine(pad, user: "paraph", files: devices.map { ($0, .write) }, folders: folders(of: spool))
    var ours: [String] = []
    for sink in settings.handoff?.sinks ?? [] {
      if case .directory(let folder) = sink.kind { ours.append(folder.path) }
    }
    if let metrics = settings.handoff?.metrics, let slash = metrics.lastIndex(of: "/") {
      ours.append(slash == metrics.startIndex ? "/" : String(metrics[..<slash]))
    }
    examine(
      handoff, user: "paraph-handoff", files: [],
      folders: folders(of: settings.handoff?.spool ?? spool) + ours)
  }

  /// The existing folders of the spool; the daemons create the others at their first start.
  private func folders(of spool: String) -> [String] {
    let names = ((try? Folder.names(of: spool)) ?? []).filter { $0 == "new" || $0 == "tmp" }
    return [spool] + names.map { "\(spool)/\($0)" }
  }

  private mutating func examine(
    _ unit: ServiceUnit, user name: String, files: [(String, Credentials.Access)],
    folders: [String]
  ) {
    let user = unit.user ?? name
    guard let credentials = Credentials(user: user, more: unit.groups) else {
      findings.append(
        Finding(
          .permissions, unit.isLoaded ? .wrong : .note,
          "user \(user) of \(unit.name) does not exist",
          advice: "systemd-sysusers creates it"))
      return
    }
    let wishes = files + folders.map { ($0, Credentials.Access.change) }
    let refused = wishes.compactMap { path, wish in
      refusal(user, credentials, path, wish, isWrong: unit.isLoaded)
        ?? (wish == .change ? closure(unit, path) : nil)
    }
    findings += refused
    if refused.isEmpty {
      let groups = Set(credentials.groups).map { Account.name(ofGroup: $0) }.sorted()
      findings.append(
        Finding(
          .permissions, .right,
          "\(user) (\(groups.joined(separator: ", "))) may open \(list(wishes.map { $0.0 }))",
          details: [
            ("user", .text(user)), ("groups", .array(groups.map { .text($0) })),
          ]))
    }
  }

  private func list(_ paths: [String]) -> String { paths.joined(separator: ", ") }

  /// Nil if the user has access.
  private func refusal(
    _ user: String, _ credentials: Credentials, _ path: String, _ wish: Credentials.Access,
    isWrong: Bool
  ) -> Finding? {
    let verdict = isWrong ? Finding.Verdict.wrong : .note
    let status: FileStatus
    do throws(SystemError) { status = try FileStatus(of: path) } catch {
      return Finding(
        .permissions, verdict, error.text, advice: "systemd-tmpfiles --create creates the folders")
    }
    if credentials.may(wish, status) { return nil }
    let (owner, group) = (
      Account.name(ofUser: status.owner), Account.name(ofGroup: status.group)
    )
    let what = wish == .change ? "write into" : "open"
    return Finding(
      .permissions, verdict,
      "\(user) may not \(what) \(path): it is \(owner):\(group) \(octal(status.mode))",
      advice: wish == .change
        ? "systemd-tmpfiles --create sets the owners of the folders"
        : "set SupplementaryGroups=\(group) in the unit, or GROUP= in a udev rule",
      details: [("user", .text(user)), ("path", .text(path))])
  }

  /// Nil if the service's sandbox permits writing.
  private func closure(_ unit: ServiceUnit, _ folder: String) -> Finding? {
    if unit.canWrite(into: folder) { return nil }
    return Finding(
      .permissions, .wrong,
      "\(unit.name) may not write into \(folder): read-only in its sandbox",
      advice:
        "add a drop-in with ReadWritePaths=\(folder), see examples/paraph-handoff-folder.conf",
      details: [("unit", .text(unit.name)), ("path", .text(folder))])
  }

  private func octal(_ mode: UInt32) -> String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
