internal import CLinux
public import Linux

/// A recording of a device or a tablet, read from a file.
public enum Recording: Sendable, Equatable {
  /// The events of a touchscreen or pen, from evemu-record or libinput record.
  case device(DeviceRecording)
  /// The strokes of a `.svc` file.
  case handwriting(Handwriting)

  /// The limit of a file's size in bytes: more than a day of a busy panel.
  public static let sizeLimit = 256 << 20

  /// Reads a file's bytes, up to `sizeLimit`.
  public static func bytes(of path: String) throws(RecordingError) -> [UInt8] {
    let content: [UInt8]?
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      content = try file.readAll(limit: Recording.sizeLimit)
    } catch {
      throw .unreadable(SystemError("read", path, error))
    }
    guard let content else { throw .tooLarge(file: path, limit: Recording.sizeLimit) }
    return content
  }

  /// Reads a file, in the format that its content shows.
  public init(contentsOf path: String) throws(RecordingError) {
    self = try Recording(try Recording.bytes(of: path), file: path)
  }

  /// Reads a file's content; `file` is its name for errors.
  public init(_ bytes: [UInt8], file: String) throws(RecordingError) {
    do throws(LineError) {
      switch RecordingFormat(bytes) {
      case .evemu: self = .device(try EvemuReader.read(bytes))
      case .libinput: self = .device(try LibinputReader.read(bytes))
      case .handwriting: self = .handwriting(try HandwritingReader.read(bytes))
      case nil:
        throw LineError(0, "unknown format: neither evemu, libinput nor .svc")
      }
    } catch {
      throw .malformed(file: file, line: error.line, reason: error.reason)
    }
  }
}

/// Why a recording cannot be used.
public enum RecordingError: Error, Equatable, Sendable {
  /// The file cannot be read.
  case unreadable(SystemError)
  /// The file exceeds the limit in bytes.
  case tooLarge(file: String, limit: Int)
  /// A line does not match the format; line 0 is the whole file.
  case malformed(file: String, line: Int, reason: String)

  /// The error as a line: "taps.evemu:12: …".
  public var text: String {
    switch self {
    case .unreadable(let error): error.text
    case .tooLarge(let file, let limit): "\(file): larger than \(limit >> 20) MiB"
    case .malformed(let file, let line, let reason):
      line > 0 ? "\(file):\(line): \(reason)" : "\(file): \(reason)"
    }
  }
}

/// The events of one device, with its description.
public struct DeviceRecording: Sendable, Equatable {
  /// The device's description, completed from its events.
  public var device = DeviceDescription()
  /// The state before the first event, as far as it was recorded.
  public var state = DeviceState()
  /// The recorded udev properties.
  public var properties = UdevProperties()
  /// The events in the kernel's order.
  public var events: [InputEvent] = []

  /// An empty recording.
  public init() {}

  /// Whether the device has contacts.
  var hasContacts: Bool { DeviceProtocol(device).hasContacts }

  /// Adds what the events show of the device: its description may be missing or cut off.
  mutating func completeDescription() {
    let isEmpty = device.codes(of: EV_ABS).isEmpty
    var seen = [ClosedRange<Int32>?](repeating: nil, count: Int(ABS_CNT))
    var hasLists = false
    for event in events {
      let (type, code) = (Int32(event.type), Int32(event.code))
      if type == EV_SYN {
        hasLists = hasLists || code == SYN_MT_REPORT
        continue
      }
      device.add(type, code)
      guard type == EV_ABS, code < ABS_CNT else { continue }
      let range = seen[Int(code)] ?? event.value...event.value
      seen[Int(code)] = min(range.lowerBound, event.value)...max(range.upperBound, event.value)
    }
    // Without SYN_MT_REPORT it is protocol B with a single slot that was never selected.
    if isEmpty && device.hasAxis(ABS_MT_TRACKING_ID) && !device.hasAxis(ABS_MT_SLOT) && !hasLists {
      device.describe(ABS_MT_SLOT, as: AxisRange(minimum: 0, maximum: 0))
    }
    for axis in 0..<ABS_CNT where device.range(of: axis) == nil {
      guard let range = seen[Int(axis)] else { continue }
      device.describe(axis, as: AxisRange(minimum: range.lowerBound, maximum: range.upperBound))
    }
  }
}

/// The formats of recordings.
enum RecordingFormat {
  case evemu, libinput, handwriting

  /// Detects the format by the first line with content; nil if unknown.
  init?(_ bytes: [UInt8]) {
    var lines = TextLines(bytes)
    while var line = lines.next() {
      line.skipBlanks()
      guard let first = line.peek else { continue }
      if first == UInt8(ascii: "#") {
        if line.starts(with: "# EVEMU") {
          self = .evemu
          return
        }
        if line.starts(with: "# libinput record") {
          self = .libinput
          return
        }
        continue
      }
      guard let format = RecordingFormat(line) else { return nil }
      self = format
      return
    }
    return nil
  }

  private init?(_ line: FieldCursor) {
    var number = line
    if number.integer() != nil && number.isAtEnd {
      self = .handwriting
    } else if RecordingFormat.evemuKeys.contains(where: { line.starts(with: $0) }) {
      self = .evemu
    } else if RecordingFormat.libinputKeys.contains(where: { line.starts(with: $0) }) {
      self = .libinput
    } else {
      return nil
    }
  }

  private static let evemuKeys: [StaticString] = ["E:", "N:", "I:", "P:", "B:", "A:"]
  private static let libinputKeys: [StaticString] = [
    "---", "%YAML", "version:", "ndevices:", "libinput:", "system:", "devices:",
  ]
}
