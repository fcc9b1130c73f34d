internal import Linux

/// What a start takes over of the journal, unless the journal has ended the starts before it.
///
/// Reading and redrawing the ink may be what kills the program. Each start with a journal is counted until
/// all of it is on the glass again, and saved where *Done* had been pressed.
struct JournalRecovery {
  /// What was left.
  let left: LeftInk
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
      left = LeftInk()
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
    left = LeftInk(in: path, isDraft: isDraft)
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
