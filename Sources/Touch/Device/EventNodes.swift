internal import CLinux
internal import Linux

/// The nodes of event devices.
enum EventNodes {
  static let folder = "/dev/input"

  /// For example "/dev/input/event5", in the order of their numbers; none without the folder.
  static func paths(in folder: String = folder) -> [String] {
    let names: [String]
    do throws(Errno) { names = try Folder.names(of: folder) } catch { return [] }
    return names.compactMap { number(Array($0.utf8)) }.sorted().map { "\(folder)/event\($0)" }
  }

  /// 5 for "event5"; nil for "mouse0" and all else.
  static func number(_ name: [UInt8]) -> Int? {
    guard name.starts(with: Array("event".utf8)), name.count > 5, name.count < 12 else {
      return nil
    }
    var value = 0
    for byte in name.dropFirst(5) {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte) - 48
    }
    return value
  }

  /// The device that a node stands for, as the kernel counts: nodes are used anew, and links lead to them.
  static func identity(of path: String) -> UInt64? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, CLinux_isCharacterDevice(status.st_mode) != 0 else {
      return nil
    }
    return UInt64(status.st_rdev)
  }

  /// What udev's rules found out about a node (udev's database; not an interface that it promises, and
  /// so it may be missing).
  static func properties(of path: String, in database: String = "/run/udev/data") -> UdevProperties
  {
    var properties = UdevProperties()
    guard let device = identity(of: path) else { return properties }
    let (major, minor) = (gnu_dev_major(dev_t(device)), gnu_dev_minor(dev_t(device)))
    guard let content = Folder.content(of: "\(database)/c\(major):\(minor)", limit: 1 << 16) else {
      return properties
    }
    for line in content.split(separator: UInt8(ascii: "\n"))
    where line.starts(with: Array("E:".utf8)) {
      properties.add(String(decoding: line.dropFirst(2), as: UTF8.self))
    }
    return properties
  }

  /// An attribute of the device behind a node, from sysfs, which needs no permission: for example "name"
  /// or "capabilities/abs".
  static func attribute(_ name: String, of path: String) -> String? {
    Folder.line(of: "/sys/class/input/\(path.lastName)/device/\(name)")
  }

  /// The links in `/dev/input/by-path` and `by-id` that lead to a node: names that stay when devices
  /// change their order.
  static func links(to path: String, in folder: String = folder) -> [String] {
    ["by-path", "by-id"].flatMap { kind -> [String] in
      let names: [String]
      do throws(Errno) { names = try Folder.names(of: "\(folder)/\(kind)") } catch { return [] }
      return names.map { "\(folder)/\(kind)/\($0)" }.filter { link in
        Folder.target(ofLink: link).map { $0.lastName.isSame(as: path.lastName) } ?? false
      }
    }
  }
}

extension String {
  /// What follows the last slash.
  var lastName: String {
    let bytes = Array(utf8)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
    return String(decoding: bytes[(slash + 1)...], as: UTF8.self)
  }
}
