import Retry
import Spool
import SyntheticHand
import Testing

@testable import Handoff

/// Time is a number here: seconds.
@Suite struct SinkQueueTests {
  static let second: Int64 = 1_000_000_000

  /// A queue whose sink answers as it is told.
  struct Bench {
    var queue = SinkQueue(
      Backoff(first: 10 * second, longest: 1000 * second), seed: 42)
    var now: Int64 = 0

    init(_ sequences: ClosedRange<Int64>? = nil) {
      if let sequences { queue.enqueue(sequences.map { Entries.entry($0) }) }
    }

    /// The sequence that is delivered now, or nil.
    mutating func take() -> Int64? {
      if case .deliver(let entry) = queue.next(at: now) { return entry.sequence }
      return nil
    }

    /// Takes the next and fails it.
    mutating func fail(pause: Int64? = nil) -> Int64? {
      guard let taken = take() else { return nil }
      queue.retry(at: now, retryAfter: pause)
      return taken
    }

    mutating func succeed() -> Int64? {
      guard let taken = take() else { return nil }
      queue.complete()
      return taken
    }

    /// Goes to the time when something can be done.
    mutating func sleep() {
      if case .wait(let until) = queue.next(at: now) { now = until }
    }
  }

  @Test func `oldest and newest take turns`() {
    var bench = Bench(1...6)
    #expect((0..<7).map { _ in bench.succeed() } == [1, 6, 2, 5, 3, 4, nil])
    #expect(bench.queue.next(at: 0) == .idle)
  }

  @Test func `one is in flight at a time`() {
    var bench = Bench(1...3)
    #expect(bench.take() == 1)
    #expect(bench.take() == nil)
    #expect(bench.queue.isBusy && bench.queue.count == 3)
    bench.queue.complete()
    #expect(bench.take() == 3)
  }

  @Test func `what waits after a failure and what is in flight is not delivered yet`() {
    var bench = Bench(1...3)
    #expect(bench.fail() == 1 && bench.queue.count == 3)
    #expect(bench.take() != nil && bench.queue.count == 3)
  }

  @Test func `an item that fails waits longer each time, and the others go on`() {
    var bench = Bench(1...1)
    var pauses: [Int64] = []
    for expected in 1...9 {
      guard case .deliver(let entry) = bench.queue.next(at: bench.now) else {
        Issue.record("not due")
        return
      }
      let (attempts, due) = bench.queue.retry(at: bench.now, retryAfter: nil)
      #expect(attempts == expected && entry.sequence == 1)
      pauses.append((due - bench.now) / Self.second)
      // A healthy item in between keeps the sink in favour.
      bench.queue.enqueueNew(Entries.entry(100 + Int64(expected)))
      #expect(bench.succeed() == 100 + Int64(expected))
      bench.now = due
    }
    for (pause, full) in zip(pauses, [10, 20, 40, 80, 160, 320, 640, 1000, 1000] as [Int64]) {
      #expect(pause >= 4 && pause <= full)
    }
  }

  @Test func `one poison item blocks nothing`() {
    var bench = Bench(1...50)
    var delivered: [Int64] = []
    for _ in 0..<2000 {
      guard let taken = bench.take() else {
        bench.sleep()
        continue
      }
      if taken == 7 {
        bench.queue.retry(at: bench.now, retryAfter: nil)
      } else {
        delivered.append(taken)
        bench.queue.complete()
      }
      if delivered.count == 49 { break }
    }
    #expect(delivered.sorted() == (1...50).filter { $0 != 7 })
    #expect(bench.now < 60 * Self.second)
  }

  @Test func `a sink that fails three items in a row pauses, and is then tried once`() {
    var bench = Bench(1...100)
    #expect((0..<4).map { _ in bench.fail() } == [1, 100, 2, nil])
    guard case .wait(let until) = bench.queue.next(at: bench.now) else {
      Issue.record("no pause")
      return
    }
    #expect(until >= 5 * Self.second && until <= 10 * Self.second)
    bench.now = until
    #expect(bench.fail() != nil)
    #expect(bench.fail() == nil)
    var asked = 0
    let start = bench.now
    while bench.now < start + 3600 * Self.second {
      if bench.fail() == nil { bench.sleep() } else { asked += 1 }
    }
    #expect(asked < 20)
    #expect(bench.queue.count == 100)
  }

