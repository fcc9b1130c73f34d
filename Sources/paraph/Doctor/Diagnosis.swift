import JSON

/// All findings and their result.
struct Diagnosis {
  private(set) var findings: [Finding] = []

  mutating func add(_ found: [Finding]) { findings += found }

  func findings(in area: Finding.Area) -> [Finding] { findings.filter { $0.area == area } }

  var wrong: [Finding] { findings.filter { $0.verdict == .wrong } }

  /// A page for people.
  var lines: [String] {
    Finding.Area.allCases.flatMap { area in
      let found = findings(in: area)
      return found.isEmpty ? [] : [area.rawValue] + found.flatMap { $0.lines }
    }
  }

  var json: JSONValue {
    .object([
      ("verdict", .text(wrong.isEmpty ? "ok" : "wrong")),
      ("findings", .array(findings.map { $0.json })),
    ])
  }

  /// Nil if the pad can work.
  var refusal: ToolError? {
    guard let first = wrong.first else { return nil }
    let isConfiguration = wrong.contains { $0.area == .configuration }
    let more = wrong.count == 1 ? "" : ", and \(wrong.count - 1) more"
    // Without deliveries, people can still sign.
    let what =
      wrong.allSatisfy { $0.area == .delivery }
      ? "signatures are not delivered" : "the pad cannot work"
    return ToolError(
      isConfiguration ? .config : .unavailable, "\(what): \(first.text)\(more)")
  }
}
