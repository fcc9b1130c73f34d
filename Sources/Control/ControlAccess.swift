internal import Linux

/// Which users may call the pad's methods.
struct ControlAccess: Sendable {
  private let users: [UInt32]
  private let own: UInt32

  /// `users` may, besides root and the daemon's user `own`; if it is empty, every user may who can connect.
  init(users: [UInt32], own: UInt32 = Peer.ownUser) {
    self.users = users
    self.own = own
  }

  /// Whether a user may call the pad's methods.
  func allows(_ user: UInt32) -> Bool {
    users.isEmpty || user == 0 || user == own || users.contains(user)
  }
}
