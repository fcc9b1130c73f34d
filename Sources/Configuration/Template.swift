/// A text with places for what is known about a signature: "a/{year}/{id}".
public struct Template: Equatable, Sendable {
  /// What can stand in a place.
  public enum Place: String, Sendable {
    /// The signature's name.
    case id
    /// Its place in the order of signing.
    case sequence
    /// What the pad calls itself.
    case device
    /// Of the time in the manifest: four digits.
    case year
    /// Of the time in the manifest: two digits.
    case month
    /// Of the time in the manifest: two digits.
    case day
    /// An identifier of the machine, the same for as long as its system is installed.
    case machine

    /// The variables of an item.
    static let ofItem: [Place] = [.id, .sequence, .device, .year, .month, .day]
    /// The variables that need no item.
    static let ofDevice: [Place] = [.device, .machine]
  }

  /// A stretch of text, or a place.
  public enum Part: Equatable, Sendable {
    /// As it is.
    case text(String)
    /// What is known.
    case place(Place)
  }

  /// In order.
  public let parts: [Part]

  /// `places`: those that may be used.
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
    return Refusal("has braces that are none of \(Words.listed(names))")
  }

  /// The text with every place filled.
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
  /// Any text with places.
  static var template: ValueType {
    ValueType { text throws(Refusal) in try Template(text) }
  }

  /// An http or https address with places.
  static var address: ValueType {
    ValueType { text throws(Refusal) in
      _ = try ValueType<String>.address(["https", "http"]).read(text)
      return try Template(text)
    }
  }
}
