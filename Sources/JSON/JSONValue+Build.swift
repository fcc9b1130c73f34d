internal import CLibjansson

extension JSONValue {
  /// `null`.
  public static var null: JSONValue { unsafe JSONValue(owning: json_null()) }

  /// `true` or `false`.
  public static func flag(_ value: Bool) -> JSONValue {
    unsafe JSONValue(owning: value ? json_true() : json_false())
  }

  /// A number without a fraction.
  public static func integer(_ value: Int64) -> JSONValue {
    unsafe JSONValue(owning: json_integer(json_int_t(value)))
  }

  /// A number without a fraction.
  public static func integer(_ value: Int) -> JSONValue { integer(Int64(value)) }

  /// A number; `null` for NaN and infinity, which JSON does not have.
  public static func real(_ value: Double) -> JSONValue {
    value.isFinite ? unsafe JSONValue(owning: json_real(value)) : null
  }

  /// A text.
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
      // The array takes over the reference that json_incref adds.
      let result = unsafe json_array_append_new(array.json, json_incref(value.json))
      precondition(result == 0, "out of memory")
    }
    return array
  }

  /// An object; the members keep this order. Of two with one name, the last stays.
  public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    let object = unsafe JSONValue(owning: json_object())
    for (name, value) in members {
      // Not _nocheck: a name with a NUL would end early.
      let result = unsafe json_object_set_new(object.json, name, json_incref(value.json))
      precondition(result == 0, "out of memory")
    }
    return object
  }
}
