import Retry
import Spool
import SyntheticHand

@testable import Handoff

/// A fleet at one broker: the hand-off's own queues and schedules, with a virtual clock.
///
/// Each pad has a connection, as an MQTT sink keeps it, and a queue. The broker serves all in order, at a limited rate.
/// While it is off, connections are refused at once; when it goes off, all are lost.
struct FleetSimulation {
  /// Something that happens to all pads at the same time.
  enum Event: Equatable {
    /// The broker is off for this time.
    case outage(Int64)
    /// All pads lose power, and start at the same time, within 2 s. `after`: the broker was off for this time before, and
    /// what was signed then waits.
    case powerCut(after: Int64)
    /// The pads have no network for this time. Then all have a route again, within 2 s.
    case networkUp(after: Int64)
  }

  /// What followed an event.
  struct Recovery {
    var event: Event
    /// When the broker or the pads were back.
    var end: Int64
    /// The pads that connected in each second after it.
    var connected: [Int] = []
    /// How long until each pad had connected, and until each had delivered what had waited, in seconds.
    var allConnected: Int64?, drained: Int64?
  }

  static let second: Int64 = 1_000_000_000
  private static let deliveries: Int64 = 1000

  private struct Pad {
    var queue: SinkQueue
    var schedule: ReconnectSchedule
    var isConnected = false
    /// Its answer is on its way.
    var delivering: QueueEntry?
    var nextWake = Int64.max
  }

  private var pads: [Pad] = []
  private var steps = StepQueue()
  private var random: SeededRandom
  private var sequence: Int64 = 0
  private var isOff = false
  /// The pads have no power.
  private var isDark = false
  /// The last signature before the end of the event.
  private var mark: Int64 = 0
  private var serverFree: Int64 = 0
  private var current: Int?
  private let seed: UInt64
  private let interval: Int64
  /// In the order of the events.
  private(set) var recoveries: [Recovery] = []
  private(set) var delivered = 0
  private(set) var attempts = 0
  var waiting: Int { pads.reduce(0) { $0 + $1.queue.count } }

  static let backoff = Backoff(
    first: 5 * second, longest: 3600 * second, longestEarly: Backoff.fleetLimit)

  /// `interval`: the mean time between two signatures of a pad.
  init(pads count: Int, interval: Int64, seed: UInt64) {
    self.seed = seed
    self.interval = interval
    random = SeededRandom(seed: seed)
    for number in 0..<count {
      pads.append(Self.start(UInt64(number) &+ seed &* 1_000_003, at: 0))
    }
    for number in 0..<count {
      // A fleet that is running: its connections did not begin together.
      pads[number].isConnected = true
      pads[number].schedule.opened(at: 0)
      steps.push(.init(time: nextSignature(after: 0), pad: number, kind: .sign))
    }
  }

  private static func start(_ seed: UInt64, isBoot: Bool = false, at now: Int64) -> Pad {
    var queue = SinkQueue(backoff, seed: seed)
    let due = isBoot ? queue.startSoon(at: now) : nil
    return Pad(
      queue: queue,
      schedule: ReconnectSchedule(backoff, seed: seed &+ 1 << 40, bootDue: due, at: now))
  }

  private mutating func nextSignature(after now: Int64) -> Int64 {
    now + Int64.random(in: 1...2 * interval, using: &random)
  }

  /// Runs until `end`, with events at their times.
  mutating func run(_ events: [(time: Int64, event: Event)], until end: Int64) {
    for (index, event) in events.enumerated() {
      recoveries.append(Recovery(event: event.event, end: event.time))
      steps.push(.init(time: event.time, pad: index, kind: .event))
    }
    while let step = steps.pop(), step.time < end {
      switch step.kind {
      case .sign: sign(step.pad, at: step.time)
      case .wake:
        if pads[step.pad].nextWake == step.time {
          pads[step.pad].nextWake = .max
          work(step.pad, at: step.time)
        }
      case .answer: answer(step.pad, at: step.time)
      case .event: begin(step.pad, at: step.time)
      case .dark: isDark = true
      case .end: finish(step.pad, at: step.time)
      case .route: gainRoute(step.pad, at: step.time)
      }
    }
  }

  // MARK: A pad

  private mutating func sign(_ pad: Int, at now: Int64) {
    if isDark {
      return steps.push(.init(time: nextSignature(after: now), pad: pad, kind: .sign))
    }
    sequence += 1
    pads[pad].queue.enqueueNew(Entries.entry(sequence))
    steps.push(.init(time: nextSignature(after: now), pad: pad, kind: .sign))
    work(pad, at: now)
  }

