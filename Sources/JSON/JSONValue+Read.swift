internal import CLibjansson

extension JSONValue {
  /// The text, if it is one.
  public var text: String? {
    guard let characters = unsafe json_string_value(json) else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: characters, count: json_string_length(json))
    return unsafe bytes.withMemoryRebound(to: UInt8.self) {
      unsafe String(decoding: $0, as: UTF8.self)
    }
  }

  /// The number, if it is one without a fraction.
  public var integer: Int64? {
    unsafe json.pointee.type == JSON_INTEGER ? Int64(json_integer_value(json)) : nil
  }

  /// The number, if it is one.
  public var real: Double? {
    let type = unsafe json.pointee.type
    return type == JSON_INTEGER || type == JSON_REAL ? unsafe json_number_value(json) : nil
  }

  /// `true` or `false`, if it is one.
  public var flag: Bool? {
    let type = unsafe json.pointee.type
    return type == JSON_TRUE ? true : type == JSON_FALSE ? false : nil
  }

  /// Whether it is `null`.
  public var isNull: Bool { unsafe json.pointee.type == JSON_NULL }

  /// Whether it is an object.
  public var isObject: Bool { unsafe json.pointee.type == JSON_OBJECT }

  /// How many elements an array has; nil for anything else.
  public var count: Int? {
    unsafe json.pointee.type == JSON_ARRAY ? json_array_size(json) : nil
  }

  /// An element of an array; nil beyond its end, and for anything else.
  public subscript(index: Int) -> JSONValue? {
    index < 0 ? nil : unsafe .borrow(json_array_get(json, index))
  }

  /// A member of an object; nil if there is none of this name, and for anything else.
  public subscript(name: String) -> JSONValue? { unsafe .borrow(json_object_get(json, name)) }

  /// The elements of an array; nil for anything else.
  public var elements: [JSONValue]? {
    guard let count else { return nil }
    return (0..<count).compactMap { self[$0] }
  }

  /// The members of an object, in order; nil for anything else.
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
