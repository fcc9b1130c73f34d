internal import CLinux
internal import Configuration
internal import Linux
internal import Retry
internal import Spool

/// Delivers to one sink on a thread of its own, so that a slow receiver delays no other.
final class SinkWorker: Sendable {
  /// The result of a delivery.
  struct Report: Sendable {
    let sink: Int
    let entry: QueueEntry
    let result: Result

    /// Whether the receiver has the item.
    var isDelivered: Bool {
      if case .answered(.delivered) = result { true } else { false }
    }
  }

  enum Result: Sendable {
    /// The sink's answer.
    case answered(Outcome)
    /// The item could not be read.
    case unreadable(Item.Failure)
    /// No item can be read.
    case unavailable(SystemError)
  }

  private enum Message: Sendable {
    case deliver(QueueEntry)
    case publish(Presence)
    case networkChanged(queueDue: Int64?)
    case retryNow
    case end
  }

  private let index: Int
  private let spool: String
  private let items: SharedItems
  private let configuration: SinkConfiguration
  private let cancellation: Cancellation
  private let messages: Mailbox<Message>
  private let reports: Mailbox<Report>
  private let backoff: Backoff
  private let bootDue: Int64?
  /// Of the sink's connection.
  let health = SinkHealth()

  /// `backoff`: the pauses of its connection; `bootDue`: when deliveries begin after a boot; nil:
  /// no boot.
  init(
    _ index: Int, _ configuration: SinkConfiguration, spool: String, items: SharedItems,
    reports: Mailbox<Report>, _ cancellation: Cancellation, _ backoff: Backoff,
    bootDue: Int64? = nil
  ) throws(Errno) {
    self.cancellation = cancellation
    self.backoff = backoff
    self.bootDue = bootDue
    self.index = index
    self.spool = spool
    self.items = items
    self.configuration = configuration
    self.reports = reports
    messages = try Mailbox()
  }

  /// Starts the thread.
  func start() throws(Errno) -> Thread {
    try Thread(name: "sink-\(index)") { self.run() }
  }

  /// Delivers an item. Call it again after its report.
  func deliver(_ entry: QueueEntry) { messages.post(.deliver(entry)) }

  /// The pad's status changed.
  func publish(_ presence: Presence) { tell(.publish(presence)) }

  /// A network came up. `queueDue`: when deliveries begin again; nil: they have not stopped.
  func networkChanged(queueDue: Int64?) { tell(.networkChanged(queueDue: queueDue)) }

  /// Someone asks for a retry.
  func retryNow() { tell(.retryNow) }

  /// A held sink has no thread, and its messages would pile up.
  private func tell(_ message: Message) { if !configuration.isHeld { messages.post(message) } }

  /// Whether the sink publishes the pad's status.
  var publishesPresence: Bool { configuration.publishesPresence }

  /// Ends the thread after the current item.
  func end() { messages.post(.end) }

  private func run() {
    let sink: Sink
    do throws(Errno) {
      sink = try Sink(
        configuration, spool: spool, cancellation, health, backoff, bootDue: bootDue)
    } catch { return answerAll(.temporaryFailure(error.text)) }
    var poll = Poll()
    poll.add(messages.number)
    poll.add(-1)
    while true {
      sink.work()
      let wait = sink.wait
      poll.replace(1, with: wait.descriptor, output: wait.output)
      // After a failed wait, the mailbox is empty.
      _ = try? poll.wait(milliseconds: wait.milliseconds)
      for message in messages.takeAll() {
        switch message {
        case .deliver(let entry):
          reports.post(Report(sink: index, entry: entry, result: deliver(entry, to: sink)))
        case .publish(let presence): sink.publish(presence)
        case .networkChanged(let due): sink.networkChanged(queueDue: due)
        case .retryNow: sink.retryNow()
        case .end: return
        }
      }
    }
  }

  /// Answers for a sink that could not be created.
  private func answerAll(_ outcome: Outcome) {
    messages.receive { message in
      switch message {
      case .deliver(let entry):
        reports.post(Report(sink: index, entry: entry, result: .answered(outcome)))
      case .publish, .networkChanged, .retryNow: break
      case .end: return false
      }
      return true
    }
  }

  private func deliver(_ entry: QueueEntry, to sink: borrowing Sink) -> Result {
    do throws(SharedItems.Failure) {
      return .answered(try items.withItem(entry.id) { sink.deliver($0) })
    } catch {
      switch error {
      case .one(let failure): return .unreadable(failure)
      case .all(let error): return .unavailable(error)
      }
    }
  }
}

/// Reads items for the workers. Workers that deliver the same item at the same time share one copy.
@safe final class SharedItems: @unchecked Sendable {
  /// Why an item cannot be read.
  enum Failure: Error, Equatable {
    /// The others may be read.
    case one(Item.Failure)
    /// The others cannot be read, either.
    case all(SystemError)

    init(_ failure: Item.Failure) {
      if case .system(let error) = failure, error.concernsAllItems {
        self = .all(error)
      } else {
        self = .one(failure)
      }
    }
  }

  private struct Shared {
    let item: Item
    var users: Int
  }

  private let folder: String
  private let limit: Int64
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var items: [ItemID: Shared] = [:]

  /// `folder`: the path of the folder with the items; `limit`: of an item's size, in bytes.
  init(in folder: String, limit: Int64) throws(Errno) {
    self.folder = folder
    self.limit = limit
    // On the heap, because a mutex must not move.
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Calls `body` with the item.
  func withItem(
    _ id: ItemID, _ body: (Item) -> Outcome
  ) throws(Failure) -> Outcome {
    let item = try acquire(id)
    defer { release(id) }
    return body(item)
  }

  /// Reads under the lock, so that no item is read twice at a time.
  private func acquire(_ id: ItemID) throws(Failure) -> Item {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    if let known = items[id] {
      items[id]?.users += 1
      return known.item
    }
    let new: Folder
    do throws(SystemError) {
      new = try Folder(folder)
    } catch { throw .all(error) }
    let item: Item
    do throws(Item.Failure) {
      item = try Item(id, in: new, limit: limit)
    } catch { throw Failure(error) }
    items[id] = Shared(item: item, users: 1)
    return item
  }

  private func release(_ id: ItemID) {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    items[id]?.users -= 1
    if items[id]?.users == 0 { items[id] = nil }
  }
}

extension SystemError {
  /// Whether an error of one item concerns all: a lack of descriptors or memory, or of the device.
  var concernsAllItems: Bool {
    [EMFILE, ENFILE, ENOMEM, ENODEV].contains(errno.rawValue)
  }
}
