internal import JSON

/// A method call as it came from a connection.
struct Call {
  /// Why bytes are no call.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// "org.paraph.Pad" of "org.paraph.Pad.Sign".
  let interface: String
  /// "Sign".
  let method: String
  let parameters: Parameters
  /// Several replies are welcome.
  let more: Bool
  /// No reply is.
  let oneway: Bool
  /// Another protocol is to follow.
  let upgrade: Bool

  init(_ bytes: [UInt8]) throws(Malformed) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes, limits: .init(size: ControlLimits.message, depth: 8))
    } catch { throw Malformed(reason: "invalid JSON: \(error.reason)") }
    guard value.isObject, let name = value["method"]?.text else {
      throw Malformed(reason: "no method")
    }
    let parameters = value["parameters"]
    guard parameters == nil || parameters?.isObject == true || parameters?.isNull == true else {
      throw Malformed(reason: "the parameters are no object")
    }
    let bytes = Array(name.utf8)
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else {
      throw Malformed(reason: "no interface before the method's name")
    }
    interface = String(decoding: bytes[..<dot], as: UTF8.self)
    method = String(decoding: bytes[(dot + 1)...], as: UTF8.self)
    self.parameters = Parameters(parameters)
    more = try Call.flag("more", value)
    oneway = try Call.flag("oneway", value)
    upgrade = try Call.flag("upgrade", value)
  }

  private static func flag(_ name: String, _ value: JSONValue) throws(Malformed) -> Bool {
    guard let flag = value[name], !flag.isNull else { return false }
    guard let flag = flag.flag else { throw Malformed(reason: "\(name) is neither true nor false") }
    return flag
  }
}
