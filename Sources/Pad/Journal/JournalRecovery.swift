internal import Control
internal import Linux

/// Recovers the state of an earlier start, unless its journal has crashed the last starts.
///
/// Reading and redrawing the ink may be what crashes the program. Each start with a journal is
/// counted until all ink is on the glass again, and saved if *Done* was pressed; without a panel,
/// until the journal is rewritten. Signatures that clients have not read are drawn when they ask;
/// `CountedDrawing` counts that.
struct JournalRecovery {
  /// The recovered state.
  let state: RecoveredState
  /// Counts this start; nil: it has restored everything.
  private var starts: CrashCounter?

  static let counterName = "crashes"

  /// Reads the journal in the runtime directory; nil: there is no runtime directory.
  ///
  /// - Parameter isDraft: Whether the item with this identity is a draft in the spool.
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
      state = RecoveredState()
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
    if InkJournal.exists(in: path) {
      starts.begin()
      self.starts = starts
    } else {
      starts.clear()
    }
    var state = RecoveredState()
    do throws(SystemError) {
      state = try RecoveredState(in: path, isDraft: isDraft)
    } catch {
      // Continuing it would replace what may be whole.
      let place = InkJournal.setAside(in: path).map { "set aside in \($0)" } ?? "removed"
      log(
        .error,
        "journal: \(place) (\(error.text)); the pad starts without its ink and request")
    }
    state.signed = state.signed.filter { signature in
      let id = signature.id
      guard let name = InkJournal.crashesName(id) else { return true }
      let crashes = CrashCounter(in: path, name)
      guard crashes.isExhausted else { return true }
      let place = InkJournal.setAside(signature, in: path).map { "set aside in \($0)" }
      log(
        .error,
        "journal: signature \(id) \(place ?? "removed") (drawing it crashed \(crashes.count) times);"
          + " its client cannot get it; the spool has it")
      return false
    }
    self.state = state
    if !state.strokes.isEmpty { log(.notice, "paraph: restored \(state.strokes.count) strokes") }
  }

  /// Stops counting this start: everything is restored, or the program ends by itself.
  mutating func finish() {
    starts?.clear()
    starts = nil
  }
}

/// Draws signatures as files for clients, and counts the attempts that crash.
///
/// Without the count, a crash would repeat in every start, because the next start recovers the
/// signature, and its client asks again. After `CrashCounter.limit` crashes, `JournalRecovery` sets
/// the signature aside.
struct CountedDrawing {
  /// The journal's folder; nil: there is no journal, and nothing to recover.
  let path: String?
  /// Draws a signature in a format; nil if that fails.
  let draw: (SignatureFormat, SavedSignature) -> [UInt8]?

  /// Draws a signature in a format; nil if that fails.
  func file(_ format: SignatureFormat, of signature: SavedSignature) -> [UInt8]? {
    guard let path, let name = InkJournal.crashesName(signature.id) else {
      return draw(format, signature)
    }
    var attempts = CrashCounter(in: path, name)
    attempts.begin()
    defer { attempts.clear() }
    return draw(format, signature)
  }
}
