/// The steps of a simulation, in the order of their times.
///
/// It has a list for each second, and sorts it when its time comes: cheaper than a heap in a debug build.
struct StepQueue {
  enum Kind {
    case sign, wake, answer, event, dark, end, route
  }

  struct Step {
    /// In nanoseconds.
    let time: Int64
    /// The pad's index, or the event's.
    let pad: Int
    let kind: Kind
  }

  private static let second: Int64 = 1_000_000_000
  /// By second; the lists of the past are empty.
  private var later: [[Step]] = []
  /// The rest of the current second, in order.
  private var current: ArraySlice<Step> = []
  private var currentSecond = -1

  /// Adds a step, which is not before the one that was popped last.
  mutating func push(_ step: Step) {
    let second = Int(step.time / Self.second)
    if second > currentSecond {
      while later.count <= second { later.append([]) }
      later[second].append(step)
      return
    }
    var (low, high) = (current.startIndex, current.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if current[middle].time <= step.time { low = middle + 1 } else { high = middle }
    }
    current.insert(step, at: low)
  }

  /// Removes and returns the first step.
  mutating func pop() -> Step? {
    while current.isEmpty {
      currentSecond += 1
      if currentSecond >= later.count { return nil }
      if later[currentSecond].isEmpty { continue }
      current = later[currentSecond].sorted { $0.time < $1.time }[...]
      later[currentSecond] = []
    }
    return current.popFirst()
  }
}
