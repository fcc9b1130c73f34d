import CLinux
import Ink
import SyntheticHand
import Testing
import Touch

/// Streams of any events: whatever a device sends, contacts begin, go on and end in order, and ink comes
/// from what touches alone. 600 000 events; `make soak` takes sixty million.
@Suite struct FuzzTests {
  static let rounds = getenv("PARAPH_SOAK") == nil ? 4 : 400

  private static let axes: [Int32] = [
    ABS_X, ABS_Y, ABS_PRESSURE, ABS_DISTANCE, ABS_MISC, ABS_MT_SLOT, ABS_MT_TRACKING_ID,
    ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_PRESSURE, ABS_MT_DISTANCE, ABS_MT_TOOL_TYPE,
    ABS_MT_TOUCH_MAJOR,
  ]
  private static let keys: [Int32] = [
    BTN_TOUCH, BTN_LEFT, BTN_TOOL_PEN, BTN_TOOL_RUBBER, BTN_TOOL_FINGER, BTN_STYLUS, KEY_HOME,
  ]

  private static func value(of axis: Int32, _ random: inout SeededRandom) -> Int32 {
    if Int.random(in: 0..<50, using: &random) == 0 {
      return .random(in: .min ... .max, using: &random)
    }
    return switch axis {
    case ABS_MT_SLOT: .random(in: 0...5, using: &random)
    case ABS_MT_TRACKING_ID: .random(in: -3...6, using: &random)
    case ABS_MT_TOOL_TYPE: .random(in: 0...3, using: &random)
    case ABS_MT_DISTANCE, ABS_PRESSURE: max(0, .random(in: -9...3, using: &random))
    default: .random(in: 0...1000, using: &random)
    }
  }

