internal import CLibjansson

extension JSONValue {
  /// What untrusted JSON may cost.
  public struct Limits: Sendable {
    /// In bytes.
    public var size: Int
    /// How deep arrays and objects may be in one another.
    public var depth: Int

    /// `size` in bytes.
    public init(size: Int, depth: Int = 16) {
      self.size = size
      self.depth = depth
    }
  }

  /// Parses one array or object and nothing after it. A name that stands twice in an object, a NUL in
  /// a text and a number outside of Int64 or Double are refused.
  public static func parse(
    _ bytes: [UInt8], limits: Limits
  ) throws(JSONError) -> JSONValue {
    if bytes.count > limits.size { throw JSONError("larger than \(limits.size) bytes") }
    // jansson recurses; its own limit of 2048 is too deep for a small board's thread.
    if depth(of: bytes) > limits.depth { throw JSONError("nested too deeply") }
    var error = json_error_t()
    let json = unsafe bytes.withUnsafeBytes { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        unsafe json_loadb(
          characters.baseAddress, characters.count, Int(JSON_REJECT_DUPLICATES), &error)
      }
    }
    guard let json = unsafe json else { throw JSONError(&error) }
    return unsafe JSONValue(owning: json)
  }

  /// An upper bound of the nesting: brackets outside of texts.
  private static func depth(of bytes: [UInt8]) -> Int {
    var (depth, deepest, inText, escaped) = (0, 0, false, false)
    for byte in bytes {
      if inText {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          inText = false
        }
      } else if byte == UInt8(ascii: "\"") {
        inText = true
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
        depth += 1
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
        depth -= 1
      }
    }
    return deepest
  }
}

extension JSONError {
  /// What jansson reports, without its quotation of the input: a log must not show a name.
  init(_ error: inout json_error_t) {
    let reason = unsafe withUnsafeBytes(of: &error.text) { bytes in
      let text = unsafe Array(bytes.prefix { $0 != 0 })
      let quotation = text.indices.first { text[$0...].starts(with: Array(" near ".utf8)) }
      return String(decoding: text[..<(quotation ?? text.endIndex)], as: UTF8.self)
    }
    // Its own sentence speaks of an option of jansson's.
    let isNUL = unsafe json_error_code(&error) == json_error_null_character
    self.init(line: max(0, Int(error.line)), isNUL ? "NUL character in a string" : reason)
  }
}