  @Test func `a recovered sink gets everything at once`() {
    var bench = Bench(1...10)
    for _ in 0..<5 where bench.fail() == nil { bench.sleep() }
    bench.sleep()
    let start = bench.now
    let delivered = (0..<10).compactMap { _ in bench.succeed() }
    #expect(delivered.sorted() == Array(1...10) && bench.now == start)
  }

  @Test
  func `a fresh item is tried although the sink pauses, but not more than once in a first pause`() {
    var bench = Bench(1...100)
    for _ in 0..<10 {
      while bench.fail() != nil {}
      bench.sleep()
    }
    while bench.fail() != nil {}
    let failed = bench.now
    bench.now += Self.second
    bench.queue.enqueueNew(Entries.entry(500))
    bench.sleep()
    #expect(bench.now == failed + 10 * Self.second)
    let tried = bench.now
    #expect(bench.fail() == 500)
    for fresh in 501...520 as ClosedRange<Int64> {
      bench.queue.enqueueNew(Entries.entry(fresh))
    }
    #expect(bench.fail() == nil)
    bench.sleep()
    #expect(bench.now == tried + 10 * Self.second)
    #expect(bench.fail() == 520)
  }

  @Test func `a recovered sink gets at once what would have waited longer`() {
    var bench = Bench(1...4)
    while bench.now < 12 * 3600 * Self.second {
      if bench.fail() == nil { bench.sleep() }
    }
    // Another item is delivered while those that failed so often wait.
    bench.queue.enqueueNew(Entries.entry(5))
    while bench.take() == nil { bench.sleep() }
    bench.queue.complete()
    let delivered = (0..<4).compactMap { _ in bench.succeed() }
    #expect(delivered.count == 4 && bench.queue.count == 0)
  }

  @Test func `a requested pause also applies to fresh items`() {
    var bench = Bench(1...2)
    #expect(bench.fail(pause: 300 * Self.second) == 1)
    bench.queue.enqueueNew(Entries.entry(9))
    bench.sleep()
    // And up to half of it more.
    #expect(bench.now >= 300 * Self.second && bench.now <= 450 * Self.second)
    #expect(bench.take() != nil)
  }

  @Test(arguments: [Int64.max, 30 * 86400 * second])
  func `a receiver may request an hour at most, or the longest pause`(pause: Int64) {
    for (longest, most) in [(1000, 3600), (86400, 86400)] as [(Int64, Int64)] {
      var queue = SinkQueue(
        Backoff(first: Self.second, longest: longest * Self.second), seed: 42)
      queue.enqueue([Entries.entry(1)])
      let now = 7 * Self.second
      #expect(queue.next(at: now) == .deliver(Entries.entry(1)))
      let due = queue.retry(at: now, retryAfter: pause).due
      #expect(due >= now + most * Self.second && due <= now + most * Self.second * 3 / 2)
      #expect(queue.next(at: now) == .wait(until: due))
    }
  }

  @Test func `a requested pause is randomly extended by up to a half`() {
    let dues = (0..<200 as Range<UInt64>).map { seed in
      var queue = SinkQueue(Backoff(first: Self.second, longest: 60 * Self.second), seed: seed)
      queue.enqueue([Entries.entry(1)])
      _ = queue.next(at: 0)
      return queue.retry(at: 0, retryAfter: 100 * Self.second).due
    }
    #expect(dues.allSatisfy { (100 * Self.second...150 * Self.second).contains($0) })
    #expect(dues.contains { $0 < 105 * Self.second } && dues.contains { $0 > 145 * Self.second })
  }

