internal import CLinux
internal import Configuration
internal import Linux
internal import Spool

/// One sink on its own thread: a receiver that stalls holds up no other.
final class SinkWorker: Sendable {
  /// What came of an item.
  struct Report: Sendable {
    let sink: Int
    let entry: QueueEntry
    let result: Result
  }

  enum Result: Sendable {
    /// The sink has answered.
    case answered(Outcome)
    /// The item cannot be read, which says nothing of the sink.
    case unreadable(Item.Failure)
  }

  private enum Message: Sendable {
    case deliver(QueueEntry)
    case end
  }

  private let index: Int
  private let spool: String
  private let items: SharedItems
  private let configuration: SinkConfiguration
  private let cancellation: Cancellation
  private let messages: Mailbox<Message>
  private let reports: Mailbox<Report>

  init(
    _ index: Int, _ configuration: SinkConfiguration, spool: String, items: SharedItems,
    reports: Mailbox<Report>, _ cancellation: Cancellation
  ) throws(Errno) {
    self.cancellation = cancellation
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

  /// One item at a time: the next when the report has come.
  func deliver(_ entry: QueueEntry) { messages.post(.deliver(entry)) }

  /// Ends the thread after the item that it is at.
  func end() { messages.post(.end) }

  private func run() {
    let sink: Sink
    do throws(Errno) {
      sink = try Sink(configuration, spool: spool, cancellation)
    } catch { return answerAll(.later(error.text)) }
    var poll = Poll()
    poll.add(messages.number)
    poll.add(-1)
    while true {
      sink.work()
      let wait = sink.wait
      poll.replace(1, with: wait.descriptor, output: wait.output)
      // An interrupted or failed wait only looks into an empty box.
      _ = try? poll.wait(milliseconds: wait.milliseconds)
      for message in messages.takeAll() {
        guard case .deliver(let entry) = message else { return }
        reports.post(Report(sink: index, entry: entry, result: deliver(entry, to: sink)))
      }
    }
  }

  /// There is no sink: everything is answered alike.
  private func answerAll(_ outcome: Outcome) {
    var poll = Poll()
    poll.add(messages.number)
    while true {
      _ = try? poll.wait()
      for message in messages.takeAll() {
        guard case .deliver(let entry) = message else { return }
        reports.post(Report(sink: index, entry: entry, result: .answered(outcome)))
      }
    }
  }

  private func deliver(_ entry: QueueEntry, to sink: borrowing Sink) -> Result {
    do throws(Item.Failure) {
      return .answered(try items.withItem(entry.id) { sink.deliver($0) })
    } catch {
      return .unreadable(error)
    }
  }
}
