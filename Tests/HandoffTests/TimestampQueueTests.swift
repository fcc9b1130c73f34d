import Retry
import SyntheticHand
import Testing

@testable import Handoff
@testable import Spool

/// When sinks may have an item.
@Suite struct TimestampQueueTests {
  private let second: Int64 = 1_000_000_000
  private var wait: Int64 { 3600 * second }
  private var minimumWait: Int64 { 30 * second }
  private let start: Int64 = 5_000_000_000_000

  private func queue(wait: Int64? = nil) -> Subject {
    Subject(
      TimestampQueue(
        wait: wait ?? self.wait, minimumWait: minimumWait,
        Backoff(first: 5 * second, longest: 600 * second), seed: 7))
  }

  /// A queue that expectations can change.
  private final class Subject {
    private var queue: TimestampQueue

    init(_ queue: TimestampQueue) { self.queue = queue }

    var count: Int { queue.count }
    var heldCount: Int { queue.heldCount }
    var isBusy: Bool { queue.isBusy }
    var hasExpired: Bool { queue.hasExpired }
    func setImpatient() { queue.setImpatient() }
    func isFetching(_ entry: QueueEntry) -> Bool { queue.isFetching(entry) }
    func due(after action: SinkQueue.Action) -> Int64 { queue.due(after: action) }

    func add(
      _ entry: QueueEntry, _ states: TimestampQueue.States, seen: Int64, signed: Int64?,
      wall: Int64?, at now: Int64
    ) -> Bool { queue.add(entry, states, seen: seen, signed: signed, wall: wall, at: now) }
    func expire(at now: Int64, wall: Int64?) -> [TimestampQueue.Held] {
      queue.expire(at: now, wall: wall)
    }
    @discardableResult func remove(_ entry: QueueEntry) -> TimestampQueue.Held? {
      queue.remove(entry)
    }
    func remove(_ entries: [QueueEntry]) { queue.remove(entries) }
    func complete(_ entry: QueueEntry) -> (attempt: Int, held: TimestampQueue.Held?) {
      queue.complete(entry)
    }
    func retry(_ entry: QueueEntry, at now: Int64) {
      _ = queue.retry(entry, at: now, retryAfter: nil)
    }
    func reject(
      _ entry: QueueEntry, at now: Int64
    ) -> (rejection: SinkQueue.Rejection, held: TimestampQueue.Held?) {
      queue.reject(entry, at: now)
    }
    func discard() { queue.discard() }

    /// The item whose fetch begins, if one does.
    func fetched(at now: Int64) -> QueueEntry? {
      if case .deliver(let entry) = queue.next(at: now) { return entry }
      return nil
    }
  }

  private func entry(_ number: Int64) -> QueueEntry {
    QueueEntry(
      sequence: number,
      id: ItemID(high: 0x0190_c8a4_0000_7000 + UInt64(number), low: 0x8000_0000_0000_0001))
  }

  @Test func `an item waits for its time stamp, and goes with it`() {
    let queue = queue()
    #expect(!queue.add(entry(1), [:], seen: start, signed: nil, wall: nil, at: start))
    #expect(queue.fetched(at: start) == entry(1))
    #expect(queue.expire(at: start + wait - 1, wall: nil).isEmpty)
    let (attempt, held) = queue.complete(entry(1))
    #expect(attempt == 1 && held?.entry == entry(1))
    #expect(queue.count == 0 && queue.heldCount == 0)
    #expect(queue.expire(at: .max, wall: nil).isEmpty)
  }

  @Test func `after its time an item goes without, and is fetched further`() {
    let queue = queue()
    _ = queue.add(entry(1), [:], seen: start, signed: nil, wall: nil, at: start)
    #expect(queue.fetched(at: start) == entry(1))
    queue.retry(entry(1), at: start)
    #expect(queue.expire(at: start + wait - 1, wall: nil).isEmpty)
    #expect(queue.expire(at: start + wait, wall: nil).map { $0.entry } == [entry(1)])
    #expect(queue.heldCount == 0 && queue.count == 1)
    #expect(queue.fetched(at: start + wait) == entry(1))
    #expect(queue.complete(entry(1)).held == nil)
  }

  @Test func `the time counts from when this boot first saw the item, also over restarts`() {
    let queue = queue()
    _ = queue.add(entry(1), [:], seen: start - wait / 2, signed: nil, wall: nil, at: start)
    #expect(queue.fetched(at: start) == entry(1))
    queue.retry(entry(1), at: start)
    #expect(queue.expire(at: start + wait / 2 - 1, wall: nil).isEmpty)
    #expect(queue.expire(at: start + wait / 2, wall: nil).count == 1)
    // A record of the future, as another user of the group could write it.
    _ = queue.add(entry(2), [:], seen: .max, signed: nil, wall: nil, at: start)
    #expect(queue.expire(at: start + wait, wall: nil).count == 1)
  }

