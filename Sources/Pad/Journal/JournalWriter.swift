internal import Control
internal import Ink
internal import Linux
internal import Screen
internal import Touch

/// Receives the ink for the save thread: records it in the journal, and sends it to clients that watch.
struct JournalWriter: ~Copyable {
  /// Whether clients watch a stroke that is being drawn.
  var isStrokeWatched: Bool { isWatched && isDrawing }

  /// The ink on the glass that was drawn since the start, as far as is known.
  private(set) var drawing = Drawing()

  /// Strokes of one signature.
  struct Drawing: Equatable {
    /// Counts the wipes and the signatures: ink of another number is another person's.
    var number = 0
    var strokes = 0
  }

  /// Clients watch the ink.
  private var isWatched = false
  /// The last step belongs to a stroke that has not ended.
  private var isDrawing = false
  private let main: Mailbox<MainMessage>
  /// The journal's folder; nil: no journal.
  private let path: String?
  /// Steps were lost since the ink was wiped.
  private var isIncomplete = false
  /// The strokes of a published signature that are still on the glass. The journal has them no more.
  private var published: [Stroke] = []
  /// Nil: there is no journal, or writing it failed.
  private var journal: InkJournal?
  /// What a journal must have beside the ink, for one that begins anew.
  private var kept: RecoveredState
  /// The strokes on the glass that are not in the spool, with those that were restored, as far as is known.
  private var strokesOnGlass: Int
  /// Steps were lost since the glass was empty: there may be more ink.
  private var hasLostInk = false
  /// A journal that was given up does not begin anew before this time.
  private var retryTime: Int64 = 0
  private let clock: () -> Int64

  /// Nanoseconds after a failure in which the journal is not tried again.
  static let retryInterval: Int64 = 60_000_000_000

  /// - Parameters:
  ///   - state: What was recovered and is on the glass already.
  ///   - path: The journal's folder; nil: no journal.
  ///   - clock: Tells when to try a journal again that was given up, in nanoseconds.
  init(
    _ state: RecoveredState, in path: String? = Process.runtimeDirectory,
    main: Mailbox<MainMessage>, clock: @escaping () -> Int64 = { MonotonicClock.now }
  ) {
    self.main = main
    self.path = path
    self.clock = clock
    kept = path == nil ? RecoveredState() : state.withoutInk
    strokesOnGlass = state.strokes.count
    guard let path else {
      journal = nil
      return
    }
    do throws(SystemError) {
      journal = try InkJournal(in: path, state)
    } catch {
      journal = nil
      giveUp(error)
    }
  }

  /// Drains the ring of ink steps.
  ///
  /// - Parameter request: An open request that is about to be recorded, which the ink may answer; nil: none.
  mutating func drain(_ ink: ContactRing, answering request: PadRequest? = nil) {
    ink.beginReading()
    var steps: [GlassContact] = []
    while let step = ink.pop() { steps.append(step) }
    if steps.contains(where: { StrokeRecords.Kind($0) == nil }) { isIncomplete = false }
    // Losses came after these steps.
    let hasLost = ink.drainLost() > 0
    isIncomplete = hasLost || isIncomplete
    // After a signature, the first step is the wipe.
    if hasLost || !steps.isEmpty { published = [] }
    // The end of the stroke may be among the losses.
    if hasLost { isDrawing = false }
    let wipe = steps.lastIndex { StrokeRecords.Kind($0) == nil }
    // The first step after the glass was empty; nil: it never was.
    let start: Int? = if let wipe { wipe + 1 } else { hasInk ? nil : 0 }
    for step in steps { count(step) }
    hasLostInk = hasLostInk || hasLost
    guard let last = steps.last else { return }
    isDrawing = !hasLost && (last.phase == .down || last.phase == .move)
    if journal == nil {
      if let start { reopen(with: Array(steps[start...]), answering: request) }
    } else {
      write { (journal: inout InkJournal) throws(SystemError) in
        try journal.record(steps, answering: request)
      }
    }
    if isWatched { main.post(.ink(steps.map { ControlEvent.InkStep($0) })) }
  }

  private mutating func count(_ step: GlassContact) {
    switch StrokeRecords.Kind(step) {
    case .begins:
      drawing.strokes += 1
      strokesOnGlass += 1
    case .takenBack:
      drawing.strokes = max(0, drawing.strokes - 1)
      strokesOnGlass = max(0, strokesOnGlass - 1)
    case .goesOn, .goesOnAfterGap, .ends: break
    case nil:
      drawing = Drawing(number: drawing.number + 1)
      (strokesOnGlass, hasLostInk) = (0, false)
    }
  }

  /// There may be ink on the glass that is not in the spool.
  private var hasInk: Bool { strokesOnGlass > 0 || hasLostInk }

