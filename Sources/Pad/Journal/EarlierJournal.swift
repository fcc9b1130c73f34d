internal import Control
internal import Ink
internal import Linux
internal import Signature

/// The journal of earlier versions, which was several files.
///
/// - `strokes`: the ink, as `StrokeRecords`. Always exists.
/// - `request.json`: the open request.
/// - `done`: *Done* was pressed.
/// - `publishing`: the signature whose item was about to be moved.
/// - `signed`, `signed-ID`: published signatures.
enum EarlierJournal {
  private static let strokesName = "strokes"
  private static let requestName = "request.json"
  private static let doneName = "done"
  private static let publishingName = "publishing"
  private static let signedName = "signed"
  private static let signedPrefix = "signed-"

  /// The samples of a full store, and an end of each stroke.
  private static let strokesLimit =
    (StrokeStore.defaultCapacity + StrokeStore.strokeCapacity) * StrokeRecords.size

  /// Whether there is one.
  static func exists(in path: String) -> Bool {
    (try? Folder(path).contains(strokesName)) ?? false
  }

  /// Whether it has any state.
  static func hasState(in path: String) -> Bool {
    guard exists(in: path), let folder = try? Folder(path) else { return false }
    return ((try? folder.status(of: strokesName).size) ?? 0) > 0
      || names(in: path).contains { $0 != strokesName }
  }

  /// The names of its files; first the one without which it does not exist.
  static func names(in path: String) -> [String] {
    let fixed = [strokesName, requestName, doneName, publishingName, signedName]
    let names = (try? Folder.names(of: path)) ?? []
    return fixed.filter { names.contains($0) }
      + names.filter { $0.utf8.starts(with: signedPrefix.utf8) }
  }

  /// Reads it. Files that are missing or invalid are ignored.
  static func read(in path: String) -> RecoveredState {
    var state = RecoveredState()
    func content(_ name: String, _ limit: Int) -> [UInt8]? {
      guard let file = try? Folder(path).openFile(name) else { return nil }
      return try? file.readAll(limit: limit)
    }
    func signature(_ name: String) -> SavedSignature? {
      content(name, JournaledSignature.sizeLimit).flatMap { JournaledSignature.decode($0[...]) }
    }
    if let former = signature(signedName) { state.apply(.signed(former)) }
    // In the order of their identities, which is that of time.
    for name in names(in: path) where name.utf8.starts(with: signedPrefix.utf8) {
      guard let signature = signature(name), signedPrefix + signature.id == name else { continue }
      state.apply(.signed(signature))
    }
    if let bytes = content(requestName, JournaledRequest.sizeLimit) {
      state.apply(.request(JournaledRequest.decode(bytes)))
    }
    if let bytes = content(strokesName, strokesLimit) {
      StrokeRecords.forEach(of: StrokeRecords.strokes(bytes[...])) { state.apply(.ink($0, $1)) }
    }
    if content(doneName, 64) != nil { state.apply(.done(nil)) }
    if let signature = signature(publishingName) { state.apply(.publishing(signature)) }
    return state
  }

  /// Removes it. Its state is elsewhere, or given up.
  static func remove(in path: String) throws(SystemError) {
    let names = names(in: path)
    guard let first = names.first else { return }
    let folder = try Folder(path)
    // Without `strokes` it no longer exists, whatever becomes of its other files.
    if first == strokesName { try folder.remove(strokesName) }
    for name in names where name != strokesName { try? folder.remove(name) }
  }
}
