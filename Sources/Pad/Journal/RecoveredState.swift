internal import CLinux
internal import Control
internal import Ink
internal import Linux
internal import Signature

/// The state that an earlier start left in the journal.
struct RecoveredState: Sendable {
  var strokes: [Stroke] = []
  /// The open request, with its deadline.
  var request: PadRequest?
  /// *Done* was pressed: the signature must be saved.
  var isDone = false
  /// Saved signatures whose clients may not have read them, oldest first.
  var signed: [SavedSignature] = []

  /// The samples of a full store, and an end of each stroke.
  private static let sizeLimit =
    (StrokeStore.defaultCapacity + StrokeStore.strokeCapacity) * StrokeRecords.size

  /// No state.
  init() {}

  /// Reads the journal. Files that are missing or invalid are ignored.
  ///
  /// - Parameter isDraft: Whether the item with this identity is still in the spool's `tmp`. If the item that was
  ///   about to be moved is not, it was published, and strokes and request belong to it.
  init(in path: String, isDraft: (String) -> Bool) {
    func signature(_ name: String) -> SavedSignature? {
      RecoveredState.read(path, name, JournaledSignature.sizeLimit)
        .flatMap { JournaledSignature.decode($0) }
    }
    if let former = signature(InkJournal.formerSignedName) { add(former) }
    for name in InkJournal.signedNames(in: path).suffix(InkJournal.signedLimit) {
      guard let signature = signature(name), InkJournal.signedName(signature.id) == name else {
        continue
      }
      add(signature)
    }
    if let published = signature(InkJournal.publishingName), !isDraft(published.id) {
      add(published)
      return
    }
    request = RecoveredState.read(path, InkJournal.requestName, JournaledRequest.sizeLimit)
      .flatMap { JournaledRequest.decode($0) }
    strokes =
      RecoveredState.read(path, InkJournal.strokesName, RecoveredState.sizeLimit)
      .map { StrokeRecords.strokes($0) } ?? []
    isDone = RecoveredState.read(path, InkJournal.doneName, 64) != nil && !strokes.isEmpty
  }

  private mutating func add(_ signature: SavedSignature) {
    signed.removeAll { $0.id == signature.id }
    signed.append(signature)
    if signed.count > InkJournal.signedLimit { signed.removeFirst() }
  }

  private static func read(_ path: String, _ name: String, _ limit: Int) -> [UInt8]? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = try? FileDescriptor(opening: path + "/" + name, flags) else { return nil }
    return try? file.readAll(limit: limit)
  }
}
