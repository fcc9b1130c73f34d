internal import CLinux

/// Reads the YAML that `libinput record` writes: a description of each device, and its events as
/// `[seconds, microseconds, type, code, value]`.
struct LibinputReader: ~Copyable {
  private var yaml: YAMLParser
  private var devices: [DeviceRecording] = []
  private var current = DeviceRecording()

  /// Reads a whole file; of several devices, the first one that can touch. A file that ends in the
  /// middle of a line keeps what was there before.
  static func read(_ bytes: [UInt8]) throws(LineError) -> DeviceRecording {
    var reader = LibinputReader(yaml: try YAMLParser(bytes))
    do throws(LineError) {
      try reader.readRoot()
    } catch {
      if error.line < lastLine(bytes) { throw error }
      reader.closeDevice()
    }
    return try reader.choice()
  }

  private init(yaml: consuming YAMLParser) { self.yaml = yaml }

  /// The number of the last line that is not blank.
  private static func lastLine(_ bytes: [UInt8]) -> Int {
    let newline = UInt8(ascii: "\n")
    let end = bytes.lastIndex { $0 != newline && !FieldCursor.isBlank($0) } ?? 0
    return bytes[..<min(end, bytes.count)].count { $0 == newline } + 1
  }

  private consuming func choice() throws(LineError) -> DeviceRecording {
    guard let first = devices.first else { throw LineError(0, "the recording has no device") }
    for index in devices.indices { devices[index].device.complete(from: devices[index].events) }
    let touching = devices.first { $0.canTouch && !$0.events.isEmpty }
    return touching ?? devices.first { !$0.events.isEmpty } ?? first
  }

  private mutating func readRoot() throws(LineError) {
    guard case .mappingStart = try yaml.next() else {
      throw LineError(yaml.line, "not a recording: no keys")
    }
    while let key = try nextKey() {
      if key.spells("devices") { try readDevices() } else { try skip() }
    }
  }

  private mutating func readDevices() throws(LineError) {
    guard try enterSequence() else { return }
    while try nextItemIsMapping() {
      current = DeviceRecording()
      while let key = try nextKey() {
        if key.spells("evdev") {
          try readDescription()
        } else if key.spells("udev") {
          try readUdev()
        } else if key.spells("events") {
          try readEvents()
        } else {
          try skip()
        }
      }
      closeDevice()
    }
  }

  private mutating func closeDevice() {
    if current != DeviceRecording() { devices.append(current) }
    current = DeviceRecording()
  }

  private mutating func readDescription() throws(LineError) {
    guard try enterMapping() else { return }
    while let key = try nextKey() {
      if key.spells("name") {
        current.device.name = try text()
      } else if key.spells("id") {
        try readIdentity()
      } else if key.spells("codes") {
        try readCodes()
      } else if key.spells("absinfo") {
        try readAxes()
      } else if key.spells("properties") {
        for property in try numbers() {
          current.device.properties.insert(Int32(clamping: property))
        }
      } else {
        try skip()
      }
    }
  }

  private mutating func readIdentity() throws(LineError) {
    let values = try numbers().map { UInt16(truncatingIfNeeded: $0) }
    guard values.count == 4 else { throw LineError(yaml.line, "a device's id has four numbers") }
    current.device.identity.bus = values[0]
    current.device.identity.vendor = values[1]
    current.device.identity.product = values[2]
    current.device.identity.version = values[3]
  }

  private mutating func readCodes() throws(LineError) {
    guard try enterMapping() else { return }
    while let key = try nextKey() {
      let type = try number(key)
      for code in try numbers() where type != Int64(EV_SYN) {
        current.device.add(Int32(clamping: type), Int32(clamping: code))
      }
    }
  }

  private mutating func readAxes() throws(LineError) {
    guard try enterMapping() else { return }
    while let key = try nextKey() {
      let axis = try number(key)
      let values = try numbers().map { Int32(clamping: $0) }
      guard values.count >= 2 else {
        throw LineError(yaml.line, "an axis has a minimum and a maximum")
      }
      var range = AxisRange(minimum: values[0], maximum: values[1])
      if values.count > 2 { range.fuzz = values[2] }
      if values.count > 3 { range.flat = values[3] }
      if values.count > 4 { range.resolution = values[4] }
      current.device.describe(Int32(clamping: axis), as: range)
    }
  }

  private mutating func readUdev() throws(LineError) {
    guard try enterMapping() else { return }
    while let key = try nextKey() {
      guard key.spells("properties") else {
        try skip()
        continue
      }
      guard try enterSequence() else { continue }
      while let property = try nextScalar() {
        current.properties.add(String(decoding: property, as: UTF8.self))
      }
    }
  }

