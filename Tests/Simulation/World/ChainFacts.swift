#if DEBUG
  import Spool

  /// The manifests that were seen, and the chain between them.
  struct ChainFacts {
    private struct Link {
      let digest: String
      let previous: PreviousManifest?
      let id: String
    }

    /// By their numbers.
    private var links: [Int64: Link] = [:]
    private var numbers: [String: Int64] = [:]
    /// The numbers of signatures that the pad has confirmed as saved.
    private var confirmed: Set<Int64> = []
    private var erased: Set<Int64> = []
    private var isLost = false

    mutating func saw(_ manifest: Manifest, digest: String) throws {
      if isLost { return }
      let id = manifest.id.text
      if let other = links[manifest.sequence] {
        guard other.id == id, other.digest == digest else {
          throw BrokenPromise(
            "the items \(id) and \(other.id) both have the number \(manifest.sequence)")
        }
        return
      }
      links[manifest.sequence] = Link(digest: digest, previous: manifest.previous, id: id)
      numbers[id] = manifest.sequence
    }

    /// A counter that was damaged, and a power cut before the next signature: numbers may be given again.
    mutating func powerWasCut(counter: Int64) {
      if counter < links.keys.max() ?? 0 { isLost = true }
    }

    mutating func confirmed(_ id: String) {
      if let number = numbers[id] { confirmed.insert(number) }
    }

    mutating func erased(_ id: String) { if let number = numbers[id] { erased.insert(number) } }

    /// Forgets the links that were checked, in a long run, but for the last ones.
    mutating func forget() {
      let first = (links.keys.max() ?? 0) - 20
      links = links.filter { $0.key > first }
      numbers = numbers.filter { $0.value > first }
      confirmed = confirmed.filter { $0 > first }
      erased = erased.filter { $0 > first }
    }

    /// Each manifest names one that exists, and no confirmed signature is between them.
    func check() throws {
      if isLost { return }
      let known = confirmed.sorted()
      for (number, link) in links {
        guard case .manifest(let previous, let isInterrupted)? = link.previous else { continue }
        // One that was erased before a receiver had it was not seen.
        if let named = links[previous.sequence], named.digest != previous.sha256 {
          throw BrokenPromise(
            "the manifest \(number) names a manifest \(previous.sequence) of another content")
        }
        if links[previous.sequence] == nil, !erased.contains(previous.sequence) {
          throw BrokenPromise(
            "the manifest \(number) names the manifest \(previous.sequence), which nobody has seen")
        }
        if isInterrupted { continue }
        if let skipped = known.first(where: { $0 > previous.sequence && $0 < number }) {
          throw BrokenPromise(
            "the manifest \(number) follows \(previous.sequence) and omits the confirmed signature \(skipped)"
          )
        }
      }
    }
  }
#endif
