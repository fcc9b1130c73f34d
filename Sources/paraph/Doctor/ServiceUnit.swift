import CLinux
import Configuration
import JSON
import Linux

/// The properties of a systemd service.
struct ServiceUnit {
  let name: String
  /// Empty without systemd.
  private let values: [String: String]

  private static let properties = [
    "LoadState", "ActiveState", "SubState", "Result", "NRestarts", "StatusText", "UnitFileState",
    "User", "Group", "SupplementaryGroups", "ProtectSystem", "ReadWritePaths", "RuntimeDirectory",
    "StateChangeTimestamp", "ActiveEnterTimestamp", "ProtectHome", "PrivateTmp",
    "InaccessiblePaths", "BindPaths", "BindReadOnlyPaths",
  ]

  init(_ name: String) {
    self.name = name
    let isBooted = (try? FileStatus(of: "/run/systemd/system")) != nil
    values = isBooted ? ServiceUnit.show(name) : [:]
  }

  /// A unit from the output of `systemctl show`.
  init(_ name: String, shown: String) {
    self.name = name
    values = ServiceUnit.values(shown)
  }

  private static func show(_ name: String) -> [String: String] {
    let command = [
      "show", "--timestamp=unix", "--property=" + properties.joined(separator: ","), "--", name,
    ]
    return output(of: "/usr/bin/systemctl", command).map { values($0) } ?? [:]
  }

  /// Parses lines NAME=VALUE.
  private static func values(_ output: String) -> [String: String] {
    var values: [String: String] = [:]
    for line in output.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      values[String(line[..<sign])] = String(line[line.index(after: sign)...])
    }
    return values
  }

  /// The output of a program, which must fit into a pipe's buffer.
  private static func output(of path: String, _ arguments: [String]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    guard var child = try? ChildProcess(path, arguments, output: writing.number) else { return nil }
    guard (try? child.wait(milliseconds: 10_000)) == .exit(0) else { return nil }
    // The reader is at end of file only after all write ends are closed.
    _ = consume writing
    let bytes = try? reading.readAll(limit: 1 << 16)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the unit exists.
  var isLoaded: Bool { values["LoadState"] == "loaded" }
  /// The service's user; nil: unknown.
  var user: String? { text("User") }
  /// The service's groups besides those of its user.
  var groups: [String] {
    [text("Group")].compactMap { $0 } + words("SupplementaryGroups")
  }

  /// A note if a configuration file or one of its drop-ins has changed since the service read it.
  ///
  /// - Parameter reloads: Whether a reload applies the file.
  func newer(_ path: String, reloads: Bool) -> [Finding] {
    guard values["ActiveState"] == "active",
      let time = values[reloads ? "StateChangeTimestamp" : "ActiveEnterTimestamp"],
      let read = Int64(time.drop { $0 == "@" })
    else { return [] }
    let changed = ConfigurationOrigin.paths(of: path).first { path in
      (try? FileStatus(of: path)).map { $0.modified > read } ?? false
    }
    guard let changed else { return [] }
    let verb = reloads ? "reload" : "restart"
    return [
      Finding(
        .service, .note, "\(changed) has changed since \(name) read it",
        advice: "systemctl \(verb) \(name.split(separator: ".")[0])")
    ]
  }

  /// The words of a property; none if it is unknown.
  func words(_ name: String) -> [String] {
    (values[name] ?? "").split(separator: " ").map { String($0) }
  }

  /// A property that is not empty.
  func text(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  var findings: [Finding] {
    if values.isEmpty { return [Finding(.service, .fact, "\(name): systemd is not running")] }
    guard isLoaded else {
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
