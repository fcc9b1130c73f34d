internal import CLinux
public import Ink

/// A device's name, identity, codes and ranges, from the kernel, a recording or a test.
public struct DeviceDescription: Sendable, Equatable {
  /// Bus, vendor, product and version: `struct input_id`.
  public struct Identity: Sendable, Equatable {
    /// The bus, for example BUS_USB.
    public var bus: UInt16 = 0
    /// The vendor's number.
    public var vendor: UInt16 = 0
    /// The vendor's number of the product.
    public var product: UInt16 = 0
    /// The product's version.
    public var version: UInt16 = 0

    /// All zero, as most i2c panels report.
    public init() {}
  }

  /// The kernel's name of the device; may be empty.
  public var name = ""
  /// The device's numbers.
  public var identity = Identity()
  /// INPUT_PROP_….
  public var properties = CodeSet()
  /// The codes, by event type.
  private var events: [CodeSet] = []
  /// The ranges, by axis.
  private var axes: [AxisRange?] = []

  /// A device without capabilities.
  public init() {}

  /// The event types of the device.
  public var types: [Int32] { events.indices.filter { !events[$0].isEmpty }.map { Int32($0) } }

  /// The codes of an event type.
  public func codes(of type: Int32) -> CodeSet {
    type >= 0 && type < events.count ? events[Int(type)] : CodeSet()
  }

  /// Whether the device has a code.
  public func has(_ type: Int32, _ code: Int32) -> Bool {
    type >= 0 && type < events.count && events[Int(type)].contains(code)
  }

  /// Whether the device has a key or button.
  public func hasKey(_ code: Int32) -> Bool { has(EV_KEY, code) }

  /// Whether the device has an absolute axis.
  public func hasAxis(_ code: Int32) -> Bool { has(EV_ABS, code) }

  /// Adds a code; ignores types and codes that no kernel knows.
  public mutating func add(_ type: Int32, _ code: Int32) {
    guard type >= 0, type < EV_CNT else { return }
    while events.count <= Int(type) { events.append(CodeSet()) }
    events[Int(type)].insert(code)
  }

  /// The range of an axis; nil if unknown.
  public func range(of axis: Int32) -> AxisRange? {
    axis >= 0 && axis < axes.count ? axes[Int(axis)] : nil
  }

  /// Adds an axis with its range.
  public mutating func describe(_ axis: Int32, as range: AxisRange) {
    guard axis >= 0, axis < ABS_CNT else { return }
    add(EV_ABS, axis)
    while axes.count <= Int(axis) { axes.append(nil) }
    axes[Int(axis)] = range
  }
}

extension DeviceDescription {
  /// How the device reports contacts, for people, in the terms of the kernel's documentation.
  public var protocolText: String {
    let reported = DeviceProtocol(self)
    switch reported.multitouch {
    case .slots(let count): return "multi-touch protocol B, \(count) slots"
    case .lists: return "multi-touch protocol A"
    case .none: break
    }
    switch reported.point {
    case .none: return "no contacts"
    case .touchButton: return "one contact, BTN_TOUCH"
    case .leftButton: return "one contact, BTN_LEFT"
    case .pressure: return "one contact, by its pressure"
    }
  }

  /// The number of values of the position axes.
  public var span: (x: Int64, y: Int64) {
    let reported = DeviceProtocol(self)
    return (range(of: reported.axisX)?.span ?? 0, range(of: reported.axisY)?.span ?? 0)
  }

  /// The position axes that the kernel smooths (`absinfo.fuzz`), which turns slow strokes into steps.
  public var fuzzyAxes: [(axis: Int32, fuzz: Int32)] {
    [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y].compactMap { axis in
      guard let fuzz = range(of: axis)?.fuzz, fuzz > 0 else { return nil }
      return (axis, fuzz)
    }
  }

  /// The size in millimetres, from the axes' resolution; nil if unknown.
  public var physicalSize: Point? {
    let reported = DeviceProtocol(self)
    guard let x = range(of: reported.axisX), let y = range(of: reported.axisY), x.resolution > 0,
      y.resolution > 0
    else { return nil }
    return Point(Float(x.span) / Float(x.resolution), Float(y.span) / Float(y.resolution))
  }

