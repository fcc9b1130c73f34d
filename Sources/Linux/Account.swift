internal import CLinux

/// Users and groups by name or number, as /etc/passwd and its kin have them.
public enum Account {
  /// The number of a user; nil if there is no such user.
  public static func user(_ name: String) -> UInt32? {
    if let number = UInt32(name) { return number }
    guard let entry = unsafe getpwnam(name) else { return nil }
    return unsafe entry.pointee.pw_uid
  }

  /// The number of a group; nil if there is no such group.
  public static func group(_ name: String) -> UInt32? {
    if let number = UInt32(name) { return number }
    guard let entry = unsafe getgrnam(name) else { return nil }
    return unsafe entry.pointee.gr_gid
  }

  /// The name of a group; its number where it has none.
  public static func name(ofGroup number: UInt32) -> String {
    guard let entry = unsafe getgrgid(number) else { return "\(number)" }
    return unsafe String(cString: entry.pointee.gr_name)
  }

  /// The name of a user; the number where there is none.
  public static func name(ofUser number: UInt32) -> String {
    guard let entry = unsafe getpwuid(number) else { return "\(number)" }
    return unsafe String(cString: entry.pointee.pw_name)
  }
}
