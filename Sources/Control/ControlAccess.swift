internal import Linux

/// Which users may call the pad's methods.
struct ControlAccess: Sendable {
  private var users: [UInt32]
  /// The names that no user had when they were looked up.
  private var names: [String]
  private let own: UInt32
  /// Every user may call. Names without a user must not lead to that.
  private let isOpen: Bool
  /// When a name may be looked up next for a user that may not call.
  private var nextLook: Int64 = .min

  /// How often that may be, in nanoseconds: such users can connect as often as they like.
  static let lookInterval: Int64 = 10_000_000_000

  /// Allows `users`, root and the daemon's user `own`; without users and names, every user.
  ///
  /// - Parameter names: The names of allowed users that do not exist yet.
  init(users: [UInt32], names: [String] = [], own: UInt32 = Peer.ownUser) {
    self.users = users
    self.names = names
    self.own = own
    isOpen = users.isEmpty && names.isEmpty
  }

  /// Whether a user may call the pad's methods.
  func allows(_ user: UInt32) -> Bool {
    isOpen || user == 0 || user == own || users.contains(user)
  }

  /// Whether a user that connects may call: its account may have been made since the names were looked up.
  ///
  /// - Parameter accounts: Reads the accounts of this machine, as in passwd(5); must not wait for a directory service.
  mutating func admits(
    _ user: UInt32, at now: Int64,
    accounts: () -> [UInt8] = { ControlAccess.localAccounts() }
  ) -> Bool {
    if allows(user) { return true }
    if names.isEmpty || now < nextLook { return false }
    // All names: else a user that is always refused could take each look from a new account.
    let lines = accounts().split(separator: UInt8(ascii: "\n"))
    _ = find { ControlAccess.user($0, in: lines) }
    if allows(user) { return true }
    nextLook = now + ControlAccess.lookInterval
    return false
  }

  /// The content of /etc/passwd; empty if it cannot be read.
  static func localAccounts() -> [UInt8] {
    Folder.content(of: "/etc/passwd", limit: 1 << 20) ?? []
  }

  /// The number of the user of this name in lines of passwd(5); nil: it is not there.
  private static func user(_ name: String, in lines: [ArraySlice<UInt8>]) -> UInt32? {
    for line in lines {
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      if fields.count > 3, String(decoding: fields[0], as: UTF8.self).isSame(as: name) {
        return UInt32(String(decoding: fields[2], as: UTF8.self))
      }
    }
    return nil
  }

  /// Looks up the names that no user had. Returns those that are known now.
  mutating func find(_ find: (String) -> UInt32?) -> [String] {
    var (known, unknown): ([String], [String]) = ([], [])
    for name in names {
      if let user = find(name) {
        users.append(user)
        known.append(name)
      } else {
        unknown.append(name)
      }
    }
    names = unknown
    return known
  }
}
