#if DEBUG
  import Configuration
  import Linux
  import Retry
  import Spool
  import SyntheticHand

  @testable import Handoff
  @testable import Spool

  /// paraph-handoff with two receivers.
  final class HandoffProcess {
    /// What a receiver does.
    private enum Mood: CaseIterable {
      case up, down, refuses, hangs
      /// Takes the item, and its answer is lost.
      case isMute
    }

    private let disk: Disk
    private let facts: Facts
    private let configuration: HandoffConfiguration
    private var scheduler: Scheduler?
    private var running: [(sink: Int, entry: QueueEntry)] = []
    private var moods = [Mood.up, .up]
    /// What each receiver has refused, and whether it has accepted another item since.
    private var refused: [[String: Bool]] = [[:], [:]]

    init(_ disk: Disk, _ facts: Facts, _ setting: Setting) throws {
      self.disk = disk
      self.facts = facts
      configuration = try HandoffConfiguration(setting.handoff, file: "handoff")
    }

    var isDelivering: Bool { !running.isEmpty }

    func start() throws {
      disk.process = 1
      let problems = Problems { _, _ in }
      let metrics = Metrics(sinks: ["a", "b"])
      let retention = Retention(spool: "/spool", time: configuration.retain, problems)
      scheduler = try Scheduler(configuration, Delivery.Limits(), retention, problems, metrics)
      if disk.isKilled { try died() }
    }

    /// The process has ended.
    func ended() {
      disk.process = 1
      running = []
      // What its parts do at their end has no effect any more.
      disk.kill()
      scheduler = nil
      disk.ended(1)
    }

    private func died() throws {
      ended()
      try start()
    }

    private func run(_ body: (Scheduler) throws -> Void) throws {
      disk.process = 1
      if scheduler == nil { try start() }
      try lend(body)
      if disk.isKilled { try died() }
    }

    /// A function of its own, so that nobody else holds the scheduler when the process ends.
    @inline(never) private func lend(_ body: (Scheduler) throws -> Void) throws {
      if let scheduler { try body(scheduler) }
    }

    func step() throws {
      try run { scheduler in
        _ = scheduler.step(at: disk.now) { running.append(($0, $1)) }
      }
    }

    func killSoon(_ random: inout SeededRandom) throws {
      disk.callsToKill = .random(in: 0...30, using: &random)
      try step()
      if disk.callsToKill != nil { try answer(&random) }
      disk.callsToKill = nil
    }

    /// It gets SIGTERM, and ends without its deliveries.
    func terminate() {
      disk.process = 1
      running = []
      scheduler = nil
      disk.ended(1)
    }

    func flush() throws { try run { $0.flush(at: disk.now) } }

    func networkReturns() throws { try run { $0.flushSoon(at: disk.now) } }

    func changeMood(_ random: inout SeededRandom) {
      moods[Int.random(in: 0..<2, using: &random)] =
        [Mood.up, .up, .down, .refuses, .hangs, .isMute].randomElement(using: &random) ?? .up
    }

    /// The receivers work.
    func heal() {
      moods = [.up, .up]
      refused = [[:], [:]]
    }

    /// A receiver answers.
    func answer(_ random: inout SeededRandom) throws {
      try run { scheduler in
        guard !running.isEmpty else { return }
        let place = Int.random(in: 0..<running.count, using: &random)
        let (sink, entry) = running[place]
        if moods[sink] == .hangs { return }
        running.remove(at: place)
        let result = try result(of: sink, entry)
        if disk.isKilled { return }
        scheduler.complete(.init(sink: sink, entry: entry, result: result), at: disk.now)
      }
    }

    private func result(of sink: Int, _ entry: QueueEntry) throws -> SinkWorker.Result {
      let item: Item
      do throws(Item.Failure) {
        item = try Item(entry.id, in: try folder())
      } catch {
        if case .invalid(let reason) = error {
          throw BrokenPromise("the item \(entry.id.text) in new is not whole: \(reason.reason)")
        }
        return .unreadable(error)
      }
      let token = Facts.token(of: item.manifest)
      if facts.isPoisonItem(token), sink == 0 {
        disk.kill()
        return .answered(.delivered)
      }
      switch moods[sink] {
      case .down: return .answered(.temporaryFailure("refused", retryAfter: nil))
      case .refuses:
        // Then it counts as the item's fault.
        if refused[sink][entry.id.text] == true { facts.mayFail(entry.id.text) }
        refused[sink][entry.id.text] = false
        return .answered(.permanentFailure("400"))
      case .up, .hangs, .isMute:
        if facts.isRejected(token), sink == 1 { return .answered(.permanentFailure("422")) }
        if let (manifest, digest) = disk.manifest(of: entry.id.text) {
          try facts.published(manifest, digest: digest)
        }
        facts.received(entry.id.text, by: sink)
        for id in refused[sink].keys { refused[sink][id] = true }
        return .answered(
          moods[sink] == .isMute
            ? .temporaryFailure("no answer", retryAfter: nil) : .delivered)
      }
    }

    private func folder() throws(Item.Failure) -> Folder {
      do throws(SystemError) { return try Folder("/spool/new") } catch { throw .system(error) }
    }
  }
#endif
