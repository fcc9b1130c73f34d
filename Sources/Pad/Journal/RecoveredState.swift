internal import CLinux
internal import Control
internal import Ink
internal import Linux
internal import Signature

/// The state that an earlier start left in the journal: a state machine, whose inputs are the journal's records.
struct RecoveredState: Sendable {
  private var ink = JournaledInk()
  /// The open request, with its deadline.
  private(set) var request: PadRequest?
  /// *Done* was pressed: the signature must be saved.
  private(set) var isDone = false
  /// What was shown beside the ink when *Done* was pressed last.
  private var lastShown: ShownContent?
  /// Saved signatures whose clients may not have read them, oldest first.
  var signed: [SavedSignature] = []
  /// The signature whose item was about to be moved to the spool's `new`; nil: none, or it is known whether it was.
  private(set) var publishing: SavedSignature?
  /// The number of the request that the last published signature answers.
  private var answered: Int64?

  /// What was shown beside the ink when *Done* was pressed; nil: it was not, or that is not known.
  var shown: ShownContent? { isDone ? lastShown : nil }
  /// The strokes on the glass.
  var strokes: [Stroke] { ink.strokes }
  /// Whether there is nothing to recover.
  var isEmpty: Bool {
    strokes.isEmpty && !request.hasValue && signed.isEmpty && !publishing.hasValue
  }
  /// The same requests and signatures with an empty glass, for the next start, which numbers its requests from 1 again.
  var withoutInk: RecoveredState {
    var state = self
    (state.ink, state.isDone, state.lastShown) = (JournaledInk(), false, nil)
    state.answered = nil
    return state
  }

  /// No state.
  init() {}

  /// The state after the records of a journal.
  init(_ journal: [UInt8]) { JournalRecord.forEach(in: journal) { apply($0) } }

  /// The state after one more record.
  mutating func apply(_ record: JournalRecord) {
    switch record {
    case .ink(let kind, let sample):
      ink.apply(kind, sample)
      isDone = false
    case .wiped:
      ink = JournaledInk()
      isDone = false
    case .request(let request):
      // A start that saves the signature at once records the restored request after it. Later requests have other
      // numbers.
      self.request = request.flatMap { $0.number == answered ? nil : $0 }
    case .done(let shown): (isDone, lastShown) = (!strokes.isEmpty, shown)
    case .publishing(let signature): publishing = signature
    case .notPublished: publishing = nil
    case .published:
      if let publishing { keep(publishing) }
      if let request { answered = request.number }
      (ink, request, isDone, publishing) = (JournaledInk(), nil, false, nil)
    case .signed(let signature): keep(signature)
    case .read(let id): signed.removeAll { $0.id == id }
    }
  }

  private mutating func keep(_ signature: SavedSignature) {
    signed.removeAll { $0.id == signature.id }
    signed.append(signature)
    if signed.count > InkJournal.signedLimit { signed.removeFirst() }
  }

  /// The fewest records that lead to this state.
  ///
  /// - Parameter keepsDrawing: Whether records of the last stroke may follow. Otherwise it ends at its last sample.
  func journal(keepsDrawing: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    for signature in signed { JournalRecord.signed(signature).append(to: &bytes) }
    if let request { JournalRecord.request(request).append(to: &bytes) }
    StrokeRecords.forEach(of: strokes, isLastOpen: keepsDrawing && ink.isDrawing) {
      JournalRecord.ink($0, $1).append(to: &bytes)
    }
    if isDone { JournalRecord.done(shown).append(to: &bytes) }
    if let publishing { JournalRecord.publishing(publishing).append(to: &bytes) }
    return bytes
  }
}

extension RecoveredState {
  /// The maximum size of a journal, in bytes. One of this size has been damaged, or is not the pad's.
  private static let sizeLimit = 512 << 20

  /// Reads the journal; a missing one has no state.
  init(in path: String) throws(SystemError) {
    if EarlierJournal.exists(in: path) {
      self = EarlierJournal.read(in: path)
    } else {
      self.init(try RecoveredState.content(in: path))
    }
  }

  /// The bytes of the journal; none if there is no journal.
  static func content(in path: String) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      let file = try Folder(path).openFile(InkJournal.name)
      return try SystemError.naming("read", path + "/" + InkJournal.name) { () throws(Errno) in
        guard try file.status().size <= sizeLimit, let bytes = try file.readAll(limit: sizeLimit)
        else { throw Errno(EFBIG) }
        return bytes
      }
    } catch {
      if error.errno.rawValue == ENOENT { return [] }
      throw error
    }
  }

  /// Reads the journal, and completes a publication between whose records the program ended.
  ///
  /// - Parameter isDraft: Whether the item with this identity is a draft in the spool: it was not moved.
  init(in path: String, isDraft: (String) -> Bool) throws(SystemError) {
    try self.init(in: path)
    if let publishing { apply(isDraft(publishing.id) ? .notPublished : .published) }
  }
}