  private mutating func readEvents() throws(LineError) {
    guard try enterSequence() else { return }
    while try nextItemIsMapping() {
      while let key = try nextKey() {
        if key.spells("evdev") { try readFrame() } else { try skip() }
      }
    }
  }

  private mutating func readFrame() throws(LineError) {
    guard try enterSequence() else { return }
    while true {
      switch try yaml.next() {
      case .sequenceStart: try readEvent()
      case .sequenceEnd, .end: return
      case .scalar(let text) where text.isEmpty: continue
      default: throw LineError(yaml.line, "an event is a list of five numbers")
      }
    }
  }

  private mutating func readEvent() throws(LineError) {
    let values = try numbersToEnd()
    guard values.count == 5 else {
      throw LineError(yaml.line, "an event is a list of five numbers, not of \(values.count)")
    }
    guard (0...9_000_000_000).contains(values[0]), (0...999_999).contains(values[1]),
      let type = UInt16(exactly: values[2]), let code = UInt16(exactly: values[3]),
      let value = Int32(exactly: values[4])
    else { throw LineError(yaml.line, "an event's number is out of range") }
    current.events.append(
      InputEvent(
        time: values[0] * 1_000_000_000 + values[1] * 1000, type: type, code: code, value: value))
  }
}

// What is asked for, and what the file has: whatever does not fit is passed over where it can be.
extension LibinputReader {
  /// The key of the next entry of a mapping, or nil at its end.
  private mutating func nextKey() throws(LineError) -> [UInt8]? {
    switch try yaml.next() {
    case .scalar(let text): return text
    case .mappingEnd, .end: return nil
    default: throw LineError(yaml.line, "a key is not plain text")
    }
  }

  private mutating func enterMapping() throws(LineError) -> Bool {
    let event = try yaml.next()
    if case .mappingStart = event { return true }
    try skipRest(of: event)
    return false
  }

  private mutating func enterSequence() throws(LineError) -> Bool {
    let event = try yaml.next()
    if case .sequenceStart = event { return true }
    try skipRest(of: event)
    return false
  }

  /// Enters the next item of a sequence that is a mapping; false at the sequence's end.
  private mutating func nextItemIsMapping() throws(LineError) -> Bool {
    while true {
      let event = try yaml.next()
      switch event {
      case .mappingStart: return true
      case .sequenceEnd, .end: return false
      default: try skipRest(of: event)
      }
    }
  }

  private mutating func nextScalar() throws(LineError) -> [UInt8]? {
    while true {
      let event = try yaml.next()
      switch event {
      case .scalar(let text): return text
      case .sequenceEnd, .end: return nil
      default: try skipRest(of: event)
      }
    }
  }

  private mutating func text() throws(LineError) -> String {
    let event = try yaml.next()
    if case .scalar(let text) = event { return String(decoding: text, as: UTF8.self) }
    try skipRest(of: event)
    return ""
  }

  private mutating func numbers() throws(LineError) -> [Int64] {
    try enterSequence() ? try numbersToEnd() : []
  }

  private mutating func numbersToEnd() throws(LineError) -> [Int64] {
    var values: [Int64] = []
    while let scalar = try nextScalar() {
      values.append(try number(scalar))
      // CodeSet's limit; no list of the format is longer.
      guard values.count <= CodeSet.limit else {
        throw LineError(yaml.line, "the list is too long")
      }
    }
    return values
  }

  private func number(_ text: [UInt8]) throws(LineError) -> Int64 {
    var cursor = FieldCursor(text[...])
    let isHexadecimal = cursor.skip("0x")
    guard let value = cursor.integer(radix: isHexadecimal ? 16 : 10), cursor.isAtEnd else {
      throw LineError(yaml.line, "not a whole number")
    }
    return value
  }

  private mutating func skip() throws(LineError) { try skipRest(of: try yaml.next()) }

  /// Passes over a node whose first event is `event`.
  private mutating func skipRest(of event: YAMLEvent) throws(LineError) {
    var event = event
    var depth = 0
    while true {
      switch event {
      case .mappingStart, .sequenceStart: depth += 1
      case .mappingEnd, .sequenceEnd: depth -= 1
      case .scalar, .alias: break
      case .end: return
      }
      if depth <= 0 { return }
      event = try yaml.next()
    }
  }
}

extension [UInt8] {
  /// Whether the bytes are this word.
  fileprivate func spells(_ word: StaticString) -> Bool {
    word.utf8CodeUnitCount == count && FieldCursor(self[...]).starts(with: word)
  }
}
