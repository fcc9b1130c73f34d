import CLinux
import JSON
import Linux

/// The state of a service in systemd.
struct ServiceUnit {
  let name: String
  /// Empty where there is no systemd.
  private let values: [String: String]

  private static let asked = [
    "LoadState", "ActiveState", "SubState", "Result", "NRestarts", "StatusText", "UnitFileState",
    "User", "Group", "SupplementaryGroups", "ProtectSystem", "ReadWritePaths", "RuntimeDirectory",
    "StateChangeTimestamp", "ActiveEnterTimestamp",
  ]

  init(_ name: String) {
    self.name = name
    let isBooted = (try? FileStatus(of: "/run/systemd/system")) != nil
    values = isBooted ? ServiceUnit.show(name) : [:]
  }

  /// What `systemctl show` has written.
  init(_ name: String, shown: String) {
    self.name = name
    values = ServiceUnit.values(shown)
  }

  private static func show(_ name: String) -> [String: String] {
    let command = [
      "show", "--timestamp=unix", "--property=" + asked.joined(separator: ","), "--", name,
    ]
    return output(of: "/usr/bin/systemctl", command).map { values($0) } ?? [:]
  }

  /// Lines NAME=VALUE.
  private static func values(_ output: String) -> [String: String] {
    var values: [String: String] = [:]
    for line in output.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      values[String(line[..<sign])] = String(line[line.index(after: sign)...])
    }
    return values
  }

  /// What a program writes that ends by itself; it must fit into a pipe.
  private static func output(of path: String, _ arguments: [String]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    guard var child = try? ChildProcess(path, arguments, output: writing.number) else { return nil }
    guard (try? child.wait(milliseconds: 10_000)) == .exit(0) else { return nil }
    // The reader sees the end only when nobody can write any more.
    _ = consume writing
    let bytes = try? reading.readAll(limit: 1 << 16)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether there is a unit of that name.
  var isThere: Bool { values["LoadState"] == "loaded" }
  /// As whom it runs; nil: unknown.
  var user: String? { text("User") }
  /// The groups that it gets besides those of its user.
  var groups: [String] {
    [text("Group")].compactMap { $0 } + words("SupplementaryGroups")
  }

  /// A note if its configuration has changed since the service has read it.
  ///
  /// - Parameter reloads: Whether a reload takes the file over, and not only a restart.
  func newer(_ path: String, reloads: Bool) -> [Finding] {
    guard values["ActiveState"] == "active",
      let time = values[reloads ? "StateChangeTimestamp" : "ActiveEnterTimestamp"],
      let read = Int64(time.drop { $0 == "@" }), let file = try? FileStatus(of: path),
      file.modified > read
    else { return [] }
    let verb = reloads ? "reload" : "restart"
    return [
      Finding(
        .service, .note, "\(path) is newer than what \(name) runs with",
        advice: "systemctl \(verb) \(name.split(separator: ".")[0])")
    ]
  }

  /// Whether its sandbox leaves a folder writable (ProtectSystem= of systemd.exec(5)).
  func canWrite(into folder: String) -> Bool {
    guard values["ProtectSystem"] == "strict" else { return true }
    let paths = words("ReadWritePaths").map { String($0.drop { "-+".contains($0) }) }
    return (paths + words("RuntimeDirectory").map { "/run/" + $0 }).contains {
      folder == $0 || folder.hasPrefix($0 + "/")
    }
  }

  private func words(_ name: String) -> [String] {
    (values[name] ?? "").split(separator: " ").map { String($0) }
  }

  private func text(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  var findings: [Finding] {
    if values.isEmpty { return [Finding(.service, .fact, "\(name): systemd is not running")] }
    guard isThere else {
      return [Finding(.service, .note, "\(name) is not installed", details: details)]
    }
    let (active, sub) = (values["ActiveState"] ?? "unknown", values["SubState"] ?? "unknown")
    var text = "\(name) is \(active) (\(sub))"
    if let status = self.text("StatusText") { text += ": \(status)" }
    let restarts = Int(values["NRestarts"] ?? "") ?? 0
    if restarts > 0 { text += ", restarted \(restarts) times" }
    if active == "active" {
      let verdict = restarts > 0 ? Finding.Verdict.note : .right
      let advice = restarts > 0 ? "see why: journalctl -b -u \(name)" : nil
      return [Finding(.service, verdict, text, advice: advice, details: details)]
    }
    let isEnabled = values["UnitFileState"]?.hasPrefix("enabled") ?? false
    let advice =
      active == "inactive"
      ? "systemctl \(isEnabled ? "start" : "enable --now") \(name)"
      : "see why: journalctl -b -u \(name)"
    return [Finding(.service, .wrong, text, advice: advice, details: details)]
  }

  private var details: [(String, JSONValue)] {
    [
      ("unit", .text(name)), ("active", .text(values["ActiveState"] ?? "")),
      ("result", .text(values["Result"] ?? "")),
      ("restarts", .integer(Int64(values["NRestarts"] ?? "") ?? 0)),
    ]
  }
}
