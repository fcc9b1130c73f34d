internal import CLinux

/// Reads the YAML of `libinput record`: descriptions of devices, and their events.
///
/// An event is `[seconds, microseconds, type, code, value]`. Unknown keys are skipped.
struct LibinputReader: ~Copyable {
  private var yaml: YAMLParser
  private var devices: [DeviceRecording] = []
  private var current = DeviceRecording()

  /// Reads a whole file; of several devices, the first one with contacts and events.
  ///
  /// A file that ends within a line is read up to that line.
  static func read(_ bytes: [UInt8]) throws(LineError) -> DeviceRecording {
    var reader = LibinputReader(yaml: try YAMLParser(bytes))
    do throws(LineError) {
      try reader.readRoot()
    } catch {
      if error.line < lastLine(bytes) { throw error }
      reader.closeDevice()
    }
    return try reader.selectDevice()
  }

  private init(yaml: consuming YAMLParser) { self.yaml = yaml }

  /// The number of the last line that is not blank.
  private static func lastLine(_ bytes: [UInt8]) -> Int {
    let newline = UInt8(ascii: "\n")
    let end = bytes.lastIndex { $0 != newline && !FieldCursor.isBlank($0) } ?? 0
    return bytes[..<min(end, bytes.count)].count { $0 == newline } + 1
  }

  private consuming func selectDevice() throws(LineError) -> DeviceRecording {
    guard let first = devices.first else { throw LineError(0, "no device in the recording") }
    for index in devices.indices { devices[index].completeDescription() }
    let touchscreen = devices.first { $0.hasContacts && !$0.events.isEmpty }
    return touchscreen ?? devices.first { !$0.events.isEmpty } ?? first
  }

  private mutating func readRoot() throws(LineError) {
    guard case .mappingStart = try yaml.next() else {
      throw LineError(yaml.line, "not a recording: no mapping at the top level")
    }
    while let key = try yaml.nextKey() {
      if key.spells("devices") { try readDevices() } else { try yaml.skip() }
    }
  }

  private mutating func readDevices() throws(LineError) {
    guard try yaml.enterSequence() else { return }
    while try yaml.nextItemIsMapping() {
      current = DeviceRecording()
      while let key = try yaml.nextKey() {
        if key.spells("evdev") {
          try readDescription()
        } else if key.spells("udev") {
          try readUdev()
        } else if key.spells("events") {
          try readEvents()
        } else {
          try yaml.skip()
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
    guard try yaml.enterMapping() else { return }
    while let key = try yaml.nextKey() {
      if key.spells("name") {
        current.device.name = try yaml.text()
      } else if key.spells("id") {
        try readIdentity()
      } else if key.spells("codes") {
        try readCodes()
      } else if key.spells("absinfo") {
        try readAxes()
      } else if key.spells("properties") {
        for property in try yaml.numbers() {
          current.device.properties.insert(Int32(clamping: property))
        }
      } else {
        try yaml.skip()
      }
    }
  }

  private mutating func readIdentity() throws(LineError) {
    let values = try yaml.numbers().map { UInt16(truncatingIfNeeded: $0) }
    guard values.count == 4 else {
      throw LineError(yaml.line, "a device's id must have four numbers")
    }
    current.device.identity.bus = values[0]
    current.device.identity.vendor = values[1]
    current.device.identity.product = values[2]
    current.device.identity.version = values[3]
  }

  private mutating func readCodes() throws(LineError) {
    guard try yaml.enterMapping() else { return }
    while let key = try yaml.nextKey() {
      let type = try yaml.number(key)
      for code in try yaml.numbers() where type != Int64(EV_SYN) {
        current.device.add(Int32(clamping: type), Int32(clamping: code))
      }
    }
  }

  private mutating func readAxes() throws(LineError) {
    guard try yaml.enterMapping() else { return }
    while let key = try yaml.nextKey() {
      let axis = try yaml.number(key)
      let values = try yaml.numbers().map { Int32(clamping: $0) }
      guard values.count >= 2 else {
        throw LineError(yaml.line, "an axis must have a minimum and a maximum")
      }
      var range = AxisRange(minimum: values[0], maximum: values[1])
      if values.count > 2 { range.fuzz = values[2] }
      if values.count > 3 { range.flat = values[3] }
      if values.count > 4 { range.resolution = values[4] }
      current.device.describe(Int32(clamping: axis), as: range)
    }
  }

  private mutating func readUdev() throws(LineError) {
    guard try yaml.enterMapping() else { return }
    while let key = try yaml.nextKey() {
      guard key.spells("properties") else {
        try yaml.skip()
        continue
      }
      guard try yaml.enterSequence() else { continue }
      while let property = try yaml.nextScalar() {
        current.properties.add(String(decoding: property, as: UTF8.self))
      }
    }
  }

  private mutating func readEvents() throws(LineError) {
    guard try yaml.enterSequence() else { return }
    while try yaml.nextItemIsMapping() {
      while let key = try yaml.nextKey() {
        if key.spells("evdev") { try readFrame() } else { try yaml.skip() }
      }
    }
  }

  private mutating func readFrame() throws(LineError) {
    guard try yaml.enterSequence() else { return }
    while true {
      switch try yaml.next() {
      case .sequenceStart: try readEvent()
      case .sequenceEnd, .end: return
      case .scalar(let text) where text.isEmpty: continue
      default: throw LineError(yaml.line, "an event must be a list of five numbers")
      }
    }
  }

  private mutating func readEvent() throws(LineError) {
    let values = try yaml.numbersToEnd()
    guard values.count == 5 else {
      throw LineError(yaml.line, "an event must be a list of five numbers, not of \(values.count)")
    }
    guard (0...9_000_000_000).contains(values[0]), (0...999_999).contains(values[1]),
      let type = UInt16(exactly: values[2]), let code = UInt16(exactly: values[3]),
      let value = Int32(exactly: values[4])
    else { throw LineError(yaml.line, "number out of range in an event") }
    current.events.append(
      InputEvent(
        time: values[0] * 1_000_000_000 + values[1] * 1000, type: type, code: code, value: value))
  }
}