  /// Units per millimetre, from the ABS_MT axes or else ABS_X and ABS_Y; nil if unknown.
  public var unitsPerMillimetre: (x: Double, y: Double)? {
    let reported = DeviceProtocol(self)
    func resolution(_ axis: Int32, _ point: Int32) -> Double? {
      for code in [axis, point] {
        if let range = range(of: code), range.resolution > 0 { return Double(range.resolution) }
      }
      return nil
    }
    guard let x = resolution(reported.axisX, ABS_X), let y = resolution(reported.axisY, ABS_Y)
    else {
      return nil
    }
    return (x, y)
  }
}

/// The kernel's state of a device when it is opened, whose events are gone.
public struct DeviceState: Sendable, Equatable {
  /// One slot of protocol B.
  public struct Slot: Sendable, Equatable {
    /// ABS_MT_TRACKING_ID; negative without a contact.
    public var trackingID: Int32 = -1
    /// ABS_MT_POSITION_X; nil if unknown.
    public var x: Int32?
    /// ABS_MT_POSITION_Y; nil if unknown.
    public var y: Int32?
    /// ABS_MT_PRESSURE; nil if the device has none.
    public var pressure: Int32?
    /// ABS_MT_TOUCH_MAJOR; nil if the device has none.
    public var size: Int32?
    /// ABS_MT_DISTANCE.
    public var distance: Int32 = 0
    /// ABS_MT_TOOL_TYPE.
    public var toolType: Int32 = 0

    /// An empty slot.
    public init() {}
  }

  /// The selected slot.
  public var slot: Int32 = 0
  /// ABS_X; nil if unknown.
  public var x: Int32?
  /// ABS_Y; nil if unknown.
  public var y: Int32?
  /// ABS_PRESSURE; nil if unknown.
  public var pressure: Int32?
  /// The pressed keys.
  public var keys = CodeSet()
  /// The slots, from 0.
  public var slots: [Slot] = []

  /// An unknown state.
  public init() {}
}

/// The range of an absolute axis: `struct input_absinfo` without the value.
public struct AxisRange: BitwiseCopyable, Sendable, Equatable {
  /// The smallest value.
  public var minimum: Int32
  /// The largest value, inclusive.
  public var maximum: Int32
  /// The noise: the kernel drops or dampens smaller changes.
  public var fuzz: Int32
  /// The dead zone of a joystick.
  public var flat: Int32
  /// Units per millimetre; 0 if unknown.
  public var resolution: Int32

  /// A range.
  public init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }

  /// The number of values, at least 1 (libinput's `absinfo_range`).
  public var span: Int64 { max(1, Int64(maximum) - Int64(minimum) + 1) }

  /// The nearest value inside the range: panels report values outside.
  public func clamp(_ value: Int32) -> Int32 { min(max(value, minimum), max(minimum, maximum)) }
}

/// A set of event codes, one bit each, as EVIOCGBIT returns it.
public struct CodeSet: Sendable, Equatable {
  private var words: [UInt64] = []

  /// The largest event code, KEY_MAX, plus one.
  public static let limit = 0x300

  /// An empty set.
  public init() {}

  /// Whether the set is empty.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Whether the set has a code.
  public func contains(_ code: Int32) -> Bool {
    let word = Int(code) >> 6
    guard code >= 0, word < words.count else { return false }
    return words[word] & (1 << UInt64(code & 63)) != 0
  }

  /// Adds a code; ignores one that no kernel knows.
  public mutating func insert(_ code: Int32) {
    guard code >= 0, code < CodeSet.limit else { return }
    let word = Int(code) >> 6
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(code & 63)
  }

  /// Removes a code.
  public mutating func remove(_ code: Int32) {
    guard contains(code) else { return }
    words[Int(code) >> 6] &= ~(1 << UInt64(code & 63))
  }

  /// The codes, ascending.
  public var codes: [Int32] {
    (0..<Int32(words.count * 64)).filter(contains)
  }

  /// Whether two sets have the same codes, whatever their storage.
  public static func == (a: CodeSet, b: CodeSet) -> Bool {
    let shorter = min(a.words.count, b.words.count)
    return a.words[..<shorter] == b.words[..<shorter]
      && a.words[shorter...].allSatisfy { $0 == 0 } && b.words[shorter...].allSatisfy { $0 == 0 }
  }
}
