internal import CLibjansson
internal import CLinux

/// An immutable JSON value, as a reference to a libjansson object.
@safe public final class JSONValue {
  private let json: UnsafeMutablePointer<json_t>

  /// Takes ownership of a reference.
  ///
  /// jansson returns NULL only when it is out of memory, and then Swift's own allocations trap as
  /// well.
  private init(owning json: UnsafeMutablePointer<json_t>?) {
    guard let json = unsafe json else { preconditionFailure("out of memory") }
    unsafe self.json = unsafe json
  }

  deinit { unsafe json_decref(json) }

  /// Adds a reference to an object; nil for NULL.
  private static func borrow(_ json: UnsafeMutablePointer<json_t>?) -> JSONValue? {
    guard let json = unsafe json else { return nil }
    return unsafe JSONValue(owning: json_incref(json))
  }
}

extension JSONValue {
  /// `null`.
  public static var null: JSONValue { unsafe JSONValue(owning: json_null()) }

  /// `true` or `false`.
  public static func flag(_ value: Bool) -> JSONValue {
    unsafe JSONValue(owning: value ? json_true() : json_false())
  }

  /// An integer.
  public static func integer(_ value: Int64) -> JSONValue {
    unsafe JSONValue(owning: json_integer(json_int_t(value)))
  }

  /// An integer.
  public static func integer(_ value: Int) -> JSONValue { integer(Int64(value)) }

  /// An integer; `null` for nil.
  public static func integer(_ value: Int?) -> JSONValue { value.map { integer($0) } ?? null }

  /// An integer; `null` for nil.
  public static func integer(_ value: Int64?) -> JSONValue { value.map { integer($0) } ?? null }

  /// A number; `null` for NaN and infinity, which JSON lacks.
  public static func real(_ value: Double) -> JSONValue {
    value.isFinite ? unsafe JSONValue(owning: json_real(value)) : null
  }

  /// A number; `null` for nil.
  public static func real(_ value: Double?) -> JSONValue { value.map { real($0) } ?? null }

  /// A string; `null` for nil.
  public static func text(_ value: String?) -> JSONValue { value.map { text($0) } ?? null }

  /// A string.
  public static func text(_ value: String) -> JSONValue {
    var copy = value
    return copy.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe JSONValue(owning: json_stringn(characters.baseAddress, characters.count))
      }
    }
  }

  /// An array.
  public static func array(_ values: [JSONValue]) -> JSONValue {
    let array = unsafe JSONValue(owning: json_array())
    for value in values {
      // The array owns the reference that json_incref adds.
      let result = unsafe json_array_append_new(array.json, json_incref(value.json))
      precondition(result == 0, "out of memory")
    }
    return array
  }

  /// An object with its members in this order. The last of several with the same name is kept.
  public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    let object = unsafe JSONValue(owning: json_object())
    for (name, value) in members {
      let result = unsafe json_object_set_new(object.json, name, json_incref(value.json))
      precondition(result == 0, "out of memory")
    }
    return object
  }
}

extension JSONValue {
  /// The string; nil for other types.
  public var text: String? {
    guard let characters = unsafe json_string_value(json) else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: characters, count: json_string_length(json))
    return unsafe bytes.withMemoryRebound(to: UInt8.self) {
      unsafe String(decoding: $0, as: UTF8.self)
    }
  }

  /// The integer; nil for other types.
  public var integer: Int64? {
    unsafe json.pointee.type == JSON_INTEGER ? Int64(json_integer_value(json)) : nil
  }

  /// The number; nil for other types.
  public var real: Double? {
    let type = unsafe json.pointee.type
    return type == JSON_INTEGER || type == JSON_REAL ? unsafe json_number_value(json) : nil
  }

  /// The boolean; nil for other types.
  public var flag: Bool? {
    let type = unsafe json.pointee.type
    return type == JSON_TRUE ? true : type == JSON_FALSE ? false : nil
  }

  /// Whether the value is `null`.
  public var isNull: Bool { unsafe json.pointee.type == JSON_NULL }

  /// Whether the value is an object.
  public var isObject: Bool { unsafe json.pointee.type == JSON_OBJECT }

  /// The number of an array's elements; nil for other types.
  public var count: Int? {
    unsafe json.pointee.type == JSON_ARRAY ? json_array_size(json) : nil
  }

  /// An element of an array; nil beyond its end and for other types.
  public subscript(index: Int) -> JSONValue? {
    index < 0 ? nil : unsafe .borrow(json_array_get(json, index))
  }

  /// A member of an object; nil if it is missing and for other types.
  public subscript(name: String) -> JSONValue? { unsafe .borrow(json_object_get(json, name)) }

  /// The elements of an array; nil for other types.
  public var elements: [JSONValue]? {
    guard let count else { return nil }
    return (0..<count).compactMap { self[$0] }
  }

  /// The members of an object in order; nil for other types.
  public var members: [(name: String, value: JSONValue)]? {
    guard isObject else { return nil }
    var members: [(name: String, value: JSONValue)] = []
    var place = unsafe json_object_iter(json)
    while let current = unsafe place {
      if let name = unsafe json_object_iter_key(current),
        let value = unsafe JSONValue.borrow(json_object_iter_value(current))
      {
        members.append((unsafe String(cString: name), value))
      }
      unsafe place = unsafe json_object_iter_next(json, current)
    }
    return members
  }
}

extension JSONValue {
  /// The limits of untrusted JSON.
  public struct Limits: Sendable {
    /// The maximum size in bytes.
    public var size: Int
    /// The maximum nesting of arrays and objects.
    public var depth: Int

    /// Limits of size in bytes and of nesting.
    public init(size: Int, depth: Int = 16) {
      self.size = size
      self.depth = depth
    }
  }

  /// Parses an array or object that is the whole input.
  ///
  /// Rejects duplicate names in an object, NUL in a string and numbers outside of Int64 or Double.
  public static func parse(
    _ bytes: [UInt8], limits: Limits
  ) throws(JSONError) -> JSONValue {
    if bytes.count > limits.size { throw JSONError("larger than \(limits.size) bytes") }
    // jansson recurses, and its limit of 2048 is too deep for a small thread's stack.
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

  /// The nesting of brackets outside of strings.
  private static func depth(of bytes: [UInt8]) -> Int {
    var (depth, deepest, inString, escaped) = (0, 0, false, false)
    for byte in bytes {
      if inString {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          inString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        inString = true
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

extension JSONValue {
  /// The format of written JSON.
  public enum Layout: Sendable {
    /// Without whitespace.
    case compact
    /// Indented, with one line per member.
    case lines
  }

  /// Writes the value as UTF-8 without a line end.
  ///
  /// - Parameters:
  ///   - sorted: Whether to sort members by name instead of keeping their order.
  ///   - digits: The significant digits of reals: 17 are exact for Double, 9 for Float.
  public func bytes(
    _ layout: Layout = .compact, sorted: Bool = false, digits: Int = 17
  ) -> [UInt8] {
    var flags = Int(JSON_ENCODE_ANY) | (digits & 0x1f) << 11  // JSON_REAL_PRECISION
    flags |= layout == .compact ? Int(JSON_COMPACT) : 2  // JSON_INDENT(2)
    if sorted { flags |= Int(JSON_SORT_KEYS) }
    guard let text = unsafe json_dumps(json, flags) else { preconditionFailure("out of memory") }
    defer { unsafe free(text) }
    let count = unsafe strlen(text)
    return unsafe UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
  }
}
