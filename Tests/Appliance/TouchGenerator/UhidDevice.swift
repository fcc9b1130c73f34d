import CLinux
import Linux

/// A HID touch panel made through /dev/uhid: the kernel's own hid-multitouch reads its descriptor and
/// its reports and makes the events (Documentation/hid/uhid.rst).
///
/// The protocol's structs are packed, which Swift does not import: events are laid out here by hand.
struct UhidDevice: TouchDevice, ~Copyable {
  private let descriptor: FileDescriptor
  private let slots: Int
  private let start: Int64

  var questions: Int32 { descriptor.number }
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

  /// struct uhid_create2_req. A vendor and product that are in no driver's list of quirks.
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
    guard count >= 4 else { throw Failure("/dev/uhid: the event ends early") }
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
      // A finger that left is told once more, without its tip, where it was last.
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

  /// A shorter event than the kernel's struct is filled up with zeros there.
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