  /// Starts or stops sending the ink to clients. When it starts, sends all present ink as the
  /// journal has it, or the ink of the signature that was just saved.
  mutating func watch(_ isWatched: Bool) {
    self.isWatched = isWatched
    guard isWatched else { return }
    if !published.isEmpty { return send(published) }
    // Without a journal, earlier ink is unknown until the signature is done.
    if journal == nil { isIncomplete = true }
    var steps = [ControlEvent.InkStep.wiped]
    JournalRecord.forEach(in: path.flatMap { try? RecoveredState.content(in: $0) } ?? []) {
      switch $0 {
      case .ink(let kind, let sample): steps.append(ControlEvent.InkStep(kind, sample))
      case .wiped, .published: steps = [.wiped]
      default: break
      }
    }
    main.post(.ink(steps))
  }

  /// Sends clients the ink of whole strokes in place of what they have.
  private func send(_ strokes: [Stroke]) {
    var steps = [ControlEvent.InkStep.wiped]
    StrokeRecords.forEach(of: strokes) { steps.append(ControlEvent.InkStep($0, $1)) }
    main.post(.ink(steps))
  }

  /// Records that *Done* was pressed.
  mutating func record(done signature: FinishedSignature) {
    strokesOnGlass = max(strokesOnGlass, signature.strokes.count)
    let isIncomplete = isIncomplete
    if isIncomplete && isWatched { send(signature.strokes) }
    var shown = signature.shown
    shown.glass = ShownContent.Glass(size: signature.glass.size, scale: signature.scale)
    write { (journal: inout InkJournal) throws(SystemError) in
      if isIncomplete { try journal.record(signature.strokes) }
      try journal.recordDone(shown)
    }
    self.isIncomplete = false
  }

  /// Records the open request; nil: none is open.
  mutating func record(_ request: PadRequest?) {
    keep(.request(request))
    write { (journal: inout InkJournal) throws(SystemError) in try journal.record(request) }
  }

  /// Records the signature whose item is about to be published; nil: that failed.
  mutating func record(publishing signature: SavedSignature?) {
    keep(signature.map { .publishing($0) } ?? .notPublished)
    write { (journal: inout InkJournal) throws(SystemError) in
      try journal.record(publishing: signature)
    }
  }

  /// Records that the signature is in the spool. Its strokes stay on the glass for a moment.
  mutating func record(published id: String, _ strokes: [Stroke]) {
    published = strokes
    drawing = Drawing(number: drawing.number + 1)
    (strokesOnGlass, hasLostInk) = (0, false)
    keep(.published)
    write { (journal: inout InkJournal) throws(SystemError) in
      try journal.record(published: id)
    }
  }

  /// Deletes a signature, which its client has read.
  mutating func forget(signed id: String) {
    keep(.read(id))
    write { (journal: inout InkJournal) throws(SystemError) in try journal.forget(signed: id) }
  }

  /// Begins a journal that was given up anew, if there can be one. Called now and then.
  mutating func retry() {
    if journal == nil, !hasInk { reopen() }
  }

  private mutating func keep(_ record: JournalRecord) {
    if path != nil { kept.apply(record) }
  }

  /// Writes the journal, or gives it up: the pad works without it.
  private mutating func write(_ body: (inout InkJournal) throws(SystemError) -> Void) {
    guard var open = journal.take() else { return retry() }
    do throws(SystemError) {
      try body(&open)
      journal = consume open
    } catch { giveUp(error) }
  }

  private mutating func giveUp(_ error: SystemError) {
    main.post(.journalLost)
    if let path { InkJournal.forget(in: path) }
    retryTime = clock() + JournalWriter.retryInterval
    StandardError.log(
      .warning, "journal: write failed (\(error.text)); a restart will lose the strokes")
  }

  /// Begins the journal anew after it was given up, while all that it must have is known.
  ///
  /// Waits until there is something to write: even a full disk takes an empty journal.
  ///
  /// - Parameters:
  ///   - ink: The steps since the glass was empty.
  ///   - request: As for `drain`.
  private mutating func reopen(
    with ink: [GlassContact] = [], answering request: PadRequest? = nil
  ) {
    guard let path, !(ink.isEmpty && kept.isEmpty) else { return }
    let now = clock()
    guard now >= retryTime else { return }
    retryTime = now + JournalWriter.retryInterval
    do throws(SystemError) {
      var open = try InkJournal(in: path, kept)
      if !ink.isEmpty { try open.record(ink, answering: request) }
      journal = consume open
    } catch {
      // Nobody writes it: what it has would be out of date.
      return InkJournal.forget(in: path)
    }
    main.post(.journalReturned)
    StandardError.log(.notice, "journal: it is written again; a restart keeps the strokes")
  }
}

extension ControlEvent.InkStep {
  fileprivate init(_ kind: StrokeRecords.Kind, _ sample: Sample) {
    switch kind {
    case .begins: self = .begins(sample)
    case .goesOn: self = .goesOn(sample)
    case .goesOnAfterGap: self = .goesOnAfterGap(sample)
    case .ends: self = .ends
    case .takenBack: self = .undone
    }
  }

  fileprivate init(_ step: GlassContact) {
    self = StrokeRecords.Kind(step).map { Self($0, step.sample) } ?? .wiped
  }
}
