import CLinux

/// What the sandbox permits (systemd.exec(5)).
extension ServiceUnit {
  /// The folders of ProtectHome=.
  private static let homes = ["/home", "/root", "/run/user"]
  /// The folders of PrivateTmp=.
  private static let temporary = ["/tmp", "/var/tmp"]

  /// Whether the sandbox hides a path, even one that ReadWritePaths= names.
  func hides(_ path: String) -> Bool {
    let home = text("ProtectHome")
    let closed = paths("InaccessiblePaths") + (home == "yes" ? ServiceUnit.homes : [])
    if ServiceUnit.isBelow(closed, path) { return true }
    var replaced = home == "tmpfs" ? ServiceUnit.homes : []
    if text("PrivateTmp") == "yes" { replaced += ServiceUnit.temporary }
    let shown = bound("BindPaths") + bound("BindReadOnlyPaths")
    return ServiceUnit.isBelow(replaced, path) && !ServiceUnit.isBelow(shown, path)
  }

  /// Whether the sandbox permits writing to a folder.
  func canWrite(into folder: String) -> Bool {
    if hides(folder) { return false }
    var isReadOnly = text("ProtectSystem") == "strict"
    if text("ProtectHome") == "read-only", ServiceUnit.isBelow(ServiceUnit.homes, folder) {
      isReadOnly = true
    }
    guard isReadOnly else { return true }
    let runtime = words("RuntimeDirectory").map { "/run/" + $0 }
    return ServiceUnit.isBelow(paths("ReadWritePaths") + bound("BindPaths") + runtime, folder)
  }

  /// The paths of a property, without the prefixes that say what becomes of a missing one.
  private func paths(_ name: String) -> [String] {
    words(name).map { String($0.drop { "-+".contains($0) }) }
  }

  /// Where a property shows folders: SOURCE:DESTINATION:OPTIONS.
  private func bound(_ name: String) -> [String] {
    paths(name).compactMap { path -> String? in
      let parts = path.split(separator: ":")
      return (parts.count > 1 ? parts[1] : parts.first).map { String($0) }
    }
  }

  /// Whether a path, or what it is a link to, is one of the folders or lies in one.
  private static func isBelow(_ folders: [String], _ path: String) -> Bool {
    [path, resolved(path)].contains { path in
      folders.contains { $0 == "/" || path == $0 || path.hasPrefix($0 + "/") }
    }
  }

  /// The path without links; the path itself if it cannot be resolved.
  private static func resolved(_ path: String) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
