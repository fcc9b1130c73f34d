internal import JSON

/// Replies as bytes, each with its NUL.
enum Reply {
  static func result(_ parameters: [(String, JSONValue)], continues: Bool = false) -> [UInt8] {
    var members: [(String, JSONValue)] = [("parameters", .object(parameters))]
    if continues { members.append(("continues", .flag(true))) }
    return bytes(members)
  }

  static func error(_ error: CallError) -> [UInt8] {
    bytes([("error", .text(error.name)), ("parameters", .object(error.parameters))])
  }

  private static func bytes(_ members: [(String, JSONValue)]) -> [UInt8] {
    JSONValue.object(members).bytes(digits: 9) + [0]
  }
}
