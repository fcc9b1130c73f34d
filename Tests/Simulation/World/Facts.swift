#if DEBUG
  import Control
  import Spool

  /// What has happened, as persons, programs and receivers know it: the promises are about this.
  final class Facts {
    /// An acknowledged signature.
    struct Signature {
      let id: String
      /// For which document it was signed; nil: nobody asked.
      let reference: String?
    }

    private let hasPoison: Bool
    /// The number of the ink that was drawn last, from 1: each signature has another one.
    private(set) var lastToken = 0
    /// Signatures that were acknowledged, by their ink.
    private(set) var acknowledged: [Int: Signature] = [:]
    /// The same, by their identities.
    private var inks: [String: Int] = [:]
    /// The items of each ink that were seen.
    private var items: [Int: Set<String>] = [:]
    /// Ink whose publication failed behind the move: it may be delivered, and signed again.
    var ambiguous: Set<Int> = []
    /// How often each receiver got an item that not all have had.
    private var received: [String: [Int]] = [:]
    /// Items that all receivers have, or that were erased.
    private(set) var isDone: Set<String> = []
    /// Those of them that have left the spool, at the last `forgetDone`.
    private var forgettable: Set<String> = []
    /// Items that a receiver has refused as the only ones.
    private var failing: Set<String> = []
    /// Items that were erased.
    private(set) var erased: Set<String> = []
    var chain = ChainFacts()

    init(hasPoison: Bool) { self.hasPoison = hasPoison }

    /// The ink that a receiver rejects.
    func isRejected(_ token: Int) -> Bool { token % 23 == 7 }
    /// The ink whose item ends the program that delivers it.
    func isPoisonItem(_ token: Int) -> Bool { hasPoison && token % 11 == 3 }
    /// The ink that ends the program that draws it anew.
    func isPoisonInk(_ token: Int) -> Bool { hasPoison && token % 7 == 2 }
    /// The ink of a manifest.
    static func token(of manifest: Manifest) -> Int { manifest.title.flatMap { Int($0) } ?? 0 }

    func newToken() -> Int {
      lastToken += 1
      return lastToken
    }

    /// An item of this ink is or was in `new`.
    func published(_ manifest: Manifest, digest: String) throws {
      let (id, token) = (manifest.id.text, Facts.token(of: manifest))
      try chain.saw(manifest, digest: digest)
      items[token, default: []].insert(id)
      if let count = items[token]?.count, count > 1, !ambiguous.contains(token) {
        throw BrokenPromise("ink \(token) is published twice")
      }
    }

    /// The pad acknowledges a signature.
    func acknowledge(_ signature: SavedSignature, _ disk: Disk) throws {
      let token = signature.strokes.first?.token ?? 0
      if let former = acknowledged[token], former.id != signature.id {
        throw BrokenPromise("ink \(token) is acknowledged twice")
      }
      acknowledged[token] = Signature(id: signature.id, reference: signature.reference)
      inks[signature.id] = token
      if let (manifest, digest) = disk.manifest(of: signature.id) {
        try published(manifest, digest: digest)
      }
      chain.confirmed(signature.id)
      try check(token, disk)
    }

    /// A program gets the signature of its document, which the pad acknowledges by that.
    func checkReply(_ id: String, for reference: String, _ disk: Disk) throws {
      if inks[id] == nil {
        // A start has found in the journal that it was saved.
        guard let (manifest, digest) = disk.manifest(of: id) else {
          if isDone.contains(id) { return }
          throw BrokenPromise("a program gets the signature \(id), which is nowhere")
        }
        let token = Facts.token(of: manifest)
        try published(manifest, digest: digest)
        acknowledged[token] = Signature(id: id, reference: manifest.reference)
        inks[id] = token
      }
      guard let known = inks[id].flatMap({ acknowledged[$0] }), known.reference != reference else {
        return
      }
      throw BrokenPromise(
        "the program of \(reference) gets the signature of \(known.reference ?? "nobody")")
    }

    func received(_ id: String, by sink: Int) {
      if isDone.contains(id) { return }
      received[id, default: [0, 0]][sink] += 1
      if received[id]?.allSatisfy({ $0 > 0 }) == true {
        received[id] = nil
        isDone.insert(id)
      }
    }

    /// A receiver refuses it, and nothing else.
    func mayFail(_ id: String) { failing.insert(id) }

    func erased(_ id: String) {
      erased.insert(id)
      mayBeErased(id)
    }

    /// Its erasure has begun.
    func mayBeErased(_ id: String) {
      isDone.insert(id)
      chain.erased(id)
    }

    /// Forgets what all receivers had at the last call, in a long run: a program may read of the others yet.
    func forgetDone(_ disk: Disk) {
      let there = Set(disk.items.map { $0.id })
      for (token, signature) in acknowledged where forgettable.contains(signature.id) {
        acknowledged[token] = nil
        inks[signature.id] = nil
      }
      isDone.subtract(forgettable)
      forgettable = isDone.subtracting(there)
      (erased, failing, ambiguous) = ([], [], [])
      items = items.filter { $0.key > lastToken - 20 }
      received = received.filter { there.contains($0.key) }
      chain.forget()
    }

    /// Whether there is an item of this ink, or has been.
    func isInSpool(_ token: Int, _ disk: Disk) -> Bool {
      if acknowledged[token] != nil || items[token] != nil { return true }
      return disk.manifests.contains { Facts.token(of: $0) == token }
    }

    /// The number of items that wait, but for those that a receiver rejects: one that accepts no other item decides
    /// nothing about them.
    func waiting(_ disk: Disk) -> Int? {
      disk.node("/spool/new")?.entries.values.count { item in
        guard let manifest = disk.manifest(in: item)?.manifest else { return true }
        return !isRejected(Facts.token(of: manifest))
      }
    }

    // MARK: - Promises

    /// Each acknowledged signature is in the spool, or with all receivers.
    func check(_ disk: Disk) throws {
      for token in acknowledged.keys { try check(token, disk) }
      for id in erased {
        if let place = disk.place(of: id) {
          throw BrokenPromise("the erased item \(id) is in \(place) again")
        }
      }
    }

    private func check(_ token: Int, _ disk: Disk) throws {
      guard let id = acknowledged[token]?.id, !isDone.contains(id) else { return }
      let places = ["new", "failed", "delivered"].compactMap { disk.node("/spool/\($0)/\(id)") }
      guard let item = places.first, item.entries["signature.png"]?.content.isEmpty == false,
        disk.manifest(in: item) != nil
      else { throw BrokenPromise("the acknowledged signature \(id) of ink \(token) is lost") }
      if places.count > 1 { throw BrokenPromise("the item \(id) is in two places") }
      if disk.node("/spool/failed/\(id)") != nil, !isRejected(token), !isPoisonItem(token),
        !failing.contains(id)
      {
        throw BrokenPromise("the item \(id) of ink \(token) has failed, which nobody rejects")
      }
    }

    /// After everything has worked for long enough.
    func checkEnd() throws {
      for (token, signature) in acknowledged where !isRejected(token) && !isPoisonItem(token) {
        if !isDone.contains(signature.id), !failing.contains(signature.id) {
          throw BrokenPromise(
            "the item \(signature.id) of ink \(token) has reached \(received[signature.id] ?? [])")
        }
      }
      try chain.check()
    }
  }
#endif
