internal import Control
internal import Linux

/// What a start takes over of the journal, unless the journal has ended the starts before it.
///
/// Reading and redrawing the ink may be what kills the program. Each start with a journal is counted until
/// all of it is on the glass again, and saved where *Done* had been pressed. Signatures that clients have not read
/// are drawn later, when they ask: `CountedDrawing` counts that.
struct JournalRecovery {
  /// What was left.
  let left: RecoveredState
  /// Nil where this start has nothing that may end it.
  private var starts: CrashCounter?

  static let counterName = "crashes"

  /// Reads the journal in the runtime directory; nil: there is none.
  ///
  /// - Parameter isDraft: Whether an item of this id is still in the spool's `tmp`.
  init(
    in path: String? = Process.runtimeDirectory,
    log: (StandardError.Priority, String) -> Void = { StandardError.log($0, $1) },
    isDraft: (String) -> Bool
  ) {
    guard let path else {
      log(
        .warning,
        "paraph: no crash journal: RUNTIME_DIRECTORY is not set (systemd sets it for the service); ink"
          + " is lost if paraphd is killed: set it to a folder in memory")
      left = RecoveredState()
      return
    }
    var starts = CrashCounter(in: path, JournalRecovery.counterName)
    if starts.isExhausted {
      let place = InkJournal.setAside(in: path).map { "set aside in \($0)" } ?? "removed"
      log(
        .error,
        "journal: \(place) (\(starts.count) starts with it crashed);"
          + " the pad starts without its ink and request")
    }
    if InkJournal.isThere(in: path) {
      starts.begin()
      self.starts = starts
    } else {
      starts.clear()
    }
    var left = RecoveredState(in: path, isDraft: isDraft)
    left.signed = left.signed.filter { note in
      let id = note.signature.id
      guard let name = InkJournal.crashesName(id) else { return true }
      let crashes = CrashCounter(in: path, name)
      guard crashes.isExhausted else { return true }
      let place = InkJournal.setAside(signed: id, in: path).map { "set aside in \($0)" }
      log(
        .error,
        "journal: signature \(id) \(place ?? "removed") (drawing it crashed \(crashes.count) times);"
          + " its client cannot get it; the spool has it")
      return false
    }
    self.left = left
    if !left.strokes.isEmpty {
      log(.notice, "paraph: \(left.strokes.count) strokes of before are back")
    }
  }

  /// All is restored, or the program ends by itself.
  mutating func isOver() {
    starts?.clear()
    starts = nil
  }
}
