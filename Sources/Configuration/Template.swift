/// A text with placeholders for properties of a signature or of the pad: "a/{date}/{id}".
public struct Template: Equatable, Sendable {
  /// A placeholder.
  public enum Place: String, CaseIterable, Sendable {
    /// The signature's id.
    case id
    /// The signature's sequence number.
    case sequence
    /// The device's name.
    case device
    /// The manifest's date: "2026-11-24".
    case date
    /// The manifest's year, four digits.
    case year
    /// The manifest's month, two digits.
    case month
    /// The manifest's day, two digits.
    case day
    /// The names that the client gave.
    case reference
    /// The SHA-256 of `reference`, as 64 hexadecimal digits.
    case referenceDigest = "reference-digest"
    /// The SHA-256 of the document's original file.
    case documentDigest = "document-digest"
    /// The panel's name.
    case panel
    /// The picture's width, in pixels.
    case width
    /// The picture's height, in pixels.
    case height
    /// The number of strokes.
    case strokes
    /// The id of the machine's installation.
    case machine
    /// The serial number of the machine's SoC.
    case serial
    /// The host name.
    case host

    /// The placeholders of an item.
    static let ofItem = allCases
    /// The placeholders that need no item.
    static let ofDevice: [Place] = [.device, .machine, .serial, .host]
    /// The placeholders that the device's name may consist of.
    static let ofName: [Place] = [.machine, .serial, .host]
    /// Placeholders whose text comes from clients or drivers.
    static let ofStrangers: [Place] = [.reference, .panel]
  }

  /// A part of a template.
  public enum Part: Equatable, Sendable {
    /// Literal text.
    case text(String)
    /// A placeholder.
    case place(Place)
  }

  /// The parts in order.
  public let parts: [Part]

  /// Parses a template with the allowed placeholders `places`. "{{" and "}}" stand for braces.
  init(_ text: String, places: [Place] = Place.ofItem) throws(Refusal) {
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    var parts: [Part] = []
    var stretch: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == open || byte == close, rest.first == byte {
        rest = rest.dropFirst()
        stretch.append(byte)
      } else if byte == open {
        guard let end = rest.firstIndex(of: close) else { throw Refusal("has a { without a }") }
        if !stretch.isEmpty { parts.append(.text(String(decoding: stretch, as: UTF8.self))) }
        stretch = []
        parts.append(.place(try Self.place(String(decoding: rest[..<end], as: UTF8.self), places)))
        rest = rest[rest.index(after: end)...]
      } else if byte == close {
        throw Refusal("has a } without a {")
      } else {
        stretch.append(byte)
      }
    }
    if !stretch.isEmpty { parts.append(.text(String(decoding: stretch, as: UTF8.self))) }
    self.parts = parts
  }

  /// A template of these parts.
  public init(parts: [Part]) { self.parts = parts }

  private static func place(_ name: String, _ places: [Place]) throws(Refusal) -> Place {
    let valid = "valid are \(Words.listed(places.map { "{\($0.rawValue)}" }))"
    guard let place = Place(rawValue: name) else {
      throw Refusal("unknown placeholder {\(name)}; \(valid)")
    }
    if places.contains(place) { return place }
    let isOfItem = !Place.ofDevice.contains(place)
    throw Refusal(
      "{\(name)} cannot be used here\(isOfItem ? ", because it differs between signatures" : ""); \(valid)"
    )
  }

  /// Whether a placeholder occurs.
  func contains(_ place: Place) -> Bool { parts.contains(.place(place)) }

  /// The text with all placeholders replaced.
  public func text(_ value: (Place) -> String) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let stretch): text += stretch
      case .place(let place): text += value(place)
      }
    }
    return text
  }
}

extension ValueType where Value == Template {
  /// An http or https URL with placeholders. The host must not contain those whose text comes from
  /// clients or drivers.
  static var address: ValueType {
    ValueType { text throws(Refusal) in
      _ = try ValueType<String>.address(["https", "http"]).read(text)
      let slashes = text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "/") }
      if slashes.count > 1 {
        let host = text.utf8[slashes[1]...].dropFirst().prefix {
          $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        let template = try Template(String(decoding: host, as: UTF8.self))
        for place in Template.Place.ofStrangers where template.contains(place) {
          throw Refusal("must not have {\(place.rawValue)} in the host")
        }
      }
      return try Template(text)
    }
  }

  /// The value of an HTTP header: printable ASCII with placeholders.
  static var headerValue: ValueType {
    ValueType { text throws(Refusal) in
      try Template(try ValueType<String>.headerValue.read(text))
    }
  }

  /// A device's name: text with placeholders of the machine.
  static func deviceName(limit: Int) -> ValueType {
    ValueType { text throws(Refusal) in
      let text = try ValueType<String>.deviceName(limit: limit).read(text)
      return try Template(text, places: Template.Place.ofName)
    }
  }

  /// Text with placeholders of the device.
  static var deviceText: ValueType {
    ValueType { text throws(Refusal) in try Template(text, places: Template.Place.ofDevice) }
  }
}
