internal import CLibjansson

/// The reason why JSON is rejected.
public struct JSONError: Error, Equatable, Sendable {
  /// The line, from 1; 0 if no line applies.
  public let line: Int
  /// The reason.
  public let reason: String

  /// One line, such as "line 3: string expected".
  public var text: String { line > 0 ? "line \(line): \(reason)" : reason }

  init(line: Int = 0, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  /// jansson's message without its quotation of the input, which may hold personal data.
  init(_ error: inout json_error_t) {
    let reason = unsafe withUnsafeBytes(of: &error.text) { bytes in
      let text = unsafe Array(bytes.prefix { $0 != 0 })
      let quotation = text.indices.first { text[$0...].starts(with: " near ".utf8) }
      return String(decoding: text[..<(quotation ?? text.endIndex)], as: UTF8.self)
    }
    // jansson's own message names one of its options.
    let isNUL = unsafe json_error_code(&error) == json_error_null_character
    self.init(line: max(0, Int(error.line)), isNUL ? "NUL character in a string" : reason)
  }
}
