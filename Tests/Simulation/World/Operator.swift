#if DEBUG
  import SyntheticHand

  @testable import Spool

  /// Somebody at the machine: erases signatures on request, and damages files of the spool.
  struct Operator {
    let disk: Disk
    let facts: Facts
    let setting: Setting

    /// Erases an item; may be killed meanwhile, and repeats that later.
    func erase(_ random: inout SeededRandom) throws {
      guard let id = disk.items.randomElement(using: &random)?.id else { return }
      let calls = Int.random(in: 0..<60, using: &random)
      try erase(id, calls: calls < 20 ? calls : nil)
    }

    /// Erases what a receiver has rejected.
    func eraseFailed() throws {
      for id in disk.node("/spool/failed")?.entries.keys.sorted() ?? [] where ItemID(id) != nil {
        try erase(id, calls: nil)
      }
    }

    /// - Parameter calls: The calls after which it is killed; nil: it is not.
    private func erase(_ id: String, calls: Int?) throws {
      guard let item = ItemID(id) else { return }
      if let (manifest, digest) = disk.manifest(of: id) {
        try facts.published(manifest, digest: digest)
      }
      disk.process = 2
      defer { disk.ended(2) }
      disk.callsToKill = calls
      var isErased = false
      do throws(SpoolError) {
        isErased = try Spool.open(at: "/spool").erase(item, wait: 0) != nil
      } catch {}
      if isErased && !disk.isKilled { facts.erased(id) } else { facts.mayBeErased(id) }
    }

    /// Removes or damages the counter of signatures, or the record of their chain: never both on one machine.
    func damage(_ random: inout SeededRandom) {
      guard let spool = disk.node("/spool") else { return }
      func remove(_ name: String) {
        spool.entries[name] = nil
        spool.storedEntries[name] = nil
      }
      let name = setting.damagesChain ? "chain" : "sequence"
      let counter = Int64(
        String(decoding: spool.entries["sequence"]?.content.dropLast() ?? [], as: UTF8.self))
      // A power cut may have lost the chain, which is not synchronised, and a full disk its last record.
      let chained = spool.entries["chain"].flatMap { ChainState($0.content)?.settled }
      let isMendable = !setting.damagesChain && disk.boot == 1 && chained == counter
      var content: [UInt8] = []
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return remove(name)
      case 1 where isMendable:
        remove("sequence-bound")
        return remove(name)
      case 2 where isMendable:
        // Set back.
        content = Array("\(max(1, (counter ?? 1) - 3))\n".utf8)
      case 3 where !setting.damagesChain:
        content = Array("\(10_000_000_000_000 + disk.now)\n".utf8)
      case 4: content = Array("x\n".utf8)
      default: break
      }
      spool.entries[name]?.content = content
      spool.entries[name]?.stored = content
    }
  }
#endif