  private mutating func work(_ pad: Int, at now: Int64) {
    if isDark { return }
    if !pads[pad].isConnected && now >= pads[pad].schedule.due {
      connect(pad, isDelivery: false, at: now)
    }
    var due = pads[pad].isConnected ? Int64.max : pads[pad].schedule.due
    queue: while pads[pad].delivering == nil {
      switch pads[pad].queue.next(at: now) {
      case .idle: break queue
      case .wait(let until):
        due = min(due, until)
        break queue
      case .deliver(let entry): deliver(entry, pad, at: now)
      }
    }
    if !pads[pad].isConnected { due = min(due, pads[pad].schedule.due) }
    if due < pads[pad].nextWake || pads[pad].nextWake <= now {
      pads[pad].nextWake = due
      if due < .max { steps.push(.init(time: due, pad: pad, kind: .wake)) }
    }
  }

  private mutating func deliver(_ entry: QueueEntry, _ pad: Int, at now: Int64) {
    if !pads[pad].isConnected { connect(pad, isDelivery: true, at: now) }
    guard pads[pad].isConnected else {
      pads[pad].queue.retry(at: now, retryAfter: nil)
      return
    }
    pads[pad].delivering = entry
    serverFree = max(serverFree, now) + Self.second / Self.deliveries
    steps.push(.init(time: serverFree + 20_000_000, pad: pad, kind: .answer))
  }

  private mutating func answer(_ pad: Int, at now: Int64) {
    guard let entry = pads[pad].delivering, !isDark else { return }
    pads[pad].delivering = nil
    guard pads[pad].isConnected else {
      pads[pad].queue.retry(at: now, retryAfter: nil)
      return work(pad, at: now)
    }
    pads[pad].queue.complete()
    delivered += 1
    if let current, entry.sequence <= mark {
      remaining -= 1
      if remaining == 0 {
        recoveries[current].drained = (now - recoveries[current].end) / Self.second
      }
    }
    work(pad, at: now)
  }

  private var remaining = 0
  private var unconnected: Set<Int> = []

  private mutating func connect(_ pad: Int, isDelivery: Bool, at now: Int64) {
    attempts += 1
    if isOff { return pads[pad].schedule.failed(at: now, isDelivery: isDelivery) }
    pads[pad].isConnected = true
    pads[pad].schedule.opened(at: now)
    guard let current else { return }
    let index = Int((now - recoveries[current].end) / Self.second)
    while recoveries[current].connected.count <= index { recoveries[current].connected.append(0) }
    recoveries[current].connected[index] += 1
    unconnected.remove(pad)
    if unconnected.isEmpty, recoveries[current].allConnected == nil {
      recoveries[current].allConnected = Int64(index)
    }
  }

  // MARK: Events of all

  private mutating func begin(_ index: Int, at now: Int64) {
    current = nil
    for pad in pads.indices where pads[pad].isConnected {
      pads[pad].isConnected = false
      _ = pads[pad].schedule.closed(.lost, at: now)
    }
    switch recoveries[index].event {
    case .outage(let time), .networkUp(let time):
      isOff = true
      steps.push(.init(time: now + time, pad: index, kind: .end))
      for pad in pads.indices { work(pad, at: now) }
    case .powerCut(let time):
      isOff = true
      steps.push(.init(time: now + time, pad: index, kind: .dark))
      steps.push(.init(time: now + time + 60 * Self.second, pad: index, kind: .end))
      for pad in pads.indices { work(pad, at: now) }
    }
  }

  private mutating func finish(_ index: Int, at now: Int64) {
    (isOff, isDark, current, mark) = (false, false, index, sequence)
    recoveries[index].end = now
    serverFree = now
    unconnected = Set(pads.indices.filter { !pads[$0].isConnected })
    remaining = waiting
    if remaining == 0 { recoveries[index].drained = 0 }
    switch recoveries[index].event {
    case .outage: break
    case .networkUp:
      // The hand-off tells queue and sink of it.
      for pad in pads.indices {
        let time = now + Int64.random(in: 0...2 * Self.second, using: &random)
        steps.push(.init(time: time, pad: pad, kind: .route))
      }
    case .powerCut: boot(at: now)
    }
  }

  private mutating func gainRoute(_ pad: Int, at now: Int64) {
    let due = pads[pad].queue.flushSoon(at: now)
    if !pads[pad].isConnected { pads[pad].schedule.networkChanged(at: now, queueDue: due) }
    work(pad, at: now)
  }

  private mutating func boot(at now: Int64) {
    for pad in pads.indices {
      let boot = now + Int64.random(in: 0...2 * Self.second, using: &random)
      var started = Self.start(
        UInt64(pad) &+ UInt64(truncatingIfNeeded: now) &+ seed, isBoot: true, at: boot)
      var entries: [QueueEntry] = []
      while let entry = drain(pad) { entries.append(entry) }
      started.queue.enqueue(entries)
      pads[pad] = started
      pads[pad].nextWake = boot
      steps.push(.init(time: boot, pad: pad, kind: .wake))
    }
  }

  /// The items of a pad that loses power: its spool keeps them.
  private mutating func drain(_ pad: Int) -> QueueEntry? {
    guard let entry = pads[pad].queue.oldest else { return nil }
    pads[pad].queue.cancel(entry)
    if pads[pad].queue.isBusy { pads[pad].queue.discard() }
    return entry
  }
}
