internal import JSON

/// The ink on the glass as the live stream describes it: one JSON array for each step.
struct LiveInk {
  /// The steps since the pad was clean, in JSON.
  private(set) var steps: [[UInt8]] = []
  /// Counts changes that are more than an addition: a reader of `steps` must begin anew.
  private(set) var revision = 0
  /// The number of the first stroke of which steps are missing, because there was more than `LiveFeed.inkLimit`.
  private var cut: Int?
  private var byteCount = 0
  /// Where each stroke begins in `steps`.
  private var starts: [Int] = []
  private var strokes: Int { starts.count }

  /// The last steps are missing.
  var isTruncated: Bool { cut != nil }

  /// Whether the glass is clean.
  var isEmpty: Bool { strokes == 0 }

  /// The pad is clean.
  mutating func restart() {
    let revision = revision
    self = LiveInk()
    self.revision = revision + 1
  }

  /// Adds a step of the interface's type `Ink`: a sample, or the end of a stroke. Nil: it is neither.
  mutating func add(_ step: JSONValue) -> [UInt8]? {
    let sample = step["sample"]
    switch step["step"]?.text {
    case "begins":
      guard sample != nil else { return nil }
      starts.append(steps.count)
    case "goes_on": if isEmpty || sample == nil { return nil }
    case "ends": if isEmpty { return nil }
    default: return nil
    }
    var values: [JSONValue] = [.integer(strokes - 1)]
    if let sample {
      for name in ["x", "y", "t", "pressure"] { values.append(sample[name] ?? .null) }
      if step["after_gap"]?.flag == true { values.append(.integer(1)) }
    }
    let bytes = JSONValue.array(values).bytes(digits: 9)
    keep(bytes)
    return bytes
  }

  /// Keeps a step for new readers. A cloth on the pad must not fill the memory.
  private mutating func keep(_ bytes: [UInt8]) {
    if isTruncated { return }
    guard byteCount + bytes.count <= LiveFeed.inkLimit else {
      cut = strokes - 1
      return
    }
    byteCount += bytes.count
    steps.append(bytes)
  }

  /// The last stroke is gone.
  mutating func undo() {
    guard let start = starts.popLast() else { return }
    revision += 1
    if let cut, strokes <= cut { self.cut = nil }
    guard start < steps.count else { return }
    byteCount -= steps[start...].reduce(0) { $0 + $1.count }
    steps.removeSubrange(start...)
  }
}
