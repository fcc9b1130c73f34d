internal import Ink
internal import JSON

/// Encodes replies, each with its NUL.
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

extension Sample {
  /// The interface's type `Sample`, with the time since `start`.
  func json(since start: Int64) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("t", .real(Double(time - start) / 1_000_000_000)),
      ("x", .real(Double(position.x))), ("y", .real(Double(position.y))),
    ]
    if pressure >= 0 { members.append(("pressure", .real(Double(pressure)))) }
    return .object(members)
  }
}

extension ControlEvent.InkStep {
  /// The interface's type `InkStep`, with times since `start`.
  func json(since start: Int64) -> JSONValue {
    switch self {
    case .begins(let sample):
      .object([("step", .text("begins")), ("sample", sample.json(since: start))])
    case .goesOn(let sample):
      .object([("step", .text("goes_on")), ("sample", sample.json(since: start))])
    case .goesOnAfterGap(let sample):
      .object([
        ("step", .text("goes_on")), ("sample", sample.json(since: start)),
        ("after_gap", .flag(true)),
      ])
    case .ends: .object([("step", .text("ends"))])
    case .undone: .object([("step", .text("undone"))])
    case .wiped: .object([("step", .text("wiped"))])
    }
  }
}
