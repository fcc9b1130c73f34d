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
  /// - Parameter nameOf: The name of a user; must not wait for a directory service.
  mutating func admits(
    _ user: UInt32, at now: Int64,
    nameOf: (UInt32) -> String? = { Account.localName(ofUser: $0) }
  ) -> Bool {
    if allows(user) { return true }
    if names.isEmpty || now < nextLook { return false }
    nextLook = now + ControlAccess.lookInterval
    guard let name = nameOf(user), let place = names.firstIndex(of: name) else { return false }
    names.remove(at: place)
    users.append(user)
    return true
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
