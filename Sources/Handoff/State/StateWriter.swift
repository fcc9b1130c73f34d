internal import Configuration
internal import Linux
internal import Spool

/// Writes final states and records of deliveries to the spool. Retries those that failed.
struct StateWriter {
  /// The result of a commit.
  private enum Result {
    /// The item left `new`.
    case moved
    /// The item was removed by another program.
    case gone
    /// The item is still in `new`.
    case failed
  }

  /// What became of the record of a failed attempt.
  enum Recording: Equatable {
    /// It is written, or cannot be written.
    case attempted
    /// The item has reached its maximum age, with the reason of its failure.
    case expired(String)
    /// The item left `new`: a record would outlast it.
    case gone
  }

  private let configuration: HandoffConfiguration
  private let names: [String]
  private let limits: Delivery.Limits
  private let crashes: CrashRecords
  private let retention: Retention
  private let problems: Problems
  private let metrics: Metrics
  /// Changes that failed, for example because of a foreign folder. They block no other item.
  private var uncommitted: [StateChange] = []
  /// The number of items that were moved to `failed`.
  private(set) var failedCount = 0
  /// When unrecorded deliveries are recorded again.
  var recordDue: Int64 = 0

  private static let recordDelay: Int64 = 5_000_000_000

  init(
    _ configuration: HandoffConfiguration, _ limits: Delivery.Limits, _ crashes: CrashRecords,
    _ retention: Retention, _ problems: Problems, _ metrics: Metrics
  ) {
    self.configuration = configuration
    names = configuration.sinks.map { $0.name }
    self.limits = limits
    self.crashes = crashes
    self.retention = retention
    self.problems = problems
    self.metrics = metrics
  }

  var uncommittedCount: Int { uncommitted.count }

  func isUncommitted(_ id: ItemID) -> Bool { uncommitted.contains { $0.id == id } }

  // MARK: Final states

  /// Resolves an answer in the queue, and writes what follows. Returns whether the item left `new`.
  mutating func resolve(
    _ answer: Ledger.Answer, of sink: Int, for id: ItemID, in queue: inout ActiveQueue,
    at now: Int64
  ) -> Bool {
    let resolution = queue.resolve(answer, of: sink, for: id)
    // The last delivery needs no record if the item leaves `new`. A retry needs the others.
    if resolution?.lastSink == nil {
      switch answer {
      case .delivered: recordDelivery(of: id, to: sink, in: &queue, at: now)
      case .rejected(let reason): recordRejection(of: id, by: sink, reason)
      }
    }
    guard let resolution else { return false }
    return commit(resolution, in: &queue, at: now)
  }

  /// Moves an item to its final folder. Returns whether it left `new`.
  mutating func commit(
    _ resolution: ActiveQueue.Resolution, in queue: inout ActiveQueue, at now: Int64
  ) -> Bool {
    let (change, sink) = (resolution.change, resolution.lastSink)
    switch commit(change) {
    case .failed:
      if let sink { recordDelivery(of: change.id, to: sink, in: &queue, at: now) }
      return false
    case .moved:
      // A retry still needs the records of a failed item.
      if case .failed = change {
        queue.leftNew(change.id)
      } else {
        removeUnrecorded(change.id, from: &queue)
      }
    case .gone: removeUnrecorded(change.id, from: &queue)
    }
    return true
  }

  /// Commits the changes that failed. Returns the items that left `new`.
  mutating func commitAgain(in queue: inout ActiveQueue, at now: Int64) -> [ItemID] {
    let changes = uncommitted
    uncommitted = []
    var left: [ItemID] = []
    for change in changes {
      if commit(.init(change: change, lastSink: nil), in: &queue, at: now) {
        left.append(change.id)
      }
    }
    return left
  }

