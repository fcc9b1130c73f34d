import CLinux
import Linux

/// A HID touch panel of /dev/uhid, whose reports hid-multitouch turns into events (Documentation/hid/uhid.rst).
///
/// Swift does not import the protocol's packed structs, so their bytes are built here.
struct UhidDevice: TouchDevice, ~Copyable {
  private let descriptor: FileDescriptor
  private let slots: Int
  private let start: Int64

  var requests: Int32 { descriptor.number }
  var repeats: Bool { true }
  private(set) var isReady: Bool

  /// enum uhid_event_type.
  private enum Event {
    static let start: UInt32 = 2
    static let getReport: UInt32 = 9
    static let getReportReply: UInt32 = 10
    static let create: UInt32 = 11
    static let input: UInt32 = 12
    static let setReport: UInt32 = 13
    static let setReportReply: UInt32 = 14
  }

  init(_ panel: Panel) throws(Failure) {
    let opened = try Self.open()
    try Self.send(Event.create, Self.creation(panel), to: opened)
    descriptor = opened
    slots = panel.slots
    start = MonotonicClock.now
    isReady = false
  }

  private static func open() throws(Failure) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor(opening: "/dev/uhid", O_RDWR)
    } catch {
      throw Failure("/dev/uhid: \(error.text)")
    }
  }

  /// struct uhid_create2_req, with a vendor and product without quirks in any driver.
  private static func creation(_ panel: Panel) -> [UInt8] {
    let map = ReportDescriptor.bytes(panel)
    var request = Array(panel.name.utf8.prefix(127))
    request += [UInt8](repeating: 0, count: 128 - request.count)
    request += [UInt8](repeating: 0, count: 64 + 64)  // phys, uniq
    request += ReportDescriptor.littleEndian(UInt16(map.count))
    request += ReportDescriptor.littleEndian(UInt16(BUS_USB))
    request += ReportDescriptor.littleEndian(UInt32(0x1209))
    request += ReportDescriptor.littleEndian(UInt32(0x0001))
    request += ReportDescriptor.littleEndian(UInt32(0))  // version
    request += ReportDescriptor.littleEndian(UInt32(0))  // country
    return request + map
  }

  mutating func answer() throws(Failure) {
    var event = [UInt8](repeating: 0, count: 4380)
    let count: Int
    do throws(Errno) {
      var bytes = event.mutableSpan
      var raw = unsafe bytes.mutableBytes
      count = try descriptor.read(into: &raw)
    } catch {
      throw Failure("/dev/uhid: \(error.text)")
    }
    guard count >= 4 else { throw Failure("/dev/uhid: event too short") }
    switch Self.word(event, at: 0) {
    case Event.start: isReady = true
    case Event.getReport: try answerReport(event[8], request: Array(event[4..<8]))
    case Event.setReport: try send(Event.setReportReply, Array(event[4..<8]) + [0, 0])
    default: break
    }
  }

  /// struct uhid_get_report_reply_req: the request's number, an error, the report.
  private func answerReport(_ number: UInt8, request: [UInt8]) throws(Failure) {
    var report = [number]
    switch number {
    case ReportDescriptor.maximumReport: report.append(UInt8(slots))
    case ReportDescriptor.certificationReport:
      report += [UInt8](repeating: 0, count: ReportDescriptor.certificationSize)
    default:
      return try send(
        Event.getReportReply, request + ReportDescriptor.littleEndian(UInt16(EIO)) + [0, 0])
    }
    let size = ReportDescriptor.littleEndian(UInt16(report.count))
    try send(Event.getReportReply, request + [0, 0] + size + report)
  }

  mutating func report(_ fingers: borrowing Fingers) throws(Failure) {
    var body: [UInt8] = []
    var count: UInt8 = 0
    for slot in fingers.now.indices {
      // A lifted finger is reported once more at its last position, without its tip.
      guard let finger = fingers.now[slot] ?? fingers.before[slot] else { continue }
      let tip: UInt8 = fingers.now[slot] == nil ? 0 : 1
      body += [tip | 2, UInt8(slot)]
      body += ReportDescriptor.littleEndian(UInt16(finger.x))
      body += ReportDescriptor.littleEndian(UInt16(finger.y))
      count += 1
    }
    body += [UInt8](repeating: 0, count: (slots - Int(count)) * 6)
    let time = UInt16(truncatingIfNeeded: (MonotonicClock.now - start) / 100_000)
    let report =
      [ReportDescriptor.contactsReport] + body + ReportDescriptor.littleEndian(time) + [count]
    try send(Event.input, ReportDescriptor.littleEndian(UInt16(report.count)) + report)
  }

  /// Sends an event. The kernel fills shorter ones with zeros.
  private func send(_ type: UInt32, _ content: [UInt8]) throws(Failure) {
    try Self.send(type, content, to: descriptor)
  }

  private static func send(
    _ type: UInt32, _ content: [UInt8], to descriptor: borrowing FileDescriptor
  ) throws(Failure) {
    let bytes = ReportDescriptor.littleEndian(type) + content
    let number = descriptor.number
    do throws(Errno) {
      _ = try Errno.checkCount { unsafe write(number, bytes, bytes.count) }
    } catch {
      throw Failure("/dev/uhid: \(error.text)")
    }
  }

  private static func word(_ bytes: [UInt8], at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << ($1 * 8) }
  }
}

/// The report descriptor of the HID touch panel.
///
/// Sources: "Device Class Definition for HID 1.11" and Microsoft's "Windows precision touchscreen required HID
/// top-level collections", whose certification blob selects the class of panels in hid-multitouch.
enum ReportDescriptor {
  static let contactsReport: UInt8 = 1
  static let maximumReport: UInt8 = 2
  static let certificationReport: UInt8 = 3

  /// The size of the certification blob in bytes.
  static let certificationSize = 256

  /// The descriptor's bytes.
  ///
  /// Input report 1 has the fingers, the scan time and the contact count. Feature reports 2 and 3 have the maximum
  /// count and the certification.
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
    // Unit and physical range are global items: reset for the next fields.
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
