internal import CLinux
internal import Linux
internal import Nettle

/// What is known of the numbers that were given to signatures: the file `chain`.
///
/// It is replaced when an item has moved into `new`, before that folder is synchronised, so that it costs no
/// synchronisation of its own. A power cut may restore an earlier state, and then items and drafts in the spool tell
/// more: see `Spool.previousManifest`. It is never ahead of the items, on filesystems that keep the order of names.
struct ChainState: Equatable {
  /// The greatest number of which it is known whether its signature was confirmed as saved.
  var settled: Int64
  /// The last manifest that was confirmed; nil: none.
  var last: ManifestDigest?

  static let name = "chain"
  static let sizeLimit = 256

  /// Three words and a checksum: after a power cut, other bytes may be there.
  var bytes: [UInt8] {
    let text = "\(settled) \(last?.sequence ?? 0) \(last?.sha256 ?? "-")"
    return Array("\(text) \(Self.checksum(text))\n".utf8)
  }

  init(settled: Int64, last: ManifestDigest?) { (self.settled, self.last) = (settled, last) }

  /// Returns nil for damaged bytes.
  init?(_ bytes: [UInt8]) {
    let words = bytes.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 4, let settled = Int64(words[0]), let sequence = Int64(words[1]),
      sequence >= 0, settled >= sequence
    else { return nil }
    self.init(settled: settled, last: nil)
    if sequence > 0 { last = ManifestDigest(sequence: sequence, sha256: words[2]) }
    guard bytes == self.bytes else { return nil }
  }

  private static func checksum(_ text: String) -> String {
    String(decoding: SHA256.text(of: Array(text.utf8)).utf8.prefix(8), as: UTF8.self)
  }
}

extension Spool {
  /// What the manifest with the next number says about the one before it. Belongs under the counter's lock.
  ///
  /// - Parameter number: The last number that was given; 0: none.
  borrowing func previousManifest(after number: Int64) throws(SpoolError) -> PreviousManifest {
    if number == 0 { return .none }
    let state = try chainState()
    if let state, state.settled == number {
      return state.last.map { .manifest($0, isInterrupted: false) } ?? .none
    }
    // An upgrade, a crash or a power cut: the item may be here, or its record if it was erased.
    var last = state?.last
    func take(_ found: ManifestDigest) {
      if found.sequence <= number, found.sequence > last?.sequence ?? 0 { last = found }
    }
    for erased in try erasedManifests() { take(erased.manifest) }
    try forEachManifest(in: new, take)
    try forEachManifest(in: failed, take)
    try forEachManifest(in: delivered, take)
    guard let last else { return .none }
    return .manifest(last, isInterrupted: last.sequence != number)
  }

  private borrowing func forEachManifest(
    in folder: borrowing Folder, _ body: (ManifestDigest) -> Void
  ) throws(SpoolError) {
    for id in try Self.ids(in: folder) {
      do throws(Item.Failure) {
        body(try Item.readManifestDigest(of: id, in: folder).digest)
      } catch { if case .system(let error) = error { throw .system(error) } }
    }
  }

  /// Records, not durably, that an item was confirmed as saved. Belongs after its move into `new`.
  borrowing func settle(_ manifest: ManifestDigest) {
    settle { state throws(SpoolError) in
      guard manifest.sequence > state?.last?.sequence ?? 0 else { return nil }
      return ChainState(settled: max(manifest.sequence, state?.settled ?? 0), last: manifest)
    }
  }

  /// Records, not durably, that a draft was not confirmed as saved, and will not be. Belongs before its removal.
  borrowing func settle(unconfirmed sequence: Int64) {
    settle { state throws(SpoolError) in
      // A number that the counter does not have yet is given again; and of earlier ones, this says nothing.
      guard sequence == (state?.settled ?? 0) + 1, try number(in: Self.sequenceName) == sequence
      else { return nil }
      return ChainState(settled: sequence, last: state?.last)
    }
  }

  /// Takes back that an item was confirmed: its move into `new` may not be on the disk.
  borrowing func unsettle(_ manifest: Manifest) {
    do throws(SpoolError) {
      let lock = try openRootAgain()
      try lock.lockCounter(root.path)
      guard try chainState()?.last?.sequence == manifest.sequence else { return }
      let last = manifest.previous?.manifest
      let state = ChainState(settled: last?.sequence ?? 0, last: last)
      try replaceCounter(ChainState.name, state.bytes, synced: false)
    } catch {}
  }

  /// Without the record, the next manifest may say that the chain was interrupted, which is true then.
  private borrowing func settle(
    _ next: (ChainState?) throws(SpoolError) -> ChainState?
  ) {
    do throws(SpoolError) {
      let lock = try openRootAgain()
      try lock.lockCounter(root.path)
      let state = try chainState()
      guard let next = try next(state) else { return }
      try replaceCounter(ChainState.name, next.bytes, synced: false)
    } catch {}
  }

  /// Nil for a missing or damaged file.
  private borrowing func chainState() throws(SpoolError) -> ChainState? {
    try counterFile(ChainState.name, limit: ChainState.sizeLimit).flatMap { ChainState($0) }
  }
}
