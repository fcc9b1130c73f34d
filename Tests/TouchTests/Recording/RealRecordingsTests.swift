import CLinux
import Testing
import Touch

/// Recordings of real devices decode to what a plain scan of their lines finds.
@Suite(.needsRecordings) struct RealRecordingsTests {
  /// One E line: time in microseconds as text, type, code, value.
  struct Line {
    var time: Int64
    var code: (Int, Int)
    var value: Int
  }

  struct Place: Hashable {
    var time: Int64
    var x: Int
    var y: Int
  }

  static func scan(_ text: String) -> [Line] {
    text.split(separator: "\n").filter { $0.hasPrefix("E:") }.compactMap { line in
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      let time = words[1].split(separator: ".")
      guard words.count > 4, let seconds = Int64(time[0]), let fraction = Int64(time[1]),
        let type = Int(words[2], radix: 16), let code = Int(words[3], radix: 16),
        let value = Int(words[4])
      else { return nil }
      return Line(
        time: seconds * 1_000_000_000 + fraction * 1000, code: (type, code), value: value)
    }
  }

  static func decode(_ text: String, _ name: String) throws -> [ContactEvent] {
    guard case .device(let recording) = try Recording(Array(text.utf8), file: name) else {
      return []
    }
    var decoder = ContactDecoder(recording.device, state: recording.state)
    var events: [ContactEvent] = []
    for event in recording.events where decoder.put(event) {
      for index in decoder.frame.indices { events.append(decoder.frame[index]) }
    }
    return events
  }

  private func places(_ events: [ContactEvent]) -> [Place] {
    events.filter { $0.phase == .down || $0.phase == .move }.compactMap { event in
      event.position.map { Place(time: event.time, x: Int($0.x), y: Int($0.y)) }
    }
  }

  /// Of protocol B: in each frame, every slot with a tracking id of which an axis was named.
  private func slotPlaces(_ lines: [Line]) -> (places: Set<Place>, contacts: Int, ends: Int) {
    var axes: [Int: [Int: Int]] = [:]
    var ids: [Int: Int] = [:]
    var (slot, contacts, ends) = (0, 0, 0)
    var touched: Set<Int> = []
    var places: Set<Place> = []
    for line in lines {
      switch line.code {
      case (3, 0x2f): slot = line.value
      case (3, 0x39):
        if line.value >= 0 { contacts += 1 } else { ends += 1 }
        ids[slot] = line.value >= 0 ? line.value : nil
        touched.insert(slot)
      case (3, 0x30...0x3d):
        axes[slot, default: [:]][line.code.1] = line.value
        touched.insert(slot)
      case (0, 0):
        for slot in touched where ids[slot] != nil {
          guard let x = axes[slot]?[0x35], let y = axes[slot]?[0x36] else { continue }
          places.insert(Place(time: line.time, x: x, y: y))
        }
        touched = []
      default: break
      }
    }
    return (places, contacts, ends)
  }

  @Test(arguments: [
    "Atmel-maXTouch-Touchscreen.1-finger-drag-up-down.events",
    "Atmel-maXTouch-Touchscreen.1-finger-fast-taps.events",
    "EP0430M09.1-finger-drag-up-down.events", "EP0430M09.2-finger-scroll-down.events",
    "EP0430M09.2-fingers-touch-release.events",
    "Wacom-ISDv4-E6-Finger.single-center-circle.events",
  ]) func `every contact and sample of protocol B is read`(name: String) throws {
    let text = try SharedRecordings.text("evemu/\(name)")
    let events = try Self.decode(text, name)
    let expected = slotPlaces(Self.scan(text))
    #expect(Set(events.map { $0.contact }).count == expected.contacts)
    #expect(events.count { $0.phase == .down } == expected.contacts)
    #expect(events.count { $0.phase == .up } == expected.ends)
    #expect(places(events).count == expected.places.count)
    #expect(Set(places(events)) == expected.places)
  }

