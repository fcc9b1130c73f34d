#if DEBUG
  import Retry

  @testable import Handoff
  @testable import Spool

  /// Items and answers of three sinks at the queue, whose steps are read from bytes, and a model of who has what.
  ///
  /// Promise 3: delivery is at least once; no bad item and no bad sink stops other deliveries.
  struct QueueHistory {
    private static let names = ["a", "b", "c"]
    private static let second: Int64 = 1_000_000_000

    private var queue: ActiveQueue
    private var now: Int64 = 0
    private var last: Int64 = 0
    // The model: what each sink lacks, works on, and has rejected; what is known of it.
    private var lacking: [[Int64: QueueEntry]] = [[:], [:], [:]]
    private var running: [QueueEntry?] = [nil, nil, nil]
    private var answered: [Int64: Set<Int>] = [:]
    /// The items that a sink has rejected, and whether it accepted another one since.
    private var rejected: [[Int64: Bool]] = [[:], [:], [:]]

    init(_ bytes: inout FuzzBytes) {
      queue = ActiveQueue(
        sinks: Self.names, remote: ["b", "c"],
        Backoff(first: 10 * Self.second, longest: 1000 * Self.second), seed: bytes.long())
    }

    /// A step: a kind and its argument. Returns what is wrong.
    mutating func step(_ bytes: inout FuzzBytes) -> String? {
      let kind = bytes.byte()
      let argument = bytes.byte()
      let sink = Int(argument) % 3
      switch kind % 12 {
      case 0: add().map { queue.enqueueNew($0) }
      case 1: if let fault = restart(argument) { return fault }
      case 2, 3: if let fault = begin(sink) { return fault }
      case 4: if let fault = complete(sink) { return fault }
      case 5: if running[sink] != nil { postpone(sink, argument) }
      case 6: if let fault = reject(sink) { return fault }
      case 7:
        if let entry = running[sink] {
          (running[sink], lacking[sink][entry.sequence]) = (nil, nil)
          queue.discard(sink)
          cancel(entry)
        }
      case 8:
        let found = lacking[sink].keys.sorted()
        if !found.isEmpty, let entry = lacking[sink][found[Int(argument >> 2) % found.count]] {
          cancel(entry)
        }
      case 9: now += Int64(argument) * Self.second
      case 10: queue.flush(sink, at: now)
      default:
        if argument & 1 == 0 { queue.flushSoon(at: now) } else { queue.startSoon(sink, at: now) }
      }
      return fault
    }

    /// The sinks recover: all that is left arrives.
    mutating func end() -> String? {
      for sink in 0..<3 {
        if let fault = complete(sink) { return fault }
        for _ in 0..<lacking[sink].count * 2 + 2 where !lacking[sink].isEmpty {
          if let fault = begin(sink) { return fault }
          if running[sink] == nil { now += 2000 * Self.second }
          if let fault = complete(sink) { return fault }
        }
        if !lacking[sink].isEmpty { return "\(lacking[sink].count) items never reach a sink" }
      }
      return queue.count == 0 && !queue.isBusy ? fault : "the empty queue holds \(queue.count)"
    }

    private var fault: String? {
      for sink in 0..<3 where queue.count(of: sink) != lacking[sink].count {
        return "\(queue.count(of: sink)) items of \(lacking[sink].count) for a sink"
      }
      return nil
    }

    private mutating func add() -> QueueEntry? {
      last += 1
      let digits = String(last, radix: 16)
      let tail = String(repeating: "0", count: 12 - digits.count) + digits
      guard let id = ItemID("0192f0c1-2d3e-7a4b-8c5d-" + tail) else { return nil }
      let entry = QueueEntry(sequence: last, id: id)
      for sink in 0..<3 { lacking[sink][last] = entry }
      return entry
    }

    /// An item of an earlier start, with what is recorded of it.
    private mutating func restart(_ argument: UInt8) -> String? {
      guard let entry = add() else { return nil }
      var states: [String: SinkState] = [:]
      for sink in 0..<3 where argument >> (2 + sink) & 1 != 0 {
        if argument & 1 != 0 {
          states[Self.names[sink]] = SinkState(.delivered)
          lacking[sink][last] = nil
          answered[last, default: []].insert(sink)
        } else {
          states[Self.names[sink]] = SinkState(.pending, attempts: 3, isRejected: argument & 2 != 0)
          if argument & 2 != 0 { rejected[sink][last] = false }
        }
      }
      let resolved = queue.enqueue([(entry: entry, states: states)], at: now)
      if resolved.count != (answered[last]?.count == 3 ? 1 : 0) { return "wrongly resolved" }
      return nil
    }

    private mutating func begin(_ sink: Int) -> String? {
      switch queue.next(for: sink, at: now, isStuck: { _ in false }) {
      case .idle:
        return running[sink] != nil || lacking[sink].isEmpty ? nil : "a sink is idle with items"
      case .wait(let until):
        if lacking[sink].isEmpty { return "a wait for nothing" }
        return until > now && until - now < 4000 * Self.second ? nil : "a wait of \(until - now) ns"
      case .deliver(let entry):
        if running[sink] != nil { return "two deliveries at once" }
        if lacking[sink][entry.sequence] != entry { return "an item that the sink has" }
        running[sink] = entry
        return nil
      }
    }

    private mutating func complete(_ sink: Int) -> String? {
      guard let entry = running[sink] else { return nil }
      running[sink] = nil
      lacking[sink][entry.sequence] = nil
      rejected[sink][entry.sequence] = nil
      for key in rejected[sink].keys { rejected[sink][key] = true }
      _ = queue.complete(sink)
      return answer(.delivered, sink, entry)
    }

    private mutating func postpone(_ sink: Int, _ argument: UInt8) {
      running[sink] = nil
      let requested = argument & 4 != 0 ? Int64(argument) * Self.second : nil
      _ = queue.retry(sink, at: now, retryAfter: requested)
    }

    private mutating func reject(_ sink: Int) -> String? {
      guard let entry = running[sink] else { return nil }
      running[sink] = nil
      switch queue.reject(sink, at: now) {
      case .permanent:
        // One rejection may be the item's fault, many are the receiver's.
        if rejected[sink][entry.sequence] != true { return "an item failed for good at once" }
        rejected[sink][entry.sequence] = nil
        lacking[sink][entry.sequence] = nil
        return answer(.rejected("no"), sink, entry)
      case .provisional:
        if rejected[sink][entry.sequence] == true { return "a second rejection is provisional" }
        rejected[sink][entry.sequence] = false
        return nil
      }
    }

    /// An item is resolved when all sinks have answered, and not before.
    private mutating func answer(
      _ answer: Ledger.Answer, _ sink: Int, _ entry: QueueEntry
    ) -> String? {
      answered[entry.sequence, default: []].insert(sink)
      let isResolved = queue.resolve(answer, of: sink, for: entry.id) != nil
      let isAnswered = answered[entry.sequence]?.count == 3
      return isResolved == isAnswered ? nil : "resolved \(isResolved), answered \(isAnswered)"
    }

    /// The item is gone, or invalid.
    private mutating func cancel(_ entry: QueueEntry) {
      queue.cancel(entry)
      answered[entry.sequence] = nil
      for sink in 0..<3 {
        lacking[sink][entry.sequence] = nil
        rejected[sink][entry.sequence] = nil
        // The sink still works on it, and its answer is ignored.
        if running[sink] == entry {
          running[sink] = nil
          _ = queue.complete(sink)
        }
      }
    }
  }
#endif
