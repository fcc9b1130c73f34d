internal import CLinux

/// The user and groups of a service, and the access that permission bits give them.
///
/// Decides as the kernel would, without being that user. Ignores access control lists.
public struct Credentials: Sendable, Equatable {
  /// The kind of access to a file or folder.
  public enum Access: UInt32, Sendable {
    /// Open a file for reading.
    case read = 0o4
    /// Open a file for reading and writing.
    case write = 0o6
    /// Look up, add and remove names in a folder.
    case change = 0o3
    /// Look up names in a folder.
    case search = 0o1
    /// Look up and list the names of a folder.
    case list = 0o5
  }

  /// The user's id; 0 has all permissions.
  public let user: UInt32
  /// The ids of all groups, including the primary one.
  public let groups: [UInt32]

  /// Credentials of a user id and group ids.
  public init(user: UInt32, groups: [UInt32]) {
    self.user = user
    self.groups = groups
  }

  /// Looks up a user and adds the groups `more`; nil if the user does not exist.
  ///
  /// Ignores groups that do not exist.
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

  /// Whether a file's mode, owner and group permit the access.
  public func may(_ access: Access, mode: UInt32, owner: UInt32, group: UInt32) -> Bool {
    if user == 0 { return true }
    // The first class that matches decides, even if a later one permits more (path_resolution(7)).
    let shift: UInt32 = owner == user ? 6 : groups.contains(group) ? 3 : 0
    return mode >> shift & access.rawValue == access.rawValue
  }

  /// Whether a file permits the access.
  public func may(_ access: Access, _ file: FileStatus) -> Bool {
    may(access, mode: file.mode, owner: file.owner, group: file.group)
  }
}

/// Looks up users and groups by name or id (getpwnam(3), getgrnam(3)).
public enum Account {
  /// The id of a user given by name or id; nil if the user does not exist.
  public static func user(_ name: String) -> UInt32? {
    if let number = id(name) { return number }
    guard let entry = unsafe getpwnam(name) else { return nil }
    return unsafe entry.pointee.pw_uid
  }

  /// The id of a group given by name or id; nil if the group does not exist.
  public static func group(_ name: String) -> UInt32? {
    if let number = id(name) { return number }
    guard let entry = unsafe getgrnam(name) else { return nil }
    return unsafe entry.pointee.gr_gid
  }

  /// Reads decimal digits; UInt32(_:) also accepts a plus sign.
  private static func id(_ text: String) -> UInt32? {
    text.utf8.first == UInt8(ascii: "+") ? nil : UInt32(text)
  }

  /// The name of a group, or its id if it has no name.
  public static func name(ofGroup number: UInt32) -> String {
    guard let entry = unsafe getgrgid(number) else { return "\(number)" }
    return unsafe String(cString: entry.pointee.gr_name)
  }

  /// The name of a user, or its id if it has no name.
  public static func name(ofUser number: UInt32) -> String {
    guard let entry = unsafe getpwuid(number) else { return "\(number)" }
    return unsafe String(cString: entry.pointee.pw_name)
  }

  /// The name of a user of /etc/passwd; nil: it is not there. Asks no directory service, which may hang.
  public static func localName(ofUser number: UInt32) -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe CLinux_localUserName(number, &name, name.count) else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
