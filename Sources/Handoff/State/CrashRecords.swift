internal import CLinux
internal import Linux
internal import Spool

/// Crash counters of deliveries and reads.
///
/// The records are in the runtime directory, which is emptied at boot. Without one they are in the spool's
/// `state/.attempts`, if the boot has an id.
struct CrashRecords {
  /// An operation that may crash the program.
  enum Work {
    /// The delivery of an item to a sink.
    case delivery(String, ItemID)
    /// Reading several items.
    case reading
    /// Reading the manifest of an item.
    case manifest(ItemID)
    /// Reading the records of an item.
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

  /// A delivery that was running when the program ended.
  struct Delivery {
    let sink: String
    let id: ItemID
    let counter: CrashCounter
  }

  /// Nil if nothing can be recorded.
  private let folder: String?

  /// `spool`: the spool's path.
  init(spool: String) {
    if let runtime = Process.runtimeDirectory {
      folder = runtime
    } else {
      folder = CrashCounter.currentBoot.isEmpty ? nil : spool + "/state/" + Spool.attemptsName
    }
  }

  /// The reason of a failure after too many crashes.
  static func reason(_ work: String) -> String {
    "crashed paraph-handoff \(CrashCounter.limit) times while \(work)"
  }

  /// Nil if nothing can be recorded.
  func counter(_ work: Work) -> CrashCounter? {
    folder.map { CrashCounter(in: $0, work.name) }
  }

  /// The deliveries that were running when the program ended, the latest first: a delivery that ran for long
  /// is the least suspect.
  func deliveries() -> [Delivery] {
    guard let folder, let records = try? Folder(folder) else { return [] }
    var found: [(delivery: Delivery, begun: Int64)] = []
    for name in (try? records.names()) ?? [] {
      let parts = name.utf8.split(separator: UInt8(ascii: "."))
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

  /// Whether reading a manifest or records crashed the program.
  var hasReads: Bool {
    guard let folder else { return false }
    return ((try? Folder(folder).names()) ?? []).contains { name in
      guard let end = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
      let kind = name.utf8[..<end]
      return (kind.elementsEqual("manifest".utf8) || kind.elementsEqual("records".utf8))
        && CrashCounter(in: folder, name).count > 0
    }
  }

  /// Removes a record.
  func forget(_ work: Work) {
    guard let folder else { return }
    try? Folder(folder).remove(work.name)
  }

  /// Removes the records of an item that left `new`.
  func forget(_ id: ItemID, sinks: [String]) {
    for sink in sinks { forget(.delivery(sink, id)) }
    forget(.manifest(id))
    forget(.records(id))
  }
}

/// Finds the file that crashes the program when it is read.
///
/// Files are read under one common record. After a crash, each one is read under a record of its own.
struct ReadGuard {
  private let records: CrashRecords
  private var common: CrashCounter?
  private let isCareful: Bool
  private var current: CrashCounter?

  init(_ records: CrashRecords) {
    self.records = records
    common = records.counter(.reading)
    isCareful = (common?.count ?? 0) > 0 || records.hasReads
  }

  /// Several items will be read.
  mutating func begin() { common?.begin() }

  /// Several items were read without a crash.
  mutating func end() { common?.clear() }

  /// A file will be read. Returns false if it crashed the program too often; its record then stays until the
  /// item is moved.
  mutating func begin(_ work: CrashRecords.Work) -> Bool {
    guard isCareful, var counter = records.counter(work) else { return true }
    // The first crash is on the common record.
    if counter.count + 1 >= CrashCounter.limit { return false }
    counter.begin()
    current = counter
    return true
  }

  /// The file was read without a crash.
  mutating func endItem() {
    current?.clear()
    current = nil
  }
}
