internal import CLinux
internal import Linux
internal import Nettle

/// The record of issued numbers: the file `chain`.
///
/// It is replaced after an item has moved into `new`, before that folder is synchronised, and so
/// needs no synchronisation before the signature counts as saved. A power cut may restore an
/// earlier state; then items and drafts in the spool show more: see `Spool.findChain`. On
/// filesystems that keep the order of names, it is never ahead of the items. Some (XFS, UBIFS) may
/// keep the new name and lose the content until `Publisher.syncChain`.
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

/// The state of the chain in the memory of a process. It has precedence over the file, to which the
/// spool's group can write.
final class KnownChain {
  /// Nil: nothing is known yet, and the file counts.
  var state: ChainState?
}

extension Spool {
  /// How many items of a folder are searched for the last one of the chain.
  private static let searchLimit = 1000

  /// What the manifest with the next number says about the one before it. Belongs under the counter's lock.
  ///
  /// - Parameter number: The last number that was given; 0: none.
  borrowing func previousManifest(after number: Int64, _ chain: KnownChain) -> PreviousManifest {
    if number == 0 { return .none }
    guard let state = chain.state ?? chainState(), let last = state.last else { return .none }
    // False after a crash or a power cut, if `findChain` did not find the item.
    let isKnown = state.settled == number || last.sequence == number
    return .manifest(last, isInterrupted: !isKnown)
  }

  /// The greatest number that the chain knows, 0: none. It may be greater than the counter's, if those files are lost.
  borrowing func chainedSequence(_ chain: KnownChain) -> Int64 {
    (chain.state ?? chainState())?.settled ?? 0
  }

  /// Searches for the last manifest if the file does not name it, as after an upgrade, a crash or a
  /// power cut. Finds its item, or its record if it was erased. Skips items that cannot be read.
  borrowing func findChain() -> ChainState? {
    do throws(SpoolError) {
      let lock = try openRootAgain()
      try lock.lockCounter(root.path)
      let number = try lastSequence(bound: try number(in: Self.boundName))
      let state = chainState()
      if number == 0 || state?.settled == number { return state }
      var last = state?.last
      func take(_ found: ManifestDigest) {
        if found.sequence <= number, found.sequence > last?.sequence ?? 0 { last = found }
      }
      for erased in erasedManifests() { take(erased.manifest) }
      searchManifests(in: new, take)
      searchManifests(in: failed, take)
      searchManifests(in: delivered, take)
      guard let last, last != state?.last else { return state }
      let found = ChainState(settled: max(last.sequence, state?.settled ?? 0), last: last)
      try? replaceCounter(ChainState.name, found.bytes, synced: false)
      return found
    } catch { return nil }
  }

  /// The items with the greatest ids, which are the last ones unless the clock has jumped.
  private borrowing func searchManifests(
    in folder: borrowing Folder, _ body: (ManifestDigest) -> Void
  ) {
    guard let ids = try? Self.ids(in: folder) else { return }
    for id in ids.sorted(by: { $0.text > $1.text }).prefix(Self.searchLimit) {
      if let item = try? Item.readManifestDigest(of: id, in: folder) { body(item.digest) }
    }
  }

  /// Records, not durably, that an item was confirmed as saved. Belongs after its move into `new`.
  borrowing func settle(_ manifest: ManifestDigest, in chain: KnownChain) {
    settle(in: chain) { state in
      guard manifest.sequence > state?.last?.sequence ?? 0 else { return nil }
      return ChainState(settled: max(manifest.sequence, state?.settled ?? 0), last: manifest)
    }
  }

  /// Records, not durably, that a draft was not confirmed as saved, and will not be. Belongs before its removal.
  borrowing func settle(unconfirmed sequence: Int64, in chain: KnownChain = KnownChain()) {
    settle(in: chain) { state in
      // If the counter does not have the number yet, the number will be given again. For earlier
      // numbers, this draft proves nothing.
      guard sequence == (state?.settled ?? 0) + 1,
        let last = try? number(in: Self.sequenceName), last == sequence
      else { return nil }
      return ChainState(settled: sequence, last: state?.last)
    }
  }

  /// Takes back that an item was confirmed: its move into `new` may not be on the disk.
  ///
  /// - Parameter digest: Only if the chain ends with this one; nil: if it ends with its number.
  borrowing func unsettle(
    _ manifest: Manifest, named digest: ManifestDigest? = nil, in chain: KnownChain = KnownChain()
  ) {
    settle(in: chain) { state in
      guard let last = state?.last, last.sequence == manifest.sequence,
        digest == nil || last == digest
      else { return nil }
      let former = manifest.previous?.manifest
      return ChainState(settled: former?.sequence ?? 0, last: former)
    }
  }

  /// Without the record, the next manifest may say that the chain was interrupted, which is true then.
  private borrowing func settle(in chain: KnownChain, _ next: (ChainState?) -> ChainState?) {
    do throws(SpoolError) {
      let lock = try openRootAgain()
      try lock.lockCounter(root.path)
      guard let next = next(chain.state ?? chainState()) else { return }
      chain.state = next
      try replaceCounter(ChainState.name, next.bytes, synced: false)
    } catch {}
  }

  /// Nil for a missing, damaged or unreadable file, and for a forged one whose number would leave
  /// none to give.
  private borrowing func chainState() -> ChainState? {
    do throws(SpoolError) {
      let state = try counterFile(ChainState.name, limit: ChainState.sizeLimit).flatMap {
        ChainState($0)
      }
      return state.flatMap { $0.settled <= Self.plausibleLimit ? $0 : nil }
    } catch { return nil }
  }
}
