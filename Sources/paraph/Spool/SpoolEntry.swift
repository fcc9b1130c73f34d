import CLinux
import Commands
import Configuration
import Linux
import Spool

/// An entry of the spool: an item, or another file in failed.
struct SpoolEntry {
  let place: Spool.Place
  /// The name in the place's folder.
  let name: String
  /// Nil unless the entry is an item with a readable manifest.
  let manifest: Manifest?
  /// Why the manifest of an item cannot be read; nil: it can.
  var failure: Item.Failure?

  var id: ItemID? { ItemID(name) }

  /// All entries of some places, by place and sequence number.
  static func all(
    in spool: borrowing Spool, _ places: [Spool.Place] = Spool.Place.allCases
  ) throws(ToolError) -> [SpoolEntry] {
    var entries: [SpoolEntry] = []
    for place in places {
      let found = try SpoolEntry.entries(in: place, spool)
      entries += found.sorted {
        ($0.manifest?.sequence ?? 0, $0.name) < ($1.manifest?.sequence ?? 0, $1.name)
      }
    }
    return entries
  }

  private static func entries(
    in place: Spool.Place, _ spool: borrowing Spool
  ) throws(ToolError) -> [SpoolEntry] {
    do throws(SpoolError) {
      let folder = try spool.open(place)
      let names: [String]
      do throws(SystemError) {
        names = try folder.names()
      } catch { throw .system(error) }
      return names.filter { !$0.hasSuffix(Spool.reasonSuffix) }.map { name in
        SpoolEntry(place, name, in: folder)
      }
    } catch { throw ToolError(error) }
  }

  private init(_ place: Spool.Place, _ name: String, in folder: borrowing Folder) {
    (self.place, self.name) = (place, name)
    guard let id = ItemID(name) else {
      manifest = nil
      return
    }
    do throws(Item.Failure) {
      manifest = try Item.readManifest(of: id, in: folder)
    } catch {
      manifest = nil
      failure = error
    }
  }

  /// The only entry whose name has this prefix.
  static func named(
    _ start: String, in spool: borrowing Spool, _ places: [Spool.Place] = Spool.Place.allCases
  ) throws(ToolError) -> SpoolEntry {
    let found = try all(in: spool, places).filter { $0.name.hasPrefix(start) }
    guard let first = found.first, !start.isEmpty else {
      let where_ = places.map { $0.rawValue }.joined(separator: ", ")
      throw ToolError(.noInput, "\(start): no such entry in \(where_)")
    }
    if found.count > 1 && first.name != start {
      throw ToolError(.usage, "\(start): ambiguous: \(found.count) entries begin with it")
    }
    return first
  }
}

/// Processes several entries and prints each finished one.
struct SpoolBatch {
  let entries: [SpoolEntry]
  /// Whether these are all entries of a place rather than named ones.
  ///
  /// Then missing entries are ignored, and the work continues after an error.
  let isAll: Bool

  /// Processes the entries, prints further errors, and then throws the first.
  func run(_ work: (SpoolEntry) throws(ToolError) -> Void) throws(ToolError) {
    var output = StandardOutput()
    var failure: ToolError?
    for entry in entries {
      do throws(ToolError) {
        try work(entry)
      } catch {
        if isAll && error.code == .noInput { continue }
        if failure == nil { failure = error } else { Notice.write(error.text) }
        if isAll { continue }
        break
      }
      try output.line(entry.name.printable)
    }
    try output.flush()
    if let failure { throw failure }
  }
}

/// The options that choose the spool and its entries.
struct SpoolLocation {
  private static let installed = "/var/lib/paraph/spool"

  static var option: Option {
    Option(
      "spool", value: "FOLDER", values: .folder,
      "Use the spool in FOLDER; by default, the one in \(HandoffConfiguration.defaultPath), else \(installed)."
    )
  }

  /// The ids of entries. `place`: the only place that a shell offers ids of.
  static func ids(_ count: Operand.Count, in place: Spool.Place? = nil) -> Operand {
    let list = ["paraph spool list", place?.rawValue].compactMap { $0 }.joined(separator: " ")
    return Operand(
      "ID", count: count, values: .words(printedBy: "\(list) 2>/dev/null | cut -f 4"),
      "The id of an entry, or the beginning of only one id.")
  }

  private let path: String?

  init(_ arguments: Arguments) { path = arguments.value("spool") }

  /// The ids or `--all`; exactly one of them must be given.
  static func choice(_ arguments: Arguments) throws(UsageError) -> (ids: [String], isAll: Bool) {
    let isAll = arguments.has("all")
    if arguments.operands.isEmpty != isAll {
      throw arguments.error(isAll ? "option '--all' excludes ids" : "ID or '--all' is missing")
    }
    return (arguments.operands, isAll)
  }

  /// Opens the spool.
  ///
  /// - Parameter forReading: Also on a disk that is read-only, which a failing one becomes.
  func open(forReading: Bool = false) throws(ToolError) -> Spool {
    do throws(SpoolError) {
      return try Spool(at: path ?? configuredPath, forReading: forReading)
    } catch { throw ToolError(error) }
  }

  private var configuredPath: String { handoff?.spool ?? SpoolLocation.installed }

  /// The configuration of paraph-handoff; nil if it is of another spool, or cannot be read: the daemons report that.
  var handoff: HandoffConfiguration? {
    let read = try? HandoffConfiguration(reading: HandoffConfiguration.defaultPath)
    guard let path, let read else { return read }
    return FileStatus.areSame(path, read.spool) ? read : nil
  }
}

extension ToolError {
  init(_ error: SpoolError) {
    switch error {
    case .system(let system):
      switch system.errno.rawValue {
      case EACCES, EPERM, EROFS: self.init(.noPermission, error.text)
      case ENOENT: self.init(.noInput, error.text)
      default: self.init(.io, error.text)
      }
    case .invalid: self.init(.data, error.text)
    case .capacity: self.init(.tempfail, error.text)
    }
  }
}
