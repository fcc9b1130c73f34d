internal import CLinux

/// Reads the output of all versions of evemu-record.
///
/// The device's description is in comments and N, I, P, B and A lines, or missing. Each event is an E line.
///
///     N: EP0430M09                        name
///     I: 0018 0000 0000 0000              bus, vendor, product, version
///     P: 02 00 00 00 00 00 00 00          INPUT_PROP bits
///     B: 03 03 00 00 00 00 80 60 02       event type, eight bytes of its codes; more follow
///     A: 35 0 1279 0 0 0                  axis, minimum, maximum, fuzz, flat, resolution
///     E: 0.000001 0003 0035 0930          time, type, code, value
struct EvemuReader {
  private var recording = DeviceRecording()
  /// The number of bytes of codes so far, by event type.
  private var codeBytes = [Int](repeating: 0, count: Int(EV_CNT))
  private var propertyBytes = 0
  /// The event type and code that the comments describe.
  private var commentType: Int32?
  private var commentCode: Int32?

  /// Reads a whole file. Only the last line may be malformed.
  static func read(_ bytes: [UInt8]) throws(LineError) -> DeviceRecording {
    var reader = EvemuReader()
    var lines = TextLines(bytes)
    while var line = lines.next() {
      if let reason = reader.read(&line) {
        if lines.isAtEnd { break }
        throw LineError(lines.number, reason)
      }
    }
    reader.recording.completeDescription()
    return reader.recording
  }

  /// Reads a line. Returns the reason if it is malformed.
  private mutating func read(_ line: inout FieldCursor) -> String? {
    line.skipBlanks()
    if line.peek == nil { return nil }
    if line.skip("#") {
      if recording.events.isEmpty { readComment(&line) }
      return nil
    }
    if line.skip("E:") { return readEvent(&line) }
    if line.skip("N:") {
      recording.device.name = line.rest()
      return nil
    }
    if line.skip("I:") { return readIdentity(&line) }
    if line.skip("P:") { return readProperties(&line) }
    if line.skip("B:") { return readCodes(&line) }
    if line.skip("A:") { return readAxis(&line) }
    // LEDs and switches.
    if line.skip("L:") || line.skip("S:") { return nil }
    return "not a line of evemu's format"
  }

  private mutating func readEvent(_ line: inout FieldCursor) -> String? {
    guard let time = line.seconds() else { return "the event's time is not SECONDS.MICROSECONDS" }
    guard let type = line.integer(radix: 16, as: UInt16.self),
      let code = line.integer(radix: 16, as: UInt16.self)
    else { return "the event's type and code are not hexadecimal numbers" }
    guard let value = line.integer(as: Int32.self), line.isAtEndOrComment else {
      return "the event's value is not a number of 32 bits"
    }
    recording.events.append(InputEvent(time: time, type: type, code: code, value: value))
    return nil
  }

  private mutating func readIdentity(_ line: inout FieldCursor) -> String? {
    guard let bus = line.integer(radix: 16, as: UInt16.self),
      let vendor = line.integer(radix: 16, as: UInt16.self),
      let product = line.integer(radix: 16, as: UInt16.self),
      let version = line.integer(radix: 16, as: UInt16.self)
    else { return "the device's numbers are not four hexadecimal numbers" }
    recording.device.identity.bus = bus
    recording.device.identity.vendor = vendor
    recording.device.identity.product = product
    recording.device.identity.version = version
    return nil
  }

  private mutating func readProperties(_ line: inout FieldCursor) -> String? {
    while !line.isAtEndOrComment {
      guard let byte = line.integer(radix: 16, as: UInt8.self) else {
        return "the device's properties are not hexadecimal bytes"
      }
      for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 {
        recording.device.properties.insert(Int32(min(propertyBytes, 1000) * 8 + bit))
      }
      propertyBytes += 1
    }
    return nil
  }

  private mutating func readCodes(_ line: inout FieldCursor) -> String? {
    guard let type = line.integer(radix: 16, as: Int32.self), type >= 0, type < EV_CNT else {
      return "unknown event type"
    }
    while !line.isAtEndOrComment {
      guard let byte = line.integer(radix: 16, as: UInt8.self) else {
        return "the device's codes are not hexadecimal bytes"
      }
      // The line of type 0 lists the types, not codes.
      for bit in 0..<8 where type != EV_SYN && byte & (1 << UInt8(bit)) != 0 {
        recording.device.add(type, Int32(min(codeBytes[Int(type)], 1000) * 8 + bit))
      }
      codeBytes[Int(type)] += 1
    }
    return nil
  }

  private mutating func readAxis(_ line: inout FieldCursor) -> String? {
    guard let axis = line.integer(radix: 16, as: Int32.self), axis >= 0, axis < ABS_CNT else {
      return "unknown axis"
    }
    guard let minimum = line.integer(as: Int32.self), let maximum = line.integer(as: Int32.self)
    else { return "the axis has no minimum and maximum" }
    var range = AxisRange(minimum: minimum, maximum: maximum)
    // Older versions omit flat and resolution.
    range.fuzz = line.integer(as: Int32.self) ?? 0
    range.flat = line.integer(as: Int32.self) ?? 0
    range.resolution = line.integer(as: Int32.self) ?? 0
    recording.device.describe(axis, as: range)
    return nil
  }

  /// Reads the kernel's state at the start (EVIOCGABS) from a comment.
  ///
  /// Of the ABS_MT axes, only the slot has a state. For the others, 0 may mean that none was reported yet.
  ///
  ///     #   Event type 3 (EV_ABS)
  ///     #     Event code 47 (ABS_MT_SLOT)
  ///     #       Value        3
  private mutating func readComment(_ line: inout FieldCursor) {
    line.skipBlanks()
    if line.skip("Event type ") {
      commentType = line.integer(as: Int32.self)
    } else if line.skip("Event code ") {
      commentCode = line.integer(as: Int32.self)
    } else if line.skip("Value "), commentType == EV_ABS, let value = line.integer(as: Int32.self) {
      switch commentCode {
      case ABS_MT_SLOT: recording.state.slot = value
      case ABS_X where value != 0: recording.state.x = value
      case ABS_Y where value != 0: recording.state.y = value
      default: break
      }
    }
  }
}
