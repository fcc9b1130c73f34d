internal import CLibjansson

/// A JSON value: one reference to what libjansson holds. Values do not change once they are made.
@safe public final class JSONValue {
  let json: UnsafeMutablePointer<json_t>

  /// Takes over a reference. jansson answers nil only where memory is at its end, which Swift's own
  /// allocations do not survive either.
  init(owning json: UnsafeMutablePointer<json_t>?) {
    guard let json = unsafe json else { preconditionFailure("out of memory") }
    unsafe self.json = unsafe json
  }

  deinit { unsafe json_decref(json) }

  /// Nil for a reference that is not there; another reference to one that is.
  static func borrow(_ json: UnsafeMutablePointer<json_t>?) -> JSONValue? {
    guard let json = unsafe json else { return nil }
    return unsafe JSONValue(owning: json_incref(json))
  }
}
