internal import JSON

extension SinkState {
  static let sizeLimit = 8192
  /// More than are ever made; and one can be added where `Int` has 32 bits: others of the group can write it.
  private static let attemptsRange: ClosedRange<Int64> = 0...(1 << 30)

  var bytes: [UInt8] {
    var members: [(String, JSONValue)] = [
      ("outcome", .text(outcome.rawValue)), ("attempts", .integer(attempts)),
      ("reason", reason.map { .text($0) } ?? .null),
    ]
    if isRejected { members.append(("rejected", .flag(true))) }
    return JSONValue.object(members).bytes() + [UInt8(ascii: "\n")]
  }

  /// Nil for what a power cut tore: the sink is asked again then.
  init?(_ bytes: [UInt8]) {
    let limits = JSONValue.Limits(size: Self.sizeLimit, depth: 2)
    guard let value = try? JSONValue.parse(bytes, limits: limits),
      let outcome = value["outcome"]?.text.flatMap({ Outcome(rawValue: $0) }),
      let attempts = value["attempts"]?.integer, Self.attemptsRange.contains(attempts)
    else { return nil }
    self.init(
      outcome, attempts: Int(attempts), reason: value["reason"]?.text,
      isRejected: value["rejected"]?.flag == true)
  }
}
