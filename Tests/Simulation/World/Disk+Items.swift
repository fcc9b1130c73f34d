#if DEBUG
  import Nettle
  import Spool

  /// What the spool on the disk has, for those who check it.
  extension Disk {
    /// The manifest in an item's folder and its digest; nil: there is none.
    func manifest(in item: Node) -> (manifest: Manifest, digest: String)? {
      guard let bytes = item.entries[Manifest.name]?.content, let manifest = try? Manifest(bytes)
      else { return nil }
      return (manifest, SHA256.text(of: bytes))
    }

    /// The same of the item with this identity.
    func manifest(of id: String) -> (manifest: Manifest, digest: String)? {
      place(of: id).flatMap { node("/spool/\($0)/\(id)") }.flatMap { manifest(in: $0) }
    }

    /// The last number that the files tell.
    var counter: Int64 {
      for name in ["sequence", "sequence-bound"] {
        let text = String(decoding: node("/spool/\(name)")?.content.dropLast() ?? [], as: UTF8.self)
        if let number = Int64(text) { return number }
      }
      return 0
    }

    /// The folder of the spool that has an item.
    func place(of id: String) -> String? {
      ["new", "failed", "delivered"].first { node("/spool/\($0)/\(id)") != nil }
    }

    /// The items of these folders.
    var items: [(id: String, node: Node)] {
      ["new", "failed", "delivered"].flatMap { place in
        (node("/spool/\(place)")?.entries ?? [:]).filter { !$0.key.contains(".") }
          .sorted { $0.key < $1.key }.map { (id: $0.key, node: $0.value) }
      }
    }

    /// The manifests of all items.
    var manifests: [Manifest] { items.compactMap { manifest(in: $0.node)?.manifest } }
  }
#endif
