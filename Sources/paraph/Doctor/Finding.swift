import JSON

/// One thing that was looked at.
struct Finding {
  /// What it means for the pad.
  enum Verdict: String {
    /// As it should be.
    case right = "ok"
    /// Good to know; nothing has to be done.
    case fact
    /// The pad works, but not as well as it could, or not for long.
    case note
    /// The pad cannot work, or signatures go nowhere.
    case wrong
  }

  /// In the order in which a pad needs them.
  enum Area: String, CaseIterable {
    case configuration, panel, touchscreen, service, permissions, spool, delivery, clock
  }

  let area: Area
  let verdict: Verdict
  /// One line: what was found, and where.
  let text: String
  /// What to do about it.
  let advice: String?
  /// For programs: the same in parts.
  let details: [(String, JSONValue)]

  init(
    _ area: Area, _ verdict: Verdict, _ text: String, advice: String? = nil,
    details: [(String, JSONValue)] = []
  ) {
    self.area = area
    self.verdict = verdict
    self.text = text
    self.advice = advice
    self.details = details
  }

  /// The kernel has not made a single device of that kind; `text` says where it would be.
  static func noDevice(_ area: Area, _ text: String) -> Finding {
    Finding(
      area, .wrong, text,
      advice: "is the \(area.rawValue)'s driver loaded? Look into the kernel's log (dmesg)")
  }

  /// For people.
  var lines: [String] {
    let mark =
      switch verdict {
      case .right: "ok   "
      case .fact: "     "
      case .note: "note "
      case .wrong: "WRONG"
      }
    let line = "  \(mark)  \(text)"
    return advice.map { [line, "         → \($0)"] } ?? [line]
  }

  /// For programs.
  var json: JSONValue {
    .object(
      [
        ("area", .text(area.rawValue)), ("verdict", .text(verdict.rawValue)),
        ("text", .text(text)), ("advice", advice.map { .text($0) } ?? .null),
      ] + details)
  }
}
