internal import Linux

/// The section `[touch]`.
public struct TouchConfiguration: Equatable, Sendable {
  /// The event device.
  public enum Device: Equatable, Sendable {
    /// The touchscreen that matches the panel best.
    case automatic
    /// The device node.
    case path(String)
    /// The kernel's name of the device.
    case name(String)
    /// A udev property and its value.
    case property(String, String)
  }

  /// The contacts that draw.
  public enum Contacts: Equatable, Sendable {
    /// The first contact; others are treated as palms.
    case first
    /// All contacts, one stroke each.
    case all
  }

  /// The event device.
  public var device: Device
  /// The recording to play instead of a device.
  public var recording: String?
  /// Whether the recording repeats.
  public var loop: Bool
  /// The size of the sensitive area; nil: as the device reports.
  public var size: Millimetres?
  /// The first two rows of a matrix over 0…1, as LIBINPUT_CALIBRATION_MATRIX; nil: the udev property.
  public var calibrationMatrix: [Float]?
  /// The contacts that draw.
  public var contacts: Contacts
  /// Whether the device is grabbed, so that no other program receives its events.
  public var grab: Bool
  /// The filters of contacts.
  public var filters: FilterConfiguration

  init(_ section: Section) {
    device = section.value("device", .device, default: .automatic)
    recording = section.value("recording", .path)
    loop = section.value("loop", .flag, default: false)
    size = section.value("size", .millimetres)
    calibrationMatrix = section.value("calibration-matrix", .matrix)
    contacts = section.value(
      "contacts", .choice(["first", "all"], [.first, .all]), default: .first)
    grab = section.value("grab", .flag, default: true)
    filters = FilterConfiguration(section)
    if section.has("recording") && section.has("device") {
      section.refuse("recording", "cannot be given together with device")
    }
  }
}

extension ValueType where Value == TouchConfiguration.Device {
  fileprivate static var device: ValueType {
    ValueType { text throws(Refusal) in
      if text == "auto" { return .automatic }
      if let path = text.absolutePath { return .path(path) }
      let prefix = "property:".utf8
      guard text.utf8.starts(with: prefix) else { return .name(text) }
      let rest = Substring(text.utf8.dropFirst(prefix.count))
      guard let (name, value) = Words.assignment(String(rest)) else {
        throw Refusal("must be property:NAME=VALUE, not \"\(text)\"")
      }
      return .property(name, value)
    }
  }
}

extension ValueType where Value == [Float] {
  /// The first two rows of a matrix.
  fileprivate static var matrix: ValueType {
    ValueType { text throws(Refusal) in
      let numbers = Words.split(text).compactMap { Number.decimal($0) }
      guard numbers.count == 6, Words.split(text).count == 6 else {
        throw Refusal("must be six numbers, not \"\(text)\"")
      }
      // An area of a millionth maps all touches to a line or a point.
      if abs(numbers[0] * numbers[4] - numbers[1] * numbers[3]) < 1e-6 {
        throw Refusal("must be invertible, not \"\(text)\": all touches would be on one line")
      }
      return numbers.map { Float($0) }
    }
  }
}

/// The filters of contacts.
///
/// All but `palm-size` have the names and parameters of tslib's modules in ts.conf.
public struct FilterConfiguration: Equatable, Sendable {
  /// The maximum size of a finger's contact, in device units; larger ones are palms.
  public var palmSize: Int?
  /// `debounce drop_threshold`, in milliseconds.
  public var dropThreshold: Int?
  /// `pthres pmin`, in device units.
  public var leastPressure: Int?
  /// `pthres pmax`, in device units.
  public var greatestPressure: Int?
  /// `skip nhead`, in reports.
  public var skipHead: Int?
  /// `skip ntail`, in reports.
  public var skipTail: Int?
  /// `median depth`, in reports.
  public var medianDepth: Int?

  init(_ section: Section) {
    let units = 0...Int(Int32.max)
    palmSize = section.value("palm-size", .integer(units))
    dropThreshold = section.parameters("debounce", [("drop_threshold", 0...2000)])[0]
    let pressures = section.parameters("pthres", [("pmax", units), ("pmin", units)])
    greatestPressure = pressures[0]
    leastPressure = pressures[1]
    let skipped = section.parameters("skip", [("nhead", 0...8), ("ntail", 0...8)])
    skipHead = skipped[0]
    skipTail = skipped[1]
    medianDepth = section.parameters("median", [("depth", 1...9)])[0]
  }
}

extension Section {
  /// The values of a filter's known parameters; nil for missing ones.
  fileprivate func parameters(_ key: String, _ known: [Parameter]) -> [Int?] {
    value(key, .parameters(known), default: [Int?](repeating: nil, count: known.count))
  }
}

private typealias Parameter = (name: String, range: ClosedRange<Int>)

extension ValueType where Value == [Int?] {
  /// Words `name=number` with known, unique names.
  fileprivate static func parameters(_ known: [Parameter]) -> ValueType {
    ValueType { text throws(Refusal) in
      var values = [Int?](repeating: nil, count: known.count)
      for word in Words.split(text) {
        guard let (name, number) = Words.assignment(word),
          let place = known.firstIndex(where: { $0.name == name })
        else {
          let names = known.map { $0.name + "=NUMBER" }
          throw Refusal("must be of \(Words.listed(names)), not \"\(word)\"")
        }
        let value: Int
        do throws(Refusal) {
          value = try Number.integer(number, in: known[place].range)
        } catch { throw Refusal("\(name) \(error.reason)") }
        if values[place] != nil { throw Refusal("duplicate parameter \(name)") }
        values[place] = value
      }
      return values
    }
  }
}
