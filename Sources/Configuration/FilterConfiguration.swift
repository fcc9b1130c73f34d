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
    dropThreshold = section.parameters("debounce", [("drop_threshold", 0...2000)])[0]
    let pressures = section.parameters("pthres", [("pmax", units), ("pmin", units)])
    greatestPressure = pressures[0]
    leastPressure = pressures[1]
    let skipped = section.parameters("skip", [("nhead", 0...8), ("ntail", 0...8)])
    skipHead = skipped[0]
    skipTail = skipped[1]
    medianDepth = section.parameters("median", [("depth", 1...9)])[0]
  }
}

extension Section {
  /// The numbers of a module, one for each that it knows; nil where one is left out.
  fileprivate func parameters(_ key: String, _ known: [Parameter]) -> [Int?] {
    value(key, .parameters(known), default: [Int?](repeating: nil, count: known.count))
  }
}

private typealias Parameter = (name: String, range: ClosedRange<Int>)

extension ValueType where Value == [Int?] {
  /// Words `name=number`, each name one of `known` and none twice, each number in its range.
  fileprivate static func parameters(_ known: [Parameter]) -> ValueType {
    ValueType { text throws(Refusal) in
      var values = [Int?](repeating: nil, count: known.count)
      for word in Words.cut(text) {
        guard let (name, number) = Words.assignment(word),
          let place = known.firstIndex(where: { $0.name == name })
        else {
          let names = known.map { $0.name + "=NUMBER" }
          throw Refusal("knows \(Words.listed(names)), not \"\(word)\"")
        }
        let value: Int
        do throws(Refusal) {
          value = try Number.integer(number, in: known[place].range)
        } catch { throw Refusal("\(name) \(error.reason)") }
        if values[place] != nil { throw Refusal("names \(name) twice") }
        values[place] = value
      }
      return values
    }
  }
}