  @Test(arguments: [
    ("N-Trig-MultiTouch.1-finger-drag-NW-SE.events", 1),
    ("N-Trig-MultiTouch.2-fingers-touch-release.events", 2),
  ]) func `every contact and sample of protocol A is read`(name: String, contacts: Int) throws {
    let text = try SharedRecordings.text("evemu/\(name)")
    let events = try Self.decode(text, name)
    var expected: Set<Place> = []
    var listed: [(Int, Int)] = []
    var (x, y) = (0, 0)
    for line in Self.scan(text) {
      switch line.code {
      case (3, 0x35): x = line.value
      case (3, 0x36): y = line.value
      case (0, 2): listed.append((x, y))
      case (0, 0):
        for (x, y) in listed { expected.insert(Place(time: line.time, x: x, y: y)) }
        listed = []
      default: break
      }
    }
    #expect(Set(places(events)) == expected)
    #expect(places(events).count == expected.count)
    #expect(events.count { $0.phase == .down } == contacts)
    #expect(events.count { $0.phase == .up } == contacts)
  }

  /// Panels of protocol A have no tracking ids: the ids of protocol B are the truth here.
  @Test(arguments: [
    "EP0430M09.2-finger-scroll-down.events", "EP0430M09.2-fingers-touch-release.events",
  ]) func `fingers keep their contacts by position alone, also at an eighth of the rate`(
    name: String
  )
    throws
  {
    let text = try SharedRecordings.text("evemu/\(name)")
    guard case .device(let recording) = try Recording(Array(text.utf8), file: name) else {
      Issue.record("\(name): not a device's recording")
      return
    }
    var device = DeviceDescription()
    for axis in [ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
      device.describe(axis, as: try #require(recording.device.range(of: axis)))
    }
    var truth = ContactDecoder(recording.device, state: recording.state)
    var positions: [Int32: RawPosition] = [:]
    var frames: [[Int32: RawPosition]] = []
    for event in recording.events where truth.put(event) {
      for index in truth.frame.indices {
        positions[truth.frame[index].contact] =
          truth.frame[index].isEnd ? nil : truth.frame[index].position
      }
      frames.append(positions)
    }
    for step in [1, 2, 4, 8] {
      var decoder = ContactDecoder(device)
      var numbers: [Int32: Int32] = [:]
      var matched = 0
      for (index, frame) in frames.enumerated() where index % step == 0 {
        let time = Int64(index) * 7_000_000
        var isComplete = false
        for position in frame.values {
          _ = decoder.put(InputEvent(time: time, EV_ABS, ABS_MT_POSITION_X, position.x))
          _ = decoder.put(InputEvent(time: time, EV_ABS, ABS_MT_POSITION_Y, position.y))
          _ = decoder.put(InputEvent(time: time, EV_SYN, SYN_MT_REPORT, 0))
        }
        if frame.isEmpty { _ = decoder.put(InputEvent(time: time, EV_SYN, SYN_MT_REPORT, 0)) }
        isComplete = decoder.put(InputEvent(time: time, EV_SYN, SYN_REPORT, 0))
        #expect(isComplete)
        var found: [Int32: Int32] = [:]
        for place in decoder.frame.indices where !decoder.frame[place].isEnd {
          let event = decoder.frame[place]
          for (contact, position) in frame where position == event.position {
            found[contact] = event.contact
          }
        }
        for (contact, number) in found {
          if let before = numbers[contact] {
            #expect(before == number, "every \(step): contact \(contact) in frame \(index)")
            matched += 1
          }
        }
        numbers = found
      }
      #expect(matched > 0)
    }
  }

  @Test(arguments: [("Wacom-DTH2242-Pen.events", 7), ("dell_canvas_pen.evemu", 1)])
  func `every stroke and sample of a pen is read`(name: String, strokes: Int) throws {
    let text = try SharedRecordings.text("evemu/\(name)")
    let events = try Self.decode(text, name)
    var expected: Set<Place> = []
    var (x, y, pressure) = (0, 0, 0)
    var (isTouching, isStated) = (false, false)
    var pressures: [Int] = []
    for line in Self.scan(text) {
      switch line.code {
      case (3, 0): x = line.value
      case (3, 1): y = line.value
      case (3, 0x18): pressure = line.value
      case (1, 0x14a): isTouching = line.value == 1
      case (0, 0):
        if isTouching && isStated {
          expected.insert(Place(time: line.time, x: x, y: y))
          pressures.append(pressure)
        }
        isStated = false
        continue
      default: break
      }
      isStated = isStated || (line.code.0 == 3 && line.code.1 != 0x28) || line.code == (1, 0x14a)
    }
    #expect(Set(places(events)) == expected)
    #expect(events.filter { $0.phase != .up }.map { Int($0.pressure ?? -1) } == pressures)
    #expect(events.count { $0.phase == .down } == strokes)
    #expect(events.allSatisfy { $0.tool == .pen && $0.slot == 0 })
  }
}
