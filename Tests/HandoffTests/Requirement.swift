import Linux
import SpoolFixtures

/// What a test needs that not every machine has.
enum Requirement {
  /// Root and mount namespaces.
  static let canMount: Bool = {
    let result = try? Programs.run(
      path: "/usr/bin/unshare", ["--mount", "mount", "--bind", "/etc/ssl", "/etc/ssl"])
    return result?.end == .exit(0)
  }()

  /// User namespaces, which have limits of their own.
  static let canLimitNotices: Bool = {
    let result = try? Programs.run(
      path: "/usr/bin/unshare",
      [
        "--user", "--map-root-user", "/bin/sh", "-c", "echo 0 > /proc/sys/user/max_inotify_watches",
      ])
    return result?.end == .exit(0)
  }()

  /// moto, which is installed for the first test.
  static let hasStore: Bool = {
    let result = try? Programs.run(
      path: TestServer.storeLauncher, ["check.py"], milliseconds: 300_000)
    return result?.end == .exit(0)
  }()
}
