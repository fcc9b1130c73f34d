internal import CLinux

/// As whom a service runs, and what the permission bits then let it do: asked from outside, as the kernel
/// would decide. Access control lists are not looked at.
public struct Credentials: Sendable, Equatable {
  /// What is wanted of a file or folder; in a folder, names can be added and removed by `.change`.
  public enum Wish: UInt32, Sendable {
    /// Opening to read.
    case read = 0o4
    /// Opening to read and write.
    case write = 0o6
    /// Looking up names, and adding and removing them.
    case change = 0o3
  }

  /// The user's number; 0 may everything.
  public let user: UInt32
  /// All groups, the primary one among them.
  public let groups: [UInt32]

  /// By number.
  public init(user: UInt32, groups: [UInt32]) {
    self.user = user
    self.groups = groups
  }

  /// A user with the groups of the user database and `more`; nil if there is no such user. Groups that
  /// do not exist are left out.
  public init?(user name: String, more: [String] = []) {
    guard let entry = unsafe getpwnam(name) else { return nil }
    let (user, primary) = unsafe (entry.pointee.pw_uid, entry.pointee.pw_gid)
    var count: Int32 = 256
    var groups = [gid_t](repeating: 0, count: Int(count))
    if unsafe getgrouplist(name, primary, &groups, &count) < 0 { count = 0 }
    self.init(
      user: user,
      groups: [primary] + Array(groups.prefix(Int(count))) + more.compactMap { Account.group($0) })
  }

  /// Whether a file with these bits, of this owner and group, lets them.
  public func may(_ wish: Wish, mode: UInt32, owner: UInt32, group: UInt32) -> Bool {
    if user == 0 { return true }
    // The first class that fits decides, even if a later one would allow more (path_resolution(7)).
    let shift: UInt32 = owner == user ? 6 : groups.contains(group) ? 3 : 0
    return mode >> shift & wish.rawValue == wish.rawValue
  }

  /// The same of what was found.
  public func may(_ wish: Wish, _ file: FileStatus) -> Bool {
    may(wish, mode: file.mode, owner: file.owner, group: file.group)
  }
}
