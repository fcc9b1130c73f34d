/// What the HID touch panel says of its reports, written after "Device Class Definition for HID 1.11"
/// and Microsoft's "Windows precision touchscreen required HID top-level collections", whose
/// certification blob is what makes Linux's hid-multitouch treat a panel as one of that class.
enum ReportDescriptor {
  static let contactsReport: UInt8 = 1
  static let maximumReport: UInt8 = 2
  static let certificationReport: UInt8 = 3

  /// Bytes of the certification blob.
  static let certificationSize = 256

  /// Input report 1: the fingers, the scan time, how many of the fingers are meant. Feature reports 2
  /// and 3: how many there can be, and the certification.
  static func bytes(_ panel: Panel) -> [UInt8] {
    let head: [UInt8] = [
      0x05, 0x0D,  // Usage Page (Digitizers)
      0x09, 0x04,  // Usage (Touch Screen)
      0xA1, 0x01,  // Collection (Application)
      0x85, contactsReport,
    ]
    let fingers = (0..<panel.slots).flatMap { _ in finger(panel) }
    return head + fingers + timeAndCount + features(panel)
  }

  private static func finger(_ panel: Panel) -> [UInt8] {
    let open: [UInt8] = [
      0x05, 0x0D,  // Usage Page (Digitizers)
      0x09, 0x22,  // Usage (Finger)
      0xA1, 0x02,  // Collection (Logical)
      0x15, 0x00, 0x25, 0x01,  // Logical 0…1
      0x75, 0x01, 0x95, 0x01,  // 1 bit, once
      0x09, 0x42, 0x81, 0x02,  // Tip Switch: Input (Data, Variable, Absolute)
      0x09, 0x47, 0x81, 0x02,  // Confidence
      0x95, 0x06, 0x81, 0x03,  // 6 bits unused: Input (Constant)
      0x75, 0x08, 0x95, 0x01,  // 8 bits, once
      0x25, 0x7F, 0x09, 0x51, 0x81, 0x02,  // Contact Identifier 0…127
      0x05, 0x01,  // Usage Page (Generic Desktop)
      0x75, 0x10,  // 16 bits
      0x65, 0x11, 0x55, 0x0F,  // Unit (cm), Exponent −1: millimetres
      0x35, 0x00,  // Physical Minimum 0
    ]
    let x = axis(usage: 0x30, maximum: panel.maximumX, millimetres: panel.width)
    let y = axis(usage: 0x31, maximum: panel.maximumY, millimetres: panel.height)
    // Unit and physical range are global items: taken back, or the next fields would inherit them.
    return open + x + y + [0x45, 0x00, 0x65, 0x00, 0x55, 0x00, 0xC0]
  }

  private static func axis(usage: UInt8, maximum: Int32, millimetres: Int) -> [UInt8] {
    [0x26] + littleEndian(UInt16(maximum))  // Logical Maximum
      + [0x46] + littleEndian(UInt16(millimetres))  // Physical Maximum
      + [0x09, usage, 0x81, 0x02]
  }

  private static let timeAndCount: [UInt8] = [
    0x05, 0x0D,  // Usage Page (Digitizers)
    0x66, 0x01, 0x10, 0x55, 0x0C,  // Unit (seconds), Exponent −4: 100 µs
    0x27, 0xFF, 0xFF, 0x00, 0x00,  // Logical Maximum 65535
    0x47, 0xFF, 0xFF, 0x00, 0x00,  // Physical Maximum 65535
    0x75, 0x10, 0x95, 0x01, 0x09, 0x56, 0x81, 0x02,  // Scan Time, 16 bits
    0x45, 0x00, 0x65, 0x00, 0x55, 0x00,
    0x25, 0x7F, 0x75, 0x08, 0x09, 0x54, 0x81, 0x02,  // Contact Count, 8 bits
  ]

  private static func features(_ panel: Panel) -> [UInt8] {
    [
      0x85, maximumReport,
      0x25, UInt8(panel.slots),
      0x09, 0x55, 0xB1, 0x02,  // Contact Count Maximum: Feature (Data, Variable, Absolute)
      0x85, certificationReport,
      0x06, 0x00, 0xFF,  // Usage Page (vendor)
      0x26, 0xFF, 0x00,  // Logical Maximum 255
      0x75, 0x08, 0x96, 0x00, 0x01,  // 8 bits, 256 times
      0x09, 0xC5, 0xB1, 0x02,  // the certification blob
      0xC0,
    ]
  }

  static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