  /// A change that fails is kept for `commitAgain`.
  private mutating func commit(_ change: StateChange) -> Result {
    var result = Result.failed
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      result = try spool.commit(change) ? .moved : .gone
      switch change {
      case .delivered(let id): try retention.retain(id, in: spool)
      case .failed(let id, let reason):
        crashes.forget(id, sinks: names)
        if result == .gone { break }
        failedCount += 1
        metrics.countFailedItem()
        // A reason per sink, one line each in the item's file.
        let reasons = reason.split(separator: "\n").joined(separator: "; ")
        problems.log(.error, "\(id.text): moved to failed/ (\(reasons))")
      }
      problems.resolve(.item(change.id))
    } catch {
      problems.report(.item(change.id), error.text)
      uncommitted.append(change)
    }
    return result
  }

  // MARK: Records

  /// A sink whose delivery cannot be recorded waits.
  private mutating func recordDelivery(
    of id: ItemID, to sink: Int, in queue: inout ActiveQueue, at now: Int64
  ) {
    if recordDelivery(of: id, to: sink) { return removeUnrecorded(id, for: sink, from: &queue) }
    queue.addUnrecorded(id, for: sink)
    recordDue = now + Self.recordDelay
  }

  /// Records the unrecorded deliveries again, if that is due.
  mutating func recordDeliveries(in queue: inout ActiveQueue, at now: Int64) {
    if recordDue > now { return }
    for sink in names.indices {
      for id in queue.unrecorded(of: sink) {
        recordDelivery(of: id, to: sink, in: &queue, at: now)
      }
    }
  }

  /// The deliveries of an item need no record.
  func removeUnrecorded(_ id: ItemID, from queue: inout ActiveQueue) {
    for sink in names.indices { removeUnrecorded(id, for: sink, from: &queue) }
  }

  private func removeUnrecorded(_ id: ItemID, for sink: Int, from queue: inout ActiveQueue) {
    queue.removeUnrecorded(id, for: sink)
    if queue.unrecorded(of: sink).isEmpty { problems.resolve(.recording(sink)) }
  }

  /// Returns false if that failed.
  private func recordDelivery(of id: ItemID, to sink: Int) -> Bool {
    do throws(SpoolError) {
      try Spool(at: configuration.spool).recordDelivery(of: id, to: names[sink])
      return true
    } catch {
      problems.report(
        .recording(sink),
        "\(names[sink]): cannot record a delivery (\(error.text)); the sink waits")
      return false
    }
  }

  /// Records a permanent rejection. If the record is lost, the sink rejects the item again.
  private func recordRejection(of id: ItemID, by sink: Int, _ reason: String) {
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      if hasLeftNew(id, spool) { return }
      try spool.record(
        SinkState(.never, reason: reason), of: names[sink], for: id, durable: true)
      problems.resolve(.attempts)
    } catch { problems.report(.attempts, error.text) }
  }

  /// Records a failed attempt, unless the item has reached its maximum age or is gone.
  func record(_ state: SinkState, of sink: Int, for id: ItemID) -> Recording {
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      if hasLeftNew(id, spool) { return .gone }
      if let age = configuration.maximumAge, isOlder(id, than: age) {
        let days = age / 86_400_000_000_000
        let text = days > 0 ? "\(days) d" : "\(age / 1_000_000_000) s"
        return .expired("not delivered within maximum-age (\(text)): \(state.reason ?? "")")
      }
      // A power cut may lose a count, but no signature.
      try spool.record(state, of: names[sink], for: id, durable: false)
      problems.resolve(.attempts)
    } catch { problems.report(.attempts, error.text) }
    return .attempted
  }

  /// False if that cannot be told.
  private func hasLeftNew(_ id: ItemID, _ spool: borrowing Spool) -> Bool {
    (try? spool.new.contains(id.text)) == false
  }

  /// By the time in the manifest, if the wall clock was synchronised at signing and is now.
  private func isOlder(_ id: ItemID, than age: Int64) -> Bool {
    guard limits.isClockSynchronized(), let time = id.signingTime(in: configuration.spool) else {
      return false
    }
    return WallClock.now &- time >= age
  }
}
