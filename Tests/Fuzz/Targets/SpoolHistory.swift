#if DEBUG
  import CLinux
  import Linux
  import Nettle

  @testable import Spool

  /// A pad and a hand-off at a spool, whose steps are read from bytes, and a model of where each item is.
  ///
  /// Promise 1: an item is in `new` whole or not at all, and no number is given twice. Promise 3: nothing but an order
  /// destroys a copy. Promise 4: a start on any state of the counters works.
  struct SpoolHistory: ~Copyable {
    private static let picture: [UInt8] = {
      func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
      }
      func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count) + Array(type.utf8) + content + [0, 0, 0, 0]
      }
      return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        + chunk("IHDR", number(40) + number(20) + [8, 0, 0, 0, 0])
        + chunk("IDAT", [7, 7, 7, 7]) + chunk("IEND", [])
    }()

    private let path = FuzzFolder.shared.path + "/spool"
    private var publisher: Publisher
    // The model: where each item is, and its number; the numbers that were given; the last manifest.
    private var items: [ItemID: (place: Spool.Place, number: Int64)] = [:]
    private var numbers: Set<Int64> = []
    private var last: ManifestDigest?
    /// The counters and the chain that are damaged since the last item.
    private var damaged: Set<String> = []

    init() throws(SpoolError) {
      publisher = Publisher(at: path)
      _ = try publisher.prepare()
    }

    deinit { try? Folder(FuzzFolder.shared.path).removeTree("spool") }

    /// A step: a kind and its argument. Returns what is wrong.
    mutating func step(_ bytes: inout FuzzBytes) throws(SpoolError) -> String? {
      let kind = bytes.byte()
      let argument = bytes.byte()
      switch kind % 12 {
      case 0, 1, 2: if let fault = try publish() { return fault }
      case 3: try abandon(isDescribed: argument & 1 != 0)
      case 4:
        publisher = Publisher(at: path)
        _ = try publisher.prepare()
      case 5: damage(argument)
      case 6: try crash(argument)
      default:
        guard let id = id(argument) else { return nil }
        try change(id, kind % 12, argument)
      }
      return try fault()
    }

    private mutating func publish() throws(SpoolError) -> String? {
      var draft = try publisher.begin()
      try draft.write(.png, Self.picture)
      let manifest = try draft.publish(Self.description)
      guard items.updateValue((.new, manifest.sequence), forKey: manifest.id) == nil else {
        return "an id is repeated"
      }
      guard numbers.insert(manifest.sequence).inserted else { return "a number is given twice" }
      if let greatest = numbers.max(), greatest != manifest.sequence {
        return "the number \(manifest.sequence) after \(greatest)"
      }
      if damaged.isEmpty, let last, manifest.previous?.manifest != last {
        return "the chain goes on from \(String(describing: manifest.previous))"
      }
      damaged = []
      last = ManifestDigest(
        sequence: manifest.sequence, sha256: SHA256.text(of: manifest.bytes))
      return nil
    }

    private static var description: Draft.Description {
      Draft.Description(
        reference: "parcel", device: "pad", panel: "none", width: 40, height: 20, dpi: 300,
        strokes: 1)
    }

    /// A signature that is not saved.
    private mutating func abandon(isDescribed: Bool) throws(SpoolError) {
      var draft = try publisher.begin()
      try draft.write(.png, Self.picture)
      if isDescribed { numbers.insert(try draft.describe(Self.description).sequence) }
    }

    /// One of the counters, or the chain, is lost or full of zeroes after a power cut.
    private mutating func damage(_ argument: UInt8) {
      let name = [Spool.sequenceName, Spool.boundName, ChainState.name][Int(argument >> 1) % 3]
      damaged.insert(name)
      if argument & 1 == 0 {
        unlink(path + "/" + name)
      } else {
        FuzzFolder.shared.write("spool/" + name, [0, 0, 0, 0])
      }
      // Without any of them, only the items that are left tell what was given.
      if damaged.count == 3 { numbers = Set(items.values.map { $0.number }) }
    }

    /// A draft of a program that was killed: with a part of its files, or a copy of an item.
    private func crash(_ argument: UInt8) throws(SpoolError) {
      let draft = "spool/tmp/0192f0c1-2d3e-7a4b-8c5d-0000000000" + (argument & 1 == 0 ? "01" : "02")
      mkdir(FuzzFolder.shared.path + "/" + draft, 0o700)
      FuzzFolder.shared.write(draft + "/signature.png", Self.picture)
      if argument & 2 != 0 { FuzzFolder.shared.write(draft + "/signature.json", [0x7b]) }
    }

    private func id(_ argument: UInt8) -> ItemID? {
      let known = items.keys.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
      return known.isEmpty ? nil : known[Int(argument >> 2) % known.count]
    }

    private mutating func change(
      _ id: ItemID, _ kind: UInt8, _ argument: UInt8
    ) throws(SpoolError) {
      let spool = try Spool.open(at: path)
      switch (kind, items[id]?.place) {
      case (7, .new):
        if argument & 1 != 0 { try spool.recordDelivery(of: id, to: "a") }
        _ = try spool.commit(.delivered(id))
        items[id]?.place = .delivered
      case (8, .new):
        _ = try spool.commit(.failed(id, reason: "no"))
        items[id]?.place = .failed
      case (9, .failed):
        try spool.retry(id)
        items[id]?.place = .new
      case (10, .delivered):
        try spool.purge(id)
        items[id] = nil
      case (10, let place?):
        try spool.drop(id.text, from: place)
        items[id] = nil
      case (11, _):
        _ = try spool.erase(id, wait: 0)
        items[id] = nil
      default: break
      }
    }

    /// Every item is in its folder, alone and whole.
    private func fault() throws(SpoolError) -> String? {
      let spool = try Spool.open(at: path)
      for place in Spool.Place.allCases {
        let folder = try spool.open(place)
        let found = try Spool.ids(in: folder)
        let expected = items.filter { $0.value.place == place }.count
        if found.count != expected { return "\(found.count) of \(expected) items in \(place)" }
        for id in found {
          if items[id]?.place != place { return "\(id.text) is in \(place)" }
          do throws(Item.Failure) { _ = try Item(id, in: folder) } catch {
            return "\(id.text) in \(place) is not whole: \(error)"
          }
        }
      }
      return nil
    }
  }
#endif
