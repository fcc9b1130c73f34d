internal import CLinux
internal import Linux

/// The nodes of event devices.
enum EventNodes {
  static let folder = "/dev/input"

  /// The nodes in the order of their numbers, for example "/dev/input/event5"; none without the folder.
  static func paths(in folder: String = folder) -> [String] {
    let names: [String]
    do throws(Errno) { names = try Folder.names(of: folder) } catch { return [] }
    return names.compactMap { number($0) }.sorted().map { "\(folder)/event\($0)" }
  }

  /// 5 for "event5"; nil for "mouse0" and other names.
  static func number(_ name: String) -> Int? {
    let digits = name.utf8.dropFirst(5)
    guard name.utf8.starts(with: "event".utf8), (1...6).contains(digits.count) else { return nil }
    var value = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// The device number of a node; nil for other files. Names are reused, and links lead to nodes.
  static func deviceNumber(of path: String) -> UInt64? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, CLinux_isCharacterDevice(status.st_mode) != 0 else {
      return nil
    }
    return UInt64(status.st_rdev)
  }

  /// The properties of a node in udev's database, which is no stable interface and may be missing.
  static func properties(of path: String, in database: String = "/run/udev/data") -> UdevProperties
  {
    var properties = UdevProperties()
    guard let device = deviceNumber(of: path) else { return properties }
    let (major, minor) = (gnu_dev_major(dev_t(device)), gnu_dev_minor(dev_t(device)))
    guard let content = Folder.content(of: "\(database)/c\(major):\(minor)", limit: 1 << 16) else {
      return properties
    }
    for line in content.split(separator: UInt8(ascii: "\n")) where line.starts(with: "E:".utf8) {
      properties.add(String(decoding: line.dropFirst(2), as: UTF8.self))
    }
    return properties
  }

  /// An attribute of a node's device from sysfs, which needs no permission; for example "capabilities/abs".
  static func attribute(_ name: String, of path: String) -> String? {
    Folder.line(of: "/sys/class/input/\(path.lastName)/device/\(name)")
  }

  /// The links to a node in `/dev/input/by-path` and `by-id`, whose names are stable.
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

/// An event device with its node.
public struct FoundDevice: Sendable {
  /// The node, for example "/dev/input/event5".
  public let path: String
  /// The device's description.
  public let description: DeviceDescription
  /// The properties of udev's rules; empty without udev.
  public let properties: UdevProperties

  /// Whether a path is this node or a link to it.
  func isReached(by link: String) -> Bool {
    guard let number = EventNodes.deviceNumber(of: link) else { return false }
    return number == EventNodes.deviceNumber(of: path)
  }
}

/// The properties that udev's rules gave a device.
public struct UdevProperties: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    var name: String
    var value: String
  }

  private var entries: [Entry] = []

  /// No properties.
  public init() {}

  /// The properties of a node in udev's database; none without udev.
  public init(of path: String) { self = EventNodes.properties(of: path) }

  /// The value of a property, for example of "ID_INPUT_TOUCHSCREEN".
  public subscript(name: String) -> String? {
    entries.last { $0.name.isSame(as: name) }?.value
  }

  /// The properties as "NAME=value".
  public var lines: [String] { entries.map { "\($0.name)=\($0.value)" } }

  /// Adds a line "NAME=value"; ignores other lines.
  public mutating func add(_ line: String) {
    let bytes = line.utf8
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > bytes.startIndex else {
      return
    }
    entries.append(
      Entry(
        name: String(decoding: bytes[..<equals], as: UTF8.self),
        value: String(decoding: bytes[equals...].dropFirst(), as: UTF8.self)))
  }
}

extension String {
  /// The part after the last slash.
  var lastName: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
    return String(decoding: utf8[slash...].dropFirst(), as: UTF8.self)
  }
}
