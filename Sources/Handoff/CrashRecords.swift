internal import CLinux
internal import Linux
internal import Spool

/// Counts which work ended this program by a signal: a delivery, or the reading of an item or its records. The
/// records are in the runtime directory, which a boot empties, or in the spool's `state/.attempts`, where the
/// boot must be known.
struct CrashRecords {
  /// What can end the program.
  enum Work {
    /// Delivering an item to the sink of this name.
    case delivery(String, ItemID)
    /// Reading some items.
    case reading
    /// Reading the manifest of an item.
    case manifest(ItemID)
    /// Reading what was noted about an item.
    case records(ItemID)

    var name: String {
      switch self {
      case .delivery(let sink, let id): "delivery.\(sink).\(id.text)"
      case .reading: "reading"
      case .manifest(let id): "manifest.\(id.text)"
      case .records(let id): "records.\(id.text)"
      }
    }
  }

  /// A delivery that was under way when the program ended.
  struct Delivery {
    let sink: String
    let id: ItemID
    let counter: CrashCounter
  }

  /// Nil where nothing can be counted.
  private let folder: String?

  /// `spool`: the spool's path.
  init(spool: String) {
    if let runtime = Process.runtimeDirectory {
      folder = runtime
    } else {
      folder = CrashCounter.currentBoot.isEmpty ? nil : spool + "/state/" + Spool.attemptsName
    }
  }

  /// Nil where nothing can be counted.
  func counter(_ work: Work) -> CrashCounter? {
    guard let folder else { return nil }
    return CrashCounter(in: folder, work.name)
  }

  /// Deliveries that were under way when the program ended. What began last comes first: what goes on for long
  /// without ending the program is the least suspect.
  func deliveries() -> [Delivery] {
    guard let folder, let records = try? Folder(folder) else { return [] }
    var found: [(delivery: Delivery, begun: Int64)] = []
    for name in (try? records.names()) ?? [] {
      let parts = Array(name.utf8).split(separator: UInt8(ascii: "."))
      guard parts.count == 3, parts[0].elementsEqual("delivery".utf8),
        let id = ItemID(String(decoding: parts[2], as: UTF8.self))
      else { continue }
      let sink = String(decoding: parts[1], as: UTF8.self)
      let counter = CrashCounter(in: folder, Work.delivery(sink, id).name)
      let begun = (try? records.status(of: name))?.modified ?? 0
      found.append((Delivery(sink: sink, id: id, counter: counter), begun))
    }
    return found.sorted { $0.begun > $1.begun }.map { $0.delivery }
  }

  /// Whether reading a certain item or its records has ended the program, and it is still where it was.
  var haveReadings: Bool {
    guard let folder else { return false }
    return ((try? Folder(folder).names()) ?? []).contains { name in
      guard let end = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
      let kind = name.utf8[..<end]
      return (kind.elementsEqual("manifest".utf8) || kind.elementsEqual("records".utf8))
        && CrashCounter(in: folder, name).count > 0
    }
  }

  /// The work will not be done again: nothing counts any longer.
  func forget(_ work: Work) {
    guard let folder else { return }
    try? Folder(folder).remove(work.name)
  }

  /// The item has left `new`.
  func forget(_ id: ItemID, sinks: [String]) {
    for sink in sinks { forget(.delivery(sink, id)) }
    forget(.manifest(id))
    forget(.records(id))
  }
}
