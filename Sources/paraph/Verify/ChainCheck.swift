import Spool

/// Checks whether items are all that a pad has signed between the first and the last of them.
struct ChainCheck {
  /// The parts of a proven item that the chain needs. Keeps no whole manifest, because a year has
  /// thousands.
  struct Item {
    let path: String
    let manifest: ManifestDigest
    let previous: PreviousManifest?
    let erased: [ErasedManifest]

    /// - Parameter digest: The SHA-256 of signature.json.
    init(path: String, _ manifest: Manifest, digest: String) {
      self.path = path
      self.manifest = ManifestDigest(sequence: manifest.sequence, sha256: digest)
      (previous, erased) = (manifest.previous, manifest.erased)
    }
  }

  /// A signature of the pad: an item that was given, or one that later items name as erased.
  private struct Link {
    let manifest: ManifestDigest
    let previous: PreviousManifest?
    /// The item's path; nil: it is not among the items.
    var path: String?
    var erased: ErasedManifest?

    var sequence: Int64 { manifest.sequence }
  }

  /// What is known, one line each.
  private(set) var facts: [String] = []
  /// What is missing or contradicts itself, one line each.
  private(set) var problems: [String] = []

  private var links: [Link] = []

  init(_ items: [Item]) {
    for item in items { add(item) }
    for item in items { for erased in item.erased { add(erased) } }
    links.sort { $0.sequence < $1.sequence }
    // Erasures before the first item or after the last one leave no gap between them.
    let given = links.filter { $0.path != nil }
    guard let first = given.first, let last = given.last else { return }
    links.removeAll { $0.sequence < first.sequence || $0.sequence > last.sequence }
    for link in links {
      guard let erased = link.erased else { continue }
      if let path = link.path {
        problems.append("\(path): the pad has erased it on \(erased.time): it should not be here")
      } else {
        facts.append("number \(link.sequence) was erased on \(erased.time)")
      }
    }
    for place in links.indices.dropFirst() { check(place) }
    let isFirst = first.previous == .some(.none) && first.sequence == 1
    if isFirst { facts.append("number 1 is the first one of the pad") }
    let before = isFirst ? "" : "before number \(first.sequence) or "
    facts.append(
      "nothing shows whether signatures \(before)after number \(last.sequence) were removed")
  }

  private mutating func add(_ item: Item) {
    let manifest = item.manifest
    guard let place = links.firstIndex(where: { $0.sequence == manifest.sequence }) else {
      return links.append(
        Link(manifest: manifest, previous: item.previous, path: item.path))
    }
    // Ignore duplicates.
    if links[place].manifest == manifest { return }
    problems.append(
      "\(item.path): has the number \(manifest.sequence), as \(links[place].path ?? "another") has: "
        + "the pad has lost its count, or they are not of one pad")
  }

  private mutating func add(_ erased: ErasedManifest) {
    guard let place = links.firstIndex(where: { $0.sequence == erased.manifest.sequence }) else {
      var link = Link(manifest: erased.manifest, previous: erased.previous)
      link.erased = erased
      return links.append(link)
    }
    if links[place].manifest == erased.manifest {
      if links[place].erased == nil { links[place].erased = erased }
    } else {
      problems.append(
        "\(name(links[place])): another one with its number was erased, says a later manifest")
    }
  }

  private func name(_ link: Link) -> String { link.path ?? "number \(link.sequence)" }

  /// Checks a link, and the numbers between it and the one before.
  private mutating func check(_ place: Int) {
    let (link, before) = (links[place], links[place - 1])
    let gap = Numbers(before.sequence + 1, link.sequence - 1)
    switch link.previous {
    case nil:
      problems.append(
        "\(name(link)): was made by a version that did not name the signature before it: nothing shows whether "
          + "others were removed after number \(before.sequence)")
    case .some(.none):
      problems.append(
        "\(name(link)): begins a new chain: nothing shows whether others were removed after number "
          + "\(before.sequence)")
    case .manifest(let previous, let isInterrupted):
      for other in links[..<place] where other.sequence > previous.sequence {
        facts.append(
          isInterrupted
            ? "number \(other.sequence): the pad does not know whether it confirmed that it was saved"
            : "number \(other.sequence): the pad has not confirmed to the person that it was saved")
      }
      if let known = links[..<place].last(where: { $0.sequence == previous.sequence }) {
        if known.manifest != previous {
          problems.append(
            "\(name(link)): follows another number \(previous.sequence) than this one")
        }
      } else if previous.sequence > before.sequence {
        problems.append(
          "\(Numbers(before.sequence + 1, previous.sequence).text) missing, before \(name(link))")
      } else if previous.sequence > links[0].sequence {
        problems.append("number \(previous.sequence) is missing, which \(name(link)) follows")
      }
      let unused = Numbers(max(previous.sequence, before.sequence) + 1, gap.last)
      if unused.isEmpty { return }
      if isInterrupted {
        problems.append(
          "\(unused.text) unknown: the pad was interrupted before \(name(link)), and does not know whether "
            + "there was a signature")
      } else {
        facts.append("\(unused.text) unused: the pad has saved no signature with it")
      }
    }
  }

  /// Successive numbers.
  private struct Numbers {
    let first: Int64, last: Int64

    init(_ first: Int64, _ last: Int64) { (self.first, self.last) = (first, last) }

    var isEmpty: Bool { first > last }
    var text: String {
      first == last ? "number \(first) is" : "numbers \(first) to \(last) are"
    }
  }
}