  @Test func `after an event that a whole fleet sees, each pad waits for a random time`() {
    let starts = (0..<200 as Range<UInt64>).map { seed in
      var queue = SinkQueue(Backoff(first: 60 * Self.second, longest: 60 * Self.second), seed: seed)
      queue.enqueue([Entries.entry(1)])
      _ = queue.next(at: 0)
      queue.retry(at: 0, retryAfter: nil)
      let due = queue.flushSoon(at: 100)
      guard case .wait(let until) = queue.next(at: 100) else { return Int64(0) }
      #expect(due == until)
      #expect(queue.next(at: until) == .deliver(Entries.entry(1)))
      return until - 100
    }
    #expect(starts.allSatisfy { (0...30 * Self.second).contains($0) })
    #expect(starts.contains { $0 < 3 * Self.second } && starts.contains { $0 > 27 * Self.second })
    // Who has no trouble goes on.
    var bench = Bench(1...2)
    let due = bench.queue.flushSoon(at: 0)
    #expect(due == nil)
    #expect(bench.take() == 1)
  }

  @Test func `an event that a fleet sees counts in an attempt, and while an item waits`() {
    var tried = Bench(1...1)
    _ = tried.fail()
    tried.sleep()
    #expect(tried.take() == 1)
    #expect(tried.queue.flushSoon(at: tried.now) != nil)
    var waiting = Bench(1...1)
    #expect(waiting.take() == 1)
    _ = waiting.queue.postpone(at: 0)
    #expect(waiting.queue.flushSoon(at: 0) != nil)
  }

  @Test func `after a boot, each pad begins at a random time, and a new signature waits no longer`()
  {
    let starts = (0..<200 as Range<UInt64>).map { seed in
      var queue = SinkQueue(Backoff(first: 5 * Self.second, longest: 60 * Self.second), seed: seed)
      queue.enqueue([Entries.entry(1)])
      let due = queue.startSoon(at: 0)
      guard case .wait(let until) = queue.next(at: 0) else { return Int64(0) }
      #expect(due == until)
      queue.enqueueNew(Entries.entry(2))
      guard case .wait(let fresh) = queue.next(at: 0) else { return Int64(0) }
      #expect(fresh <= until)
      return until
    }
    #expect(starts.allSatisfy { (0...30 * Self.second).contains($0) })
    #expect(starts.contains { $0 < 3 * Self.second } && starts.contains { $0 > 27 * Self.second })
  }

  @Test
  func `in the first hour of an outage, signing does not make a fleet retry at the same pace`() {
    let waits = (0..<200 as Range<UInt64>).map { seed in
      var queue = SinkQueue(
        Backoff(
          first: 5 * Self.second, longest: 3600 * Self.second, longestEarly: Backoff.fleetLimit),
        seed: seed)
      var (now, next) = (Int64(0), Int64(1))
      var attempts = 0
      // A person signs every 3 s, for 20 minutes.
      while now < 1200 * Self.second {
        queue.enqueueNew(Entries.entry(next))
        next += 1
        if case .deliver = queue.next(at: now) {
          queue.retry(at: now, retryAfter: nil)
          attempts += 1
        }
        now += 3 * Self.second
      }
      return attempts
    }
    // A pad retries every minute after the first.
    #expect(waits.allSatisfy { (20...30).contains($0) }, "\(waits)")
  }

  @Test func `an item is rejected for good when another was accepted in between`() {
    var bench = Bench(1...3)
    #expect(bench.take() == 1)
    guard case .provisional(1, _, false) = bench.queue.reject(at: bench.now) else {
      Issue.record("not provisional")
      return
    }
    #expect(bench.queue.count == 3)
    #expect(bench.succeed() == 3)
    // Asked again at once, now that the receiver is known to work.
    #expect(bench.take() == 1)
    #expect(bench.queue.reject(at: bench.now) == .permanent)
    #expect(bench.succeed() == 2)
    #expect(bench.queue.count == 0)
  }

