/// A text with placeholders for a signature's properties: "a/{year}/{id}".
public struct Template: Equatable, Sendable {
  /// A placeholder.
  public enum Place: String, Sendable {
    /// The signature's id.
    case id
    /// The signature's sequence number.
    case sequence
    /// The device's name.
    case device
    /// The manifest's year, four digits.
    case year
    /// The manifest's month, two digits.
    case month
    /// The manifest's day, two digits.
    case day
    /// The id of the machine's installation.
    case machine

    /// The placeholders of an item.
    static let ofItem: [Place] = [.id, .sequence, .device, .year, .month, .day]
    /// The placeholders that need no item.
    static let ofDevice: [Place] = [.device, .machine]
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

  /// Parses a template with the allowed placeholders `places`.
  init(_ text: String, places: [Place] = Place.ofItem) throws(Refusal) {
    var parts: [Part] = []
    var stretch: [UInt8] = []
    var name: [UInt8]?
    for byte in text.utf8 {
      switch (byte, name) {
      case (UInt8(ascii: "{"), nil):
        if !stretch.isEmpty { parts.append(.text(String(decoding: stretch, as: UTF8.self))) }
        stretch = []
        name = []
      case (UInt8(ascii: "}"), let letters?):
        guard let place = Place(rawValue: String(decoding: letters, as: UTF8.self)),
          places.contains(place)
        else { throw Self.refusal(places) }
        parts.append(.place(place))
        name = nil
      case (UInt8(ascii: "{"), _), (UInt8(ascii: "}"), _): throw Self.refusal(places)
      case (_, nil): stretch.append(byte)
      case (_, _?): name?.append(byte)
      }
    }
    if name != nil { throw Self.refusal(places) }
    if !stretch.isEmpty { parts.append(.text(String(decoding: stretch, as: UTF8.self))) }
    self.parts = parts
  }

  init(parts: [Part]) { self.parts = parts }

  private static func refusal(_ places: [Place]) -> Refusal {
    let names = places.map { "{\($0.rawValue)}" }
    return Refusal("unknown placeholder; valid are \(Words.listed(names))")
  }

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
  /// Any text with placeholders.
  static var template: ValueType {
    ValueType { text throws(Refusal) in try Template(text) }
  }

  /// An http or https URL with placeholders.
  static var address: ValueType {
    ValueType { text throws(Refusal) in
      _ = try ValueType<String>.address(["https", "http"]).read(text)
      return try Template(text)
    }
  }
}
