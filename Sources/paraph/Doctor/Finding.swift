import JSON

/// The result of one examination.
struct Finding {
  /// The meaning for the pad.
  enum Verdict: String {
    /// As it should be.
    case right = "ok"
    /// Information only.
    case fact
    /// The pad works, but not as well or as long as it could.
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

  /// No device of that kind exists; `text` says where it would be.
  static func noDevice(_ area: Area, _ text: String) -> Finding {
    Finding(
      area, .wrong, text,
      advice: "check that the \(area.rawValue)'s driver is loaded: dmesg shows the kernel's log")
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