  @Test
  func
    `an item that was rejected before the start is rejected for good after another was accepted`()
  {
    var bench = Bench(1...2)
    bench.queue.enqueue(Entries.entry(9), attempts: 1, isRejected: true, at: bench.now)
    #expect(bench.succeed() == 1)
    #expect(bench.take() == 9)
    #expect(bench.queue.reject(at: bench.now) == .permanent)
    #expect(bench.succeed() == 2)
  }

  @Test func `an item that is rejected alone waits, however often`() {
    var bench = Bench(1...1)
    for count in 1...20 {
      while bench.take() == nil { bench.sleep() }
      guard case .provisional(count, _, false) = bench.queue.reject(at: bench.now) else {
        Issue.record("round \(count)")
        return
      }
    }
    #expect(!bench.queue.isPaused)
  }

  @Test func `a sink that rejects three different items in a row pauses, longer each time`() {
    var bench = Bench(1...100)
    var opened = 0
    var asked = 0
    while bench.now < 3600 * Self.second {
      guard bench.take() != nil else {
        bench.sleep()
        continue
      }
      asked += 1
      switch bench.queue.reject(at: bench.now) {
      case .permanent: Issue.record("rejected for good")
      case .provisional(_, _, let opensBreaker): opened += opensBreaker ? 1 : 0
      }
      #expect(bench.queue.isPaused == (asked >= 3))
    }
    #expect(opened == 1)
    #expect(asked < 40)
    #expect(bench.queue.count == 100)
    // The receiver is mended: everything is accepted, and nothing has been lost.
    bench.queue.flush(at: bench.now, ignoringRetryAfter: true)
    #expect((0..<100).compactMap { _ in bench.succeed() }.count == 100)
  }

  @Test func `an item out of its turn is taken only when it is due, and the sink may be asked`() {
    var bench = Bench(1...1)
    #expect(bench.fail() == 1)
    guard case .wait(let due) = bench.queue.next(at: bench.now) else {
      Issue.record("not waiting")
      return
    }
    #expect(bench.queue.next(at: due - 1) { _ in true } == nil)
    #expect(bench.queue.next(at: due) { _ in false } == nil)
    #expect(bench.queue.next(at: due) { _ in true } == Entries.entry(1))
    #expect(bench.queue.next(at: due) { _ in true } == nil)
    #expect(bench.queue.count == 1)
    bench.queue.retry(at: due, retryAfter: 100 * Self.second)
    bench.queue.enqueueNew(Entries.entry(2))
    #expect(bench.queue.next(at: due) { _ in true } == nil)
  }

  @Test func `a flush tries everything now and keeps the counts`() {
    var bench = Bench(1...3)
    while bench.fail() != nil {}
    bench.queue.flush(at: bench.now, ignoringRetryAfter: true)
    #expect(bench.take() != nil)
    let (attempts, _) = bench.queue.retry(at: bench.now, retryAfter: nil)
    #expect(attempts == 2)
  }

  @Test func `items that had failed before the start let the others go first`() {
    var bench = Bench(5...6)
    bench.queue.enqueue(Entries.entry(1), attempts: 3, at: 0)
    #expect((0..<3).map { _ in bench.succeed() } == [5, 6, nil])
    bench.sleep()
    #expect(bench.take() == 1)
    #expect(bench.queue.retry(at: bench.now, retryAfter: nil).attempts == 4)
  }

  @Test func `a cancelled item is not delivered, and its answer is ignored`() {
    var bench = Bench(1...2)
    bench.queue.cancel(Entries.entry(2))
    #expect(bench.take() == 1)
    bench.queue.cancel(Entries.entry(1))
    #expect(bench.queue.isBusy && bench.queue.count == 0)
    #expect(bench.queue.retry(at: 0, retryAfter: nil).attempts == 0)
    #expect(!bench.queue.isBusy)
    #expect(bench.queue.next(at: 0) == .idle)
  }

