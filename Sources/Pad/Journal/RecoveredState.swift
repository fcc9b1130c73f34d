internal import CLinux
internal import Control
internal import Ink
internal import Linux
internal import Signature

/// What a pad that was killed has left in its journal.
struct RecoveredState: Sendable {
  var strokes: [Stroke] = []
  var request: JournaledRequest?
  /// *Done* was pressed: the signature is to be saved.
  var isDone = false
  /// What was saved and its client may not have read, the oldest first.
  var signed: [JournaledSignature] = []

  /// As many samples as a pad keeps, and an end of each stroke.
  private static let sizeLimit =
    (StrokeStore.defaultCapacity + StrokeStore.strokeCapacity) * InkJournal.recordSize

  /// Nothing.
  init() {}

  /// Reads the journal; what is not there, or not to be understood, was not left.
  ///
  /// - Parameter isDraft: Whether an item of this id is still in the spool's `tmp`: if one that was about
  ///   to be moved is not, it is published, and nothing else is left.
  init(in path: String, isDraft: (String) -> Bool) {
    func note(_ name: String) -> JournaledSignature? {
      RecoveredState.read(path, name, JournaledSignature.sizeLimit).flatMap {
        JournaledSignature($0)
      }
    }
    if let former = note(InkJournal.formerSignedName) { add(former) }
    for name in InkJournal.signedNames(in: path).suffix(InkJournal.signedLimit) {
      guard let note = note(name), let own = InkJournal.signedName(note.signature.id),
        own.isSame(as: name)
      else { continue }
      add(note)
    }
    if let published = note(InkJournal.publishingName), !isDraft(published.signature.id) {
      add(published)
      return
    }
    request = RecoveredState.read(path, InkJournal.requestName, JournaledRequest.sizeLimit)
      .flatMap { JournaledRequest($0) }
    strokes =
      RecoveredState.read(path, InkJournal.strokesName, RecoveredState.sizeLimit)
      .map { RecoveredState.strokes($0) } ?? []
    isDone = RecoveredState.read(path, InkJournal.doneName, 64) != nil && !strokes.isEmpty
  }

  private mutating func add(_ note: JournaledSignature) {
    signed.removeAll { $0.signature.id.isSame(as: note.signature.id) }
    signed.append(note)
    if signed.count > InkJournal.signedLimit { signed.removeFirst() }
  }

  private static func read(_ path: String, _ name: String, _ limit: Int) -> [UInt8]? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = try? FileDescriptor(opening: path + "/" + name, flags) else { return nil }
    return try? file.readAll(limit: limit)
  }

  /// The strokes of a journal, up to the first record that makes no sense. A stroke that was being drawn
  /// ends where it was.
  static func strokes(_ bytes: [UInt8]) -> [Stroke] {
    var strokes: [Stroke] = []
    var isDrawing = false
    var start = 0
    while start + InkJournal.recordSize <= bytes.count {
      let record = bytes[start..<(start + InkJournal.recordSize)]
      start += InkJournal.recordSize
      guard let kind = InkJournal.Kind(rawValue: bytes[record.startIndex]),
        let sample = sample(Array(record))
      else { break }
      switch kind {
      case .begins:
        strokes.append(Stroke([sample]))
        isDrawing = true
      case .goesOn, .goesOnAfterGap:
        guard isDrawing else { return strokes }
        let last = strokes.count - 1
        if kind == .goesOnAfterGap { strokes[last].gaps.append(strokes[last].samples.count) }
        strokes[last].samples.append(sample)
      case .ends: isDrawing = false
      case .takenBack:
        if !strokes.isEmpty { strokes.removeLast() }
        isDrawing = false
      }
    }
    return strokes
  }

  private static func sample(_ record: [UInt8]) -> Sample? {
    func word(_ at: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(record[at + $1]) << (8 * UInt32($1)) }
    }
    let numbers = [4, 8, 12].map { Float(bitPattern: word($0)) }
    guard numbers.allSatisfy({ $0.isFinite }) else { return nil }
    let time = Int64(truncatingIfNeeded: UInt64(word(16)) | UInt64(word(20)) << 32)
    // Differences of such times do not overflow.
    guard (0...(1 << 62)).contains(time) else { return nil }
    return Sample(
      time: time, position: Point(numbers[0], numbers[1]), pressure: numbers[2])
  }
}
