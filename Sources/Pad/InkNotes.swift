internal import Control
internal import Ink
internal import Linux
internal import Touch

/// What the save thread does with the steps of the ink: they go into the journal, and to who watches.
struct InkNotes: ~Copyable {
  /// Whether somebody watches the ink.
  var isWatched = false

  private let news: Mailbox<PadNews>
  private var journal: InkJournal?

  /// With a journal where there is a runtime directory; `strokes` are on the glass already.
  init(_ strokes: [Stroke], news: Mailbox<PadNews>) {
    self.news = news
    guard let path = Process.runtimeDirectory else {
      journal = nil
      return
    }
    do throws(SystemError) {
      var journal = try InkJournal(in: path)
      try journal.note(strokes)
      self.journal = consume journal
    } catch {
      journal = nil
      InkNotes.complain(error)
    }
  }

  /// Takes what has come through the ring.
  mutating func take(_ ink: ContactRing) {
    ink.beginReading()
    var steps: [GlassContact] = []
    while let step = ink.pop() { steps.append(step) }
    guard !steps.isEmpty else { return }
    write { (journal: inout InkJournal) throws(SystemError) in try journal.note(steps) }
    if isWatched { news.post(.ink(steps.map { ControlEvent.InkStep($0) })) }
  }

  /// Notes the open request, or that there is none.
  mutating func note(_ request: OpenErrand?) {
    write { (journal: inout InkJournal) throws(SystemError) in try journal.note(request) }
  }

  /// Notes under which id the strokes are being published.
  mutating func note(publishing id: String) {
    write { (journal: inout InkJournal) throws(SystemError) in try journal.note(publishing: id) }
  }

  /// The signature is in the spool.
  mutating func clear() {
    write { (journal: inout InkJournal) throws(SystemError) in try journal.clear() }
  }

  /// A journal that cannot be written is given up: the pad works without.
  private mutating func write(_ body: (inout InkJournal) throws(SystemError) -> Void) {
    guard var open = journal.take() else { return }
    do throws(SystemError) {
      try body(&open)
      journal = consume open
    } catch { InkNotes.complain(error) }
  }

  private static func complain(_ error: SystemError) {
    StandardError.log(.warning, "kernel: strokes are not kept for a restart: \(error.text)")
  }
}

extension ControlEvent.InkStep {
  fileprivate init(_ step: GlassContact) {
    switch step.phase {
    case .down: self = .begins(step.sample)
    case .move: self = .goesOn(step.sample)
    case .up: self = .ends
    case .cancel: self = step.isMistake ? .undone : .wiped
    }
  }
}
