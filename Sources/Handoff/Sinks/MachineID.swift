internal import Linux
internal import Nettle

/// An id that tells this machine from others.
struct MachineID: Equatable, Sendable {
  /// Twelve hexadecimal digits.
  ///
  /// A hash of /etc/machine-id, which must stay secret (machine-id(5)), with this program's name as the key's
  /// application, as sd_id128_get_machine_app_specific(3) does it. Without that file, a hash of the serial number;
  /// without both, a random id that is valid until the program ends.
  let text: String
  /// The SoC's serial number; without one, `text`.
  let serial: String

  /// This machine's.
  static let current = MachineID(root: "")

  /// `root`: the path of the folder with /etc and /sys.
  init(root: String) {
    let serial = Self.serial(root)
    if let bytes = Folder.content(of: root + "/etc/machine-id"), bytes.count >= Self.length,
      // An image that sets its id at the first boot has "uninitialized" before that.
      bytes.prefix(Self.length).allSatisfy({ Hexadecimal.value(of: $0) != nil })
    {
      text = Self.short(Array(bytes.prefix(Self.length)))
    } else if let serial {
      text = Self.short(Array(serial.utf8))
    } else {
      let random = (try? Randomness.bits()) ?? UInt64(bitPattern: MonotonicClock.now)
      text = Self.short(Array("\(random)".utf8))
    }
    self.serial = serial ?? text
  }

  private static let length = 32

  /// By device tree (Devicetree Specification, section 3.2) or SoC driver (/sys/devices/soc0); nil: none.
  private static func serial(_ root: String) -> String? {
    for path in ["/sys/firmware/devicetree/base/serial-number", "/sys/devices/soc0/serial_number"] {
      // A property of the device tree ends with NUL.
      let bytes = Folder.content(of: root + path)?.prefix { $0 > 0x20 && $0 < 0x7f } ?? []
      // Boards without one report zeros.
      if bytes.contains(where: { $0 != UInt8(ascii: "0") }) {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
    return nil
  }

  private static func short(_ bytes: [UInt8]) -> String {
    let digits = SHA256.authenticationCode(of: Array("org.paraph.handoff".utf8), key: bytes)
    return String(decoding: digits.utf8.prefix(12), as: UTF8.self)
  }
}
