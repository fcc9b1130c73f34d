/// Filters of contacts; but for the first in tslib's names and syntax: what stands behind `module` in a ts.conf.
public struct FilterConfiguration: Equatable, Sendable {
  /// A contact that is larger is a palm, in device units.
  public var palmSize: Int?
  /// `debounce drop_threshold`, in milliseconds.
  public var dropThreshold: Int?
  /// `pthres pmin`, in device units.
  public var leastPressure: Int?
  /// `pthres pmax`, in device units.
  public var greatestPressure: Int?
  /// `skip nhead`, in reports.
  public var skipHead: Int?
  /// `skip ntail`, in reports.
  public var skipTail: Int?
  /// `median depth`, in reports.
  public var medianDepth: Int?

  init(_ section: Section) {
    let units = 0...Int(Int32.max)
    palmSize = section.value("palm-size", .integer(units))
    dropThreshold =
      section.value("debounce", .parameters(["drop_threshold": 0...2000]))?["drop_threshold"]
    let pthres = section.value("pthres", .parameters(["pmin": units, "pmax": units]))
    leastPressure = pthres?["pmin"]
    greatestPressure = pthres?["pmax"]
    let skip = section.value("skip", .parameters(["nhead": 0...8, "ntail": 0...8]))
    skipHead = skip?["nhead"]
    skipTail = skip?["ntail"]
    medianDepth = section.value("median", .parameters(["depth": 1...9]))?["depth"]
  }
}

extension ValueType where Value == [String: Int] {
  /// Words `name=number`, each name one of `allowed` and none twice, each number in its range.
  fileprivate static func parameters(_ allowed: [String: ClosedRange<Int>]) -> ValueType {
    ValueType { text throws(Refusal) in
      var values: [String: Int] = [:]
      for word in Words.cut(text) {
        guard let (name, number) = Words.assignment(word), let range = allowed[name] else {
          let names = allowed.keys.sorted().map { $0 + "=NUMBER" }
          throw Refusal("knows \(Words.listed(names)), not \"\(word)\"")
        }
        guard let value = Number.integer(number), range.contains(value) else {
          throw Refusal(
            "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), "
              + "not \"\(number)\"")
        }
        if values[name] != nil { throw Refusal("names \(name) twice") }
        values[name] = value
      }
      return values
    }
  }
}
