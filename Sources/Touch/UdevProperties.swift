internal import Linux

/// The properties that udev's rules gave a device.
public struct UdevProperties: Sendable, Equatable {
  /// One property.
  private struct Entry: Sendable, Equatable {
    var name: String
    var value: String
  }

  private var entries: [Entry] = []

  /// None.
  public init() {}

  /// The value of a property, for example of "ID_INPUT_TOUCHSCREEN".
  public subscript(name: String) -> String? {
    entries.last { $0.name.isSame(as: name) }?.value
  }

  /// "NAME=value" of each.
  public var lines: [String] { entries.map { "\($0.name)=\($0.value)" } }

  /// Takes in a line "NAME=value"; anything else is left out.
  public mutating func add(_ line: String) {
    let bytes = Array(line.utf8)
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0 else { return }
    entries.append(
      Entry(
        name: String(decoding: bytes[..<equals], as: UTF8.self),
        value: String(decoding: bytes[(equals + 1)...], as: UTF8.self)))
  }
}
