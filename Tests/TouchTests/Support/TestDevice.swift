import Touch

/// Devices as data: what evemu says of them. Each is the plainest of its kind.
enum TestDevice: String, CaseIterable {
  /// Protocol B, as nearly all panels of today.
  case slots
  /// Protocol B without ABS_X and ABS_Y, as drivers written for Android.
  case slotsOnly
  /// Protocol B with a stylus in the same node.
  case slotsAndPen
  /// Protocol A without numbers of contacts.
  case lists
  /// Protocol A with numbers.
  case numberedLists
  /// One contact, BTN_TOUCH, pressure: a resistive panel.
  case singleTouch
  /// One contact, BTN_LEFT and nothing else: a point-of-sale screen that calls itself a mouse.
  case leftButton
  /// One contact, pressure and no button.
  case pressureOnly
  /// A stylus with an eraser.
  case pen
  /// A remote control whose axes happen to lie where the slots are.
  case fakeSlots

  var header: String {
    switch self {
    case .slots:
      Self.text(
        keys: [0x14a], direct: true,
        axes: [
          (0x00, 0, 799), (0x01, 0, 479), (0x2f, 0, 4), (0x35, 0, 799), (0x36, 0, 479),
          (0x37, 0, 2), (0x39, 0, 65535), (0x3a, 0, 255), (0x3b, 0, 15),
        ])
    case .slotsOnly:
      Self.text(
        keys: [], direct: true,
        axes: [(0x2f, 0, 9), (0x35, 0, 799), (0x36, 0, 479), (0x39, 0, 65535)])
    case .slotsAndPen:
      Self.text(
        keys: [0x140, 0x141, 0x14a, 0x14b], direct: true,
        axes: [
          (0x00, 0, 7999), (0x01, 0, 4799), (0x18, 0, 1023), (0x2f, 0, 4), (0x35, 0, 7999),
          (0x36, 0, 4799), (0x39, 0, 65535),
        ])
    case .lists:
      Self.text(
        keys: [0x14a], direct: false,
        axes: [(0x00, 0, 9600), (0x01, 0, 7200), (0x35, 0, 9600), (0x36, 0, 7200)])
    case .numberedLists:
      Self.text(
        keys: [0x14a], direct: true,
        axes: [(0x35, 0, 9600), (0x36, 0, 7200), (0x39, 0, 31)])
    case .singleTouch:
      Self.text(
        keys: [0x14a], direct: true, axes: [(0x00, 0, 4095), (0x01, 0, 4095), (0x18, 0, 255)])
    case .leftButton:
      Self.text(keys: [0x110, 0x111], direct: false, axes: [(0x00, 0, 4095), (0x01, 0, 4095)])
    case .pressureOnly:
      Self.text(keys: [], direct: false, axes: [(0x00, 0, 4095), (0x01, 0, 4095), (0x18, 0, 255)])
    case .pen:
      Self.text(
        keys: [0x140, 0x141, 0x14a, 0x14b], direct: true,
        axes: [(0x00, 400, 59152), (0x01, 400, 33448), (0x18, 0, 2047), (0x19, 0, 63)])
    case .fakeSlots:
      Self.text(
        keys: [0x14a], direct: false,
        axes: [(0x00, 0, 255), (0x01, 0, 255)] + (0x28...0x39).map { ($0, 0, 255) })
    }
  }

  var description: DeviceDescription {
    guard case .device(let recording) = try? Recording(Array(header.utf8), file: rawValue) else {
      return DeviceDescription()
    }
    return recording.device
  }

  private static func text(
    keys: [Int], direct: Bool, axes: [(code: Int, minimum: Int, maximum: Int)]
  ) -> String {
    var lines = ["# EVEMU 1.3", "N: Test device", "I: 0018 0000 0000 0000"]
    lines.append(direct ? "P: 02 00 00 00 00 00 00 00" : "P: 00 00 00 00 00 00 00 00")
    lines += codeLines(type: 1, keys, bytes: 96)
    lines += codeLines(type: 3, axes.map { $0.code }, bytes: 8)
    lines += axes.map { "A: \(String($0.code, radix: 16)) \($0.minimum) \($0.maximum) 0 0 0" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func codeLines(type: Int, _ codes: [Int], bytes count: Int) -> [String] {
    var bytes = [UInt8](repeating: 0, count: count)
    for code in codes { bytes[code / 8] |= 1 << UInt8(code % 8) }
    return stride(from: 0, to: count, by: 8).map { start in
      let row = bytes[start..<start + 8].map { String($0, radix: 16) }
      return "B: 0\(type) " + row.joined(separator: " ")
    }
  }
}