  @Test func `the time since signing counts where the clock was set then, and is now`() {
    let signed: Int64 = 1_795_000_000 * second
    let queue = queue()
    _ = queue.add(
      entry(1), [:], seen: start, signed: signed, wall: signed + wait - 60 * second, at: start)
    #expect(queue.fetched(at: start) == entry(1))
    queue.retry(entry(1), at: start)
    #expect(queue.expire(at: start + 59 * second, wall: nil).isEmpty)
    #expect(queue.expire(at: start + 60 * second, wall: nil).count == 1)
    // The clock is set later: it is looked at every minute.
    _ = queue.add(entry(2), [:], seen: start, signed: signed, wall: nil, at: start)
    #expect(queue.fetched(at: start) == entry(2))
    queue.retry(entry(2), at: start)
    let late = start + 60 * second
    #expect(queue.expire(at: late, wall: signed + wait - 1).isEmpty)
    #expect(queue.due(after: .idle) <= late + 60 * second)
    #expect(queue.expire(at: late + 60 * second, wall: signed + wait).count == 1)
  }

  @Test func `an item that comes late has one attempt, and goes when that fails`() {
    let signed: Int64 = 1_795_000_000 * second
    let wall = signed + 86_400 * second
    let queue = queue()
    _ = queue.add(entry(1), [:], seen: start, signed: signed, wall: wall, at: start)
    _ = queue.add(entry(2), [:], seen: 0, signed: nil, wall: nil, at: start)
    #expect(queue.expire(at: start + wait - 1, wall: wall).isEmpty)
    for _ in 1...2 {
      guard let next = queue.fetched(at: start) else { continue }
      queue.retry(next, at: start)
      #expect(queue.due(after: .idle) <= start)
      #expect(queue.expire(at: start, wall: wall).map { $0.entry } == [next])
    }
    #expect(queue.heldCount == 0)
  }

  @Test func `a backlog that comes late has its attempts while the authority works`() {
    let queue = queue()
    for number in 1...100 as ClosedRange<Int64> {
      _ = queue.add(entry(number), [:], seen: 0, signed: nil, wall: nil, at: start)
    }
    var now = start
    for _ in 1...100 {
      guard let next = queue.fetched(at: now) else {
        Issue.record("nothing is fetched")
        return
      }
      now += 5 * second
      #expect(queue.expire(at: now, wall: nil).isEmpty)
      #expect(queue.complete(next).held?.entry == next)
    }
    #expect(queue.heldCount == 0)
  }

  @Test(arguments: [false, true])
  func `of a backlog that comes late, those without an attempt go when the authority fails`(
    isImpatient: Bool
  ) {
    let queue = queue()
    if isImpatient { queue.setImpatient() }
    for number in 1...20 as ClosedRange<Int64> {
      _ = queue.add(entry(number), [:], seen: 0, signed: nil, wall: nil, at: start)
    }
    var gone = 0
    for _ in 1...3 {
      guard let next = queue.fetched(at: start) else { continue }
      queue.retry(next, at: start)
      gone += queue.expire(at: start, wall: nil).count
    }
    if !isImpatient {
      #expect(gone == 3 && queue.expire(at: start + minimumWait - 1, wall: nil).isEmpty)
      #expect(queue.due(after: .idle) <= start + minimumWait)
      gone += queue.expire(at: start + minimumWait, wall: nil).count
    }
    while queue.hasExpired { gone += queue.expire(at: start + minimumWait, wall: nil).count }
    #expect(gone == 20)
  }

  @Test func `an item that gets its time stamp while others expire is not given twice`() {
    let queue = queue()
    for number in 1...40 as ClosedRange<Int64> {
      _ = queue.add(entry(number), [:], seen: start, signed: nil, wall: nil, at: start)
    }
    #expect(queue.expire(at: start + wait, wall: nil).count == 16)
    queue.remove(entry(20))
    var rest: [Int64] = []
    while queue.hasExpired {
      rest += queue.expire(at: start + wait, wall: nil).map { $0.entry.sequence }
    }
    #expect(rest == Array(17...40).filter { $0 != 20 })
  }

