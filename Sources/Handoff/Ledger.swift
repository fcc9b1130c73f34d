public import Spool

/// Which sinks are done with which items. Says what becomes of an item when the last one is.
public struct Ledger: Sendable {
  /// What to do with an item after a sink's answer.
  public enum Verdict: Equatable, Sendable {
    /// Other sinks are not done: note this one's answer.
    case wait
    /// All have it.
    case settle
    /// All are done, and some will never take it: set it aside with this reason.
    case fail(String)
  }

  /// An answer that is final.
  public enum Answer: Equatable, Sendable {
    /// The receiver has it.
    case delivered
    /// Why not.
    case never(String)
  }

  private let names: [String]
  /// Items that some but not all sinks are done with.
  private var answers: [ItemID: [Int: Answer]] = [:]

  /// An empty ledger of these sinks.
  public init(sinks names: [String]) { self.names = names }

  /// A sink's final answer about an item.
  public mutating func record(_ answer: Answer, of sink: Int, for id: ItemID) -> Verdict {
    var known = answers[id] ?? [:]
    known[sink] = answer
    if known.count < names.count {
      answers[id] = known
      return .wait
    }
    answers[id] = nil
    return verdict(known)
  }

  /// Whether all sinks but this one are done with the item.
  public func isLast(_ sink: Int, for id: ItemID) -> Bool {
    let known = answers[id] ?? [:]
    return known[sink] == nil && known.count == names.count - 1
  }

  /// The item is not to be delivered any more.
  public mutating func forget(_ id: ItemID) { answers[id] = nil }

  private func verdict(_ known: [Int: Answer]) -> Verdict {
    var reason = ""
    for (index, name) in names.enumerated() {
      guard case .never(let why) = known[index] else { continue }
      reason += (reason.isEmpty ? "" : "\n") + "\(name): \(why)"
    }
    return reason.isEmpty ? .settle : .fail(reason)
  }
}
