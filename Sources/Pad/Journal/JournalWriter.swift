internal import Control
internal import Ink
internal import Linux
internal import Touch

/// What the save thread does with the steps of the ink: they go into the journal, and to who watches.
struct JournalWriter: ~Copyable {
  /// Whether somebody watches the ink.
  var isWatched = false

  private let main: Mailbox<MainMessage>
  /// Steps were lost since the ink was wiped.
  private var isIncomplete = false
  /// A signature could not be saved, and its ink has not changed since.
  private var isUnsaved = false
  private var journal: InkJournal?

  /// With a journal where there is a runtime directory; what was left is on the glass already.
  init(
    _ left: RecoveredState, in path: String? = Process.runtimeDirectory, main: Mailbox<MainMessage>
  ) {
    self.main = main
    guard let path else {
      journal = nil
      return
    }
    do throws(SystemError) {
      journal = try InkJournal(in: path, left)
    } catch {
      journal = nil
      giveUp(error)
    }
  }

  /// Takes what has come through the ring.
  mutating func take(_ ink: ContactRing) {
    ink.beginReading()
    var steps: [GlassContact] = []
    while let step = ink.pop() { steps.append(step) }
    if steps.contains(where: { InkJournal.Kind($0) == nil }) { isIncomplete = false }
    // What was lost had no room behind all of these.
    isIncomplete = ink.drainLost() > 0 || isIncomplete
    guard !steps.isEmpty else { return }
    let isOtherInk = isUnsaved
    isUnsaved = false
    write { (journal: inout InkJournal) throws(SystemError) in
      if isOtherInk { try journal.note(done: false) }
      try journal.note(steps)
    }
    if isWatched { main.post(.ink(steps.map { ControlEvent.InkStep($0) })) }
  }

  /// Notes that *Done* was pressed.
  mutating func note(done signature: FinishedSignature) {
    let isIncomplete = isIncomplete
    write { (journal: inout InkJournal) throws(SystemError) in
      if isIncomplete { try journal.rewrite(signature.strokes) }
      try journal.note(done: true)
    }
    self.isIncomplete = false
  }

  /// Notes that the signature could not be saved: it stays on the glass, and a start tries to save it again,
  /// unless somebody changes it before.
  mutating func noteNotSaved() {
    isUnsaved = true
    write { (journal: inout InkJournal) throws(SystemError) in
      try journal.note(publishing: nil)
    }
  }

  /// Notes the open request, or that there is none.
  mutating func note(_ request: JournaledRequest?) {
    write { (journal: inout InkJournal) throws(SystemError) in try journal.note(request) }
  }

  /// Notes what the strokes become next; nil: nothing after all.
  mutating func note(publishing signature: SavedSignature?) {
    write { (journal: inout InkJournal) throws(SystemError) in
      try journal.note(publishing: signature)
    }
  }

  /// Notes that the signature is in the spool.
  mutating func note(published id: String) {
    write { (journal: inout InkJournal) throws(SystemError) in try journal.note(published: id) }
  }

  /// Who asked for a signature has it.
  mutating func forget(signed id: String) {
    write { (journal: inout InkJournal) in journal.forget(signed: id) }
  }

  /// A journal that cannot be written is given up: the pad works without.
  private mutating func write(_ body: (inout InkJournal) throws(SystemError) -> Void) {
    guard var open = journal.take() else { return }
    do throws(SystemError) {
      try body(&open)
      journal = consume open
    } catch { giveUp(error) }
  }

  private func giveUp(_ error: SystemError) {
    main.post(.journalLost)
    if let path = Process.runtimeDirectory { InkJournal.forget(in: path) }
    StandardError.log(.warning, "kernel: strokes are not kept for a restart: \(error.text)")
  }
}

extension ControlEvent.InkStep {
  fileprivate init(_ step: GlassContact) {
    switch step.phase {
    case .down: self = .begins(step.sample)
    case .move: self = step.isAfterGap ? .goesOnAfterGap(step.sample) : .goesOn(step.sample)
    case .up: self = .ends
    case .cancel: self = step.isMistake ? .undone : .wiped
    }
  }
}