  @Test func `a rejection of a cancelled item is no evidence against the sink`() {
    var bench = Bench(1...1)
    #expect(bench.take() == 1)
    bench.queue.cancel(Entries.entry(1))
    #expect(
      bench.queue.reject(at: 7) == .provisional(attempts: 0, due: 7, opensBreaker: false))
    #expect(!bench.queue.isPaused)
  }

  @Test func `only an item of the queue can be cancelled, wherever it is`() {
    var bench = Bench(1...3)
    #expect(bench.fail() == 1)
    #expect(bench.take() == 3)
    // It waits, is being delivered, and is ready.
    for number in [1, 3, 2] as [Int64] {
      let isCancelled = bench.queue.cancel(Entries.entry(number))
      let isCancelledAgain = bench.queue.cancel(Entries.entry(number))
      #expect(isCancelled && !isCancelledAgain, "\(number)")
    }
    #expect(bench.queue.count == 0)
  }

  @Test func `an item that fails once is due before one that has failed often`() {
    var bench = Bench(1...1)
    var late: Int64 = 0
    for round in 0..<6 as Range<Int64> {
      bench.now = late
      #expect(bench.take() == 1)
      late = bench.queue.retry(at: bench.now, retryAfter: nil).due
      bench.queue.enqueueNew(Entries.entry(100 + round))
      #expect(bench.succeed() == 100 + round)
    }
    bench.queue.enqueueNew(Entries.entry(2))
    #expect(bench.take() == 2)
    let early = bench.queue.retry(at: bench.now, retryAfter: nil).due
    #expect(early < late)
    #expect(bench.queue.next(at: bench.now) == .wait(until: early))
    bench.now = early
    #expect(bench.take() == 2)
  }

  @Test func `rejections before a flush are no evidence after it`() {
    var bench = Bench(1...9)
    for _ in 1...2 {
      #expect(bench.take() != nil)
      _ = bench.queue.reject(at: bench.now)
    }
    bench.queue.flush(at: bench.now, ignoringRetryAfter: false)
    for count in 1...3 {
      #expect(bench.take() != nil)
      guard case .provisional(_, _, let opensBreaker) = bench.queue.reject(at: bench.now) else {
        Issue.record("rejected for good")
        return
      }
      #expect(opensBreaker == (count == 3) && bench.queue.isPaused == opensBreaker)
    }
  }

  @Test func `whatever happens, every item is delivered once, and only after it was added`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededRandom(seed: seed)
    for round in 0..<100 {
      var bench = Bench()
      var waiting: Set<Int64> = []
      var next: Int64 = 1
      for _ in 0..<500 {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0:
          bench.queue.enqueueNew(Entries.entry(next))
          waiting.insert(next)
          next += 1
        case 1:
          bench.now += Int64.random(in: 0...20 * Self.second, using: &generator)
        case 2: bench.queue.flush(at: bench.now, ignoringRetryAfter: true)
        case 3:
          if let gone = waiting.randomElement(using: &generator) {
            bench.queue.cancel(Entries.entry(gone))
            waiting.remove(gone)
          }
        case 4, 5: _ = bench.fail()
        default:
          if let taken = bench.succeed() {
            #expect(waiting.remove(taken) != nil, "seed \(seed), round \(round)")
          }
        }
        #expect(bench.queue.count == waiting.count, "seed \(seed), round \(round)")
      }
      for _ in 0..<10_000 where !waiting.isEmpty {
        if let taken = bench.succeed() {
          #expect(waiting.remove(taken) != nil, "seed \(seed), round \(round)")
        } else {
          bench.sleep()
        }
      }
      #expect(waiting.isEmpty, "seed \(seed), round \(round)")
    }
  }

  @Test func `an item that comes again after its rejection has no attempts behind it`() {
    var bench = Bench(1...2)
    #expect(bench.take() == 1)
    _ = bench.queue.reject(at: bench.now)
    #expect(bench.succeed() == 2)
    while bench.take() != 1 { bench.sleep() }
    #expect(bench.queue.reject(at: bench.now) == .permanent)
    bench.queue.enqueue([Entries.entry(1)])
    #expect(bench.take() == 1)
    #expect(bench.queue.retry(at: bench.now, retryAfter: nil).attempts == 1)
  }
}