  @Test func `clocks that jump make no item wait longer, and none of them traps`() {
    var random = SeededRandom(seed: 3)
    let times: [Int64] = [.min, -1, 0, 1, second, 1_795_000_000 * second, .max / 2, .max]
    for number in 0..<2000 {
      let queue = queue()
      let entry = entry(Int64(number))
      _ = queue.add(
        entry, [:], seen: Int64.random(in: 0...(.max), using: &random),
        signed: times.randomElement(using: &random), wall: times.randomElement(using: &random),
        at: start)
      let wall = times.randomElement(using: &random)
      #expect(queue.expire(at: start + minimumWait - 1, wall: wall).isEmpty)
      let due = queue.due(after: .idle)
      #expect((start...start + wait).contains(due))
      #expect(
        queue.expire(at: start + wait, wall: times.randomElement(using: &random)).count == 1)
    }
  }

  @Test func `without waiting, sinks have an item at once, and it is fetched beside them`() {
    let queue = queue(wait: 0)
    #expect(queue.add(entry(1), [:], seen: start, signed: nil, wall: nil, at: start))
    #expect(queue.heldCount == 0)
    #expect(queue.fetched(at: start) == entry(1))
  }

  @Test func `an item that fails blocks no other`() {
    let queue = queue()
    for number in 1...3 as ClosedRange<Int64> {
      _ = queue.add(entry(number), [:], seen: start, signed: nil, wall: nil, at: start)
    }
    var done: [QueueEntry] = []
    var now = start
    while done.count < 2, now < start + wait {
      if let next = queue.fetched(at: now) {
        if next == entry(1) {
          queue.retry(next, at: now)
        } else {
          #expect(queue.complete(next).held?.entry == next)
          done.append(next)
        }
      }
      now += second
    }
    #expect(Set(done.map { $0.sequence }) == [2, 3])
  }

  @Test func `a rejection counts only when the authority has stamped another item`() {
    let queue = queue()
    _ = queue.add(entry(1), [:], seen: start, signed: nil, wall: nil, at: start)
    #expect(queue.fetched(at: start) == entry(1))
    var result = queue.reject(entry(1), at: start)
    #expect(result.rejection != .permanent && result.held == nil)
    _ = queue.add(entry(2), [:], seen: start, signed: nil, wall: nil, at: start)
    #expect(queue.fetched(at: start) == entry(2))
    _ = queue.complete(entry(2))
    #expect(queue.fetched(at: start) == entry(1))
    result = queue.reject(entry(1), at: start)
    #expect(result.rejection == .permanent && result.held?.entry == entry(1))
    #expect(queue.count == 0)
  }

  @Test func `an item that is removed is fetched and held no more`() {
    let queue = queue()
    _ = queue.add(entry(1), [:], seen: start, signed: nil, wall: nil, at: start)
    #expect(queue.remove(entry(1))?.entry == entry(1))
    #expect(queue.fetched(at: start) == nil && queue.expire(at: .max, wall: nil).isEmpty)
    // While it is fetched.
    _ = queue.add(entry(2), [:], seen: start, signed: nil, wall: nil, at: start)
    #expect(queue.fetched(at: start) == entry(2))
    queue.remove(entry(2))
    #expect(!queue.isFetching(entry(2)) && queue.isBusy)
    queue.discard()
    #expect(!queue.isBusy && queue.count == 0)
  }

  @Test func `of items that vanish together, also the one under way is fetched and held no more`() {
    let queue = queue()
    for number in 1...4 as ClosedRange<Int64> {
      _ = queue.add(entry(number), [:], seen: start, signed: nil, wall: nil, at: start)
    }
    #expect(queue.fetched(at: start) == entry(1))
    queue.remove([entry(1), entry(2), entry(3)])
    #expect(!queue.isFetching(entry(1)) && queue.isBusy)
    #expect(queue.count == 1 && queue.heldCount == 1)
    queue.discard()
    #expect(queue.fetched(at: start) == entry(4))
  }

  @Test func `a backlog goes in slices, in the order of signing`() {
    let queue = queue()
    for number in (1...40 as ClosedRange<Int64>).reversed() {
      _ = queue.add(entry(number), [:], seen: start, signed: nil, wall: nil, at: start)
    }
    var order: [Int64] = []
    while case let slice = queue.expire(at: start + wait, wall: nil), !slice.isEmpty {
      #expect(slice.count <= 16)
      order += slice.map { $0.entry.sequence }
      if queue.heldCount > 0 { #expect(queue.due(after: .idle) <= start + wait) }
    }
    #expect(order == Array(1...40))
  }

  @Test func `a new signature does not wait for the pauses of an authority that has failed`() {
    let queue = queue()
    for number in 1...Int64(CircuitBreaker.failureThreshold) {
      #expect(!queue.add(entry(number), [:], seen: start, signed: nil, wall: nil, at: start))
      #expect(queue.fetched(at: start) == entry(number))
      queue.retry(entry(number), at: start)
    }
    // By now, an outage pauses for minutes.
    var now = start
    for _ in 0..<8 {
      now += 1200 * second
      let next = queue.fetched(at: now)
      if let next { queue.retry(next, at: now) }
    }
    #expect(queue.fetched(at: now) == nil)
    #expect(!queue.add(entry(9), [:], seen: now, signed: nil, wall: nil, at: now))
    // A breath, so that a fleet does not ask at once.
    let soon = now + 5 * second
    #expect(queue.fetched(at: soon) == entry(9))
  }
}
