internal import JSON

/// The parameters of a call, each read by its name; what nobody asks for is refused.
struct Parameters {
  private let value: JSONValue?

  init(_ value: JSONValue?) { self.value = value?.isObject == true ? value : nil }

  /// Refuses a parameter that the method does not have.
  func allow(_ names: [String]) throws(CallError) {
    for (name, _) in value?.members ?? [] where !names.contains(name) {
      throw .invalidParameter(name)
    }
  }

  private func present(_ name: String) -> JSONValue? {
    guard let member = value?[name], !member.isNull else { return nil }
    return member
  }

  func text(_ name: String, limit: Int) throws(CallError) -> String? {
    guard let member = present(name) else { return nil }
    guard let text = member.text, text.utf8.count <= limit else { throw .invalidParameter(name) }
    return text
  }

  func requiredText(_ name: String, limit: Int) throws(CallError) -> String {
    guard let text = try text(name, limit: limit) else { throw .invalidParameter(name) }
    return text
  }

  /// A text for a manifest: without control characters.
  func reference() throws(CallError) -> String? {
    guard let text = try text("reference", limit: ControlLimits.reference) else { return nil }
    guard !text.isEmpty, Array(text.utf8).allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .invalidParameter("reference")
    }
    return text
  }

  /// A language tag: letters, digits and hyphens, beginning with two letters.
  func language() throws(CallError) -> String? {
    guard let text = try text("language", limit: 35) else { return nil }
    let bytes = Array(text.utf8)
    func isLetter(_ byte: UInt8) -> Bool {
      byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }
    let isTag =
      bytes.count >= 2 && isLetter(bytes[0]) && isLetter(bytes[1])
      && bytes.allSatisfy {
        isLetter($0) || $0 == UInt8(ascii: "-")
          || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
      }
    guard isTag else { throw .invalidParameter("language") }
    return text
  }

  /// Seconds, up to a day, as nanoseconds.
  func span(_ name: String) throws(CallError) -> Int64? {
    guard let member = present(name) else { return nil }
    guard let seconds = member.real, seconds > 0, seconds <= 86400 else {
      throw .invalidParameter(name)
    }
    return Int64(seconds * 1_000_000_000)
  }

  func flag(_ name: String) throws(CallError) -> Bool {
    guard let member = present(name) else { return false }
    guard let flag = member.flag else { throw .invalidParameter(name) }
    return flag
  }

  /// By default the picture.
  func formats() throws(CallError) -> [SignatureFormat] {
    guard let member = present("formats") else { return [.png] }
    guard let elements = member.elements, elements.count <= 16 else {
      throw .invalidParameter("formats")
    }
    var formats: [SignatureFormat] = []
    for element in elements {
      guard let format = element.text.flatMap({ SignatureFormat(rawValue: $0) }) else {
        throw .invalidParameter("formats")
      }
      formats.append(format)
    }
    return formats
  }
}
