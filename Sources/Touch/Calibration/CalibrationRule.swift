internal import Linux

/// A udev rule of `paraph calibrate`, and the file with one rule per device.
public struct CalibrationRule: Sendable {
  /// The default file, where udev reads an administrator's rules.
  public static let path = "/etc/udev/rules.d/99-paraph-calibration.rules"

  private static let title = "# Written by paraph calibrate."
  private static let end = "paraph_calibrate_end"

  private let condition: String
  private let matrix: CalibrationMatrix

  /// The rule of a device.
  public init(_ matrix: CalibrationMatrix, for device: DeviceDescription) {
    self.matrix = matrix
    let identity = device.identity
    condition =
      "SUBSYSTEM==\"input\", KERNEL==\"event[0-9]*\", "
      + "ATTRS{name}==\"\(CalibrationRule.pattern(device.name))\", "
      + "ATTRS{id/vendor}==\"\(CalibrationRule.hexadecimal(identity.vendor))\", "
      + "ATTRS{id/product}==\"\(CalibrationRule.hexadecimal(identity.product))\""
  }

  /// The rule as a line.
  public var line: String { "\(condition), ENV{LIBINPUT_CALIBRATION_MATRIX}=\"\(matrix.text)\"" }

  /// The file with this rule in place of the device's former one; nil if another program wrote it.
  public func file(after former: [UInt8]?) -> String? {
    let former = String(decoding: former ?? [], as: UTF8.self)
    let lines = former.split(separator: "\n").map { String($0) }
    guard lines.isEmpty || lines[0].isSame(as: CalibrationRule.title) else { return nil }
    let others = lines.filter {
      $0.utf8.starts(with: "SUBSYSTEM".utf8) && !$0.utf8.starts(with: "\(condition),".utf8)
    }
    var text = CalibrationRule.title + "\n"
    text +=
      "# How the glass of each touchscreen lies on its picture; libinput reads the same property.\n"
    text += "ACTION==\"remove\", GOTO=\"\(CalibrationRule.end)\"\n"
    for line in others + [line] { text += line + "\n" }
    return text + "LABEL=\"\(CalibrationRule.end)\"\n"
  }

  /// A pattern of udev(7) for a name: special characters become an asterisk, and trailing blanks are dropped.
  private static func pattern(_ name: String) -> String {
    var pattern: [UInt8] = []
    for byte in name.utf8 {
      let isPlain =
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"):
          true
        default: " ._-+:/(),#&'".utf8.contains(byte)
        }
      if isPlain {
        pattern.append(byte)
      } else if pattern.last != UInt8(ascii: "*") {
        pattern.append(UInt8(ascii: "*"))
      }
    }
    while pattern.last == UInt8(ascii: " ") { pattern.removeLast() }
    return String(decoding: pattern, as: UTF8.self)
  }

  /// Four hexadecimal digits, as in sysfs.
  private static func hexadecimal(_ value: UInt16) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = [12, 8, 4, 0].map { digits[Int(value >> UInt16($0) & 15)] }
    return String(decoding: text, as: UTF8.self)
  }
}