  private static func event(_ time: Int64, _ random: inout SeededRandom) -> InputEvent {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60:
      let axis = axes.randomElement(using: &random) ?? ABS_X
      return InputEvent(time: time, EV_ABS, axis, value(of: axis, &random))
    case 60..<70:
      let key = keys.randomElement(using: &random) ?? BTN_TOUCH
      return InputEvent(time: time, EV_KEY, key, .random(in: 0...2, using: &random))
    case 70..<90:
      return InputEvent(
        time: time, EV_SYN, SYN_REPORT, Int.random(in: 0..<20, using: &random) == 0 ? 1 : 0)
    case 90..<96: return InputEvent(time: time, EV_SYN, SYN_MT_REPORT, 0)
    case 96: return InputEvent(time: time, EV_SYN, SYN_DROPPED, 0)
    case 97:
      return InputEvent(time: time, EV_MSC, MSC_TIMESTAMP, .random(in: 0 ... .max, using: &random))
    default:
      return InputEvent(
        time: time, .random(in: 0...31, using: &random), .random(in: 0...0x2ff, using: &random),
        .random(in: .min ... .max, using: &random))
    }
  }

  private static func stream(_ count: Int, _ random: inout SeededRandom) -> [InputEvent] {
    var time: Int64 = 0
    return (0..<count).map { _ in
      time +=
        .random(in: 0..<20, using: &random) == 0
        ? .random(in: -9_000_000...40_000_000, using: &random) : 0
      return event(time, &random)
    }
  }

  @Test(arguments: TestDevice.allCases)
  func `for any input, contacts begin, continue and end in order`(device: TestDevice) {
    for seed in 0..<UInt64(Self.rounds) {
      var random = SeededRandom(seed: seed)
      var decoder = ContactDecoder(device.description)
      var arbitration = TouchArbitration(seed % 2 == 0 ? .first : .all)
      let geometry = GlassGeometry(device.description, on: .init(width: 100, height: 60))
      var contacts = ContactOrder()
      var drawing = DrawingOrder(limit: seed % 2 == 0 ? 1 : .max)
      for event in Self.stream(5000, &random) where decoder.put(event) {
        for index in decoder.frame.indices { contacts.take(decoder.frame[index]) }
        arbitration.process(
          decoder.frame, geometry: geometry, isPenNear: decoder.isPenNear, at: event.time)
        for index in arbitration.contacts.indices { drawing.take(arbitration.contacts[index]) }
      }
      if decoder.cancelAll(at: 0) {
        for index in decoder.frame.indices { contacts.take(decoder.frame[index]) }
        arbitration.process(decoder.frame, geometry: geometry, at: 0)
        for index in arbitration.contacts.indices { drawing.take(arbitration.contacts[index]) }
      }
      #expect(contacts.faults == [], "\(device), seed \(seed)")
      #expect(drawing.faults == [], "\(device), seed \(seed)")
      #expect(contacts.down.isEmpty && drawing.down.isEmpty, "\(device), seed \(seed)")
    }
  }

  /// A device that says of itself what no device should.
  private static func hostile(_ random: inout SeededRandom) -> DeviceDescription {
    var device = DeviceDescription()
    for key in keys where Bool.random(using: &random) { device.add(EV_KEY, key) }
    for axis in axes where Int.random(in: 0..<4, using: &random) > 0 {
      let isOdd = Int.random(in: 0..<4, using: &random) == 0
      let limits: ClosedRange<Int32> = isOdd ? .min ... .max : -100...5000
      device.describe(
        axis,
        as: AxisRange(
          minimum: .random(in: limits, using: &random),
          maximum: .random(in: limits, using: &random),
          fuzz: .random(in: limits, using: &random), flat: 0,
          resolution: .random(in: limits, using: &random)))
    }
    return device
  }

  private static func filters(_ random: inout SeededRandom) -> ContactFilters.Options {
    var options = ContactFilters.Options()
    options.dropThreshold = .random(in: -5...50_000_000, using: &random)
    options.leastPressure = Bool.random(using: &random) ? 1 : nil
    options.greatestPressure = Bool.random(using: &random) ? 2 : nil
    options.skipHead = .random(in: -1...10, using: &random)
    options.skipTail = .random(in: -1...10, using: &random)
    options.medianDepth = .random(in: -1...12, using: &random)
    return options
  }

  /// All the way of the pad, from the kernel's resynchronisation to the sheet's one stroke at a time.
  @Test func `for any device description, strokes begin, continue and end on the glass`() throws {
    for seed in 0..<UInt64(5 * Self.rounds) {
      var random = SeededRandom(seed: seed)
      let device = seed % 3 == 0 ? TestDevice.slots.description : Self.hostile(&random)
      var decoder = ContactDecoder(device)
      var filters = ContactFilters(Self.filters(&random), for: device)
      var arbitration = TouchArbitration(seed % 2 == 0 ? .first : .all)
      var serializer = StrokeSerializer()
      let numbers = (0..<6).map { _ in Double.random(in: -2...2, using: &random) }
      let matrix = CalibrationMatrix(
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
      let geometry = GlassGeometry(
        device,
        on: .init(width: 100, height: 60, quarterTurns: Int(seed % 4), calibration: matrix))
      var drawing = DrawingOrder(limit: 1)
      func pass(at time: Int64, _ isPenNear: Bool) {
        filters.apply(to: decoder.frame)
        arbitration.process(filters.frame, geometry: geometry, isPenNear: isPenNear, at: time)
        for index in arbitration.contacts.indices {
          serializer.put(arbitration.contacts[index])
          while let contact = serializer.next() { drawing.take(contact) }
        }
      }
      for event in Self.stream(5000, &random) {
        if Int.random(in: 0..<400, using: &random) == 0 {
          decoder.markGap(isResync: Bool.random(using: &random))
        }
        if decoder.put(event) { pass(at: event.time, decoder.isPenNear) }
        if Int.random(in: 0..<50, using: &random) == 0, decoder.finishResync() {
          pass(at: event.time, decoder.isPenNear)
        }
      }
      if decoder.cancelAll(at: 0) { pass(at: 0, false) }
      #expect(drawing.faults == [], "seed \(seed)")
      #expect(drawing.down.isEmpty, "seed \(seed)")
    }
  }

  /// Without a button, a tracking id, a list's end or a pressure nothing touches.
  @Test(arguments: TestDevice.allCases)
  func `ink needs a contact`(device: TestDevice) {
    for seed in 0..<UInt64(Self.rounds) {
      var random = SeededRandom(seed: seed)
      var decoder = ContactDecoder(device.description)
      let isListed = device == .lists || device == .numberedLists
      for event in Self.stream(5000, &random) {
        let (type, code) = (Int32(event.type), Int32(event.code))
        if type == EV_KEY || type == EV_ABS && (code == ABS_MT_TRACKING_ID || code == ABS_PRESSURE)
        {
          continue
        }
        if isListed && type == EV_ABS && code >= ABS_MT_TOUCH_MAJOR { continue }
        if decoder.put(event) { #expect(decoder.lines == [], "\(device), seed \(seed)") }
      }
    }
  }
}

/// The life of contacts, as the decoder has to tell it.
private struct ContactOrder {
  private(set) var down: Set<Int32> = []
  private(set) var faults: [String] = []

  mutating func take(_ event: ContactEvent) {
    let isDown = down.contains(event.contact)
    switch event.phase {
    case .down where isDown: faults.append("down twice: \(event)")
    case .move where !isDown: faults.append("move without down: \(event)")
    default: break
    }
    if event.isEnd {
      down.remove(event.contact)
    } else {
      if event.position == nil { faults.append("no place: \(event)") }
      down.insert(event.contact)
    }
  }
}

/// The life of contacts on the glass.
private struct DrawingOrder {
  let limit: Int
  private(set) var down: Set<Int32> = []
  private(set) var faults: [String] = []

  init(limit: Int) { self.limit = limit }

  mutating func take(_ contact: GlassContact) {
    let isDown = down.contains(contact.contact)
    if (contact.phase == .down) == isDown { faults.append("out of order: \(contact)") }
    switch contact.phase {
    case .down, .move: down.insert(contact.contact)
    case .up, .cancel: down.remove(contact.contact)
    }
    if down.count > limit { faults.append("more than one draws: \(contact)") }
    let place = contact.sample.position
    if !(place.x >= 0 && place.x <= 100 && place.y >= 0 && place.y <= 60) {
      faults.append("beside the glass: \(contact)")
    }
  }
}
