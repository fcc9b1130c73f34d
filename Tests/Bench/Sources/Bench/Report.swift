import Glibc

/// What was measured: a table for people, and `.build/bench.json` of the root package for machines.
struct Report {
  struct Row {
    let name: String
    let value: Double
    let unit: String
    /// What a ratio is against.
    var against: String?
    /// What it should be at most.
    var target: Double?
  }

  private(set) var rows: [Row] = []
  private(set) var missing: [String] = []

  mutating func add(_ name: String, _ value: Double, _ unit: String, target: Double? = nil) {
    rows.append(Row(name: name, value: value, unit: unit, target: target))
  }

  /// A ratio.
  mutating func add(_ name: String, _ value: Double, against: String, target: Double? = nil) {
    rows.append(Row(name: name, value: value, unit: "×", against: against, target: target))
  }

  /// Something that could not be measured, and why.
  mutating func skip(_ what: String) { missing.append(what) }

  func printTable() {
    for row in rows {
      let name = row.against.map { "\(row.name) / \($0)" } ?? row.name
      var line = name.padded(66) + decimal(row.value).leftPadded(10) + " " + row.unit.padded(10)
      if let target = row.target {
        line += "≤ \(decimal(target)) \(row.value <= target ? "yes" : "NO")"
      }
      print(line)
    }
    for what in missing { print("not measured: \(what)") }
  }

  /// A list of objects `name`, `value`, `unit`, and `against` where it is a ratio.
  func write(to path: String) -> Bool {
    let objects = rows.map { row in
      var object = "{\"name\": \"\(row.name)\", \"value\": \(row.value), \"unit\": \"\(row.unit)\""
      if let against = row.against { object += ", \"against\": \"\(against)\"" }
      return object + "}"
    }
    let text = "[\n  " + objects.joined(separator: ",\n  ") + "\n]\n"
    guard let file = fopen(path, "w") else { return false }
    defer { fclose(file) }
    return fputs(text, file) >= 0
  }

  /// Three figures that count.
  private func decimal(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
    let scale = pow(10, Double(digits))
    let whole = Int((abs(value) * scale).rounded())
    var text = String(whole)
    if digits > 0 {
      while text.count <= digits { text = "0" + text }
      text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
    }
    return (value < 0 ? "-" : "") + text
  }
}

extension String {
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func leftPadded(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
