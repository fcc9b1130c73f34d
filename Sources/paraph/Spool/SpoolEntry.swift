import Linux
import Spool

/// An entry of the spool: an item, or something in failed that is none.
struct SpoolEntry {
  let place: Spool.Place
  /// In the place's folder.
  let name: String
  /// Nil unless the entry is an item with a readable manifest.
  let manifest: Manifest?

  var id: ItemID? { ItemID(name) }

  /// All entries of some places, by place and sequence number.
  static func all(
    in spool: borrowing Spool, _ places: [Spool.Place] = Spool.Place.allCases
  ) throws(ToolError) -> [SpoolEntry] {
    var entries: [SpoolEntry] = []
    for place in places {
      let found = try here(place, spool)
      entries += found.sorted {
        ($0.manifest?.sequence ?? 0, $0.name) < ($1.manifest?.sequence ?? 0, $1.name)
      }
    }
    return entries
  }

  private static func here(
    _ place: Spool.Place, _ spool: borrowing Spool
  ) throws(ToolError) -> [SpoolEntry] {
    do throws(SpoolError) {
      let folder = try spool.open(place)
      let names: [String]
      do throws(SystemError) {
        names = try folder.names()
      } catch { throw .system(error) }
      return names.filter { !$0.hasSuffix(Spool.reasonSuffix) }.map { name in
        let manifest = ItemID(name).flatMap { try? Item.readManifest(of: $0, in: folder) }
        return SpoolEntry(place: place, name: name, manifest: manifest)
      }
    } catch { throw ToolError(error) }
  }

  /// The only entry whose name begins like this.
  static func named(
    _ start: String, in spool: borrowing Spool, _ places: [Spool.Place] = Spool.Place.allCases
  ) throws(ToolError) -> SpoolEntry {
    let found = try all(in: spool, places).filter { $0.name.hasPrefix(start) }
    guard let first = found.first, !start.isEmpty else {
      let where_ = places.map { $0.rawValue }.joined(separator: ", ")
      throw ToolError(.noInput, "\(start): no entry in \(where_) begins like this")
    }
    if found.count > 1 && first.name != start {
      throw ToolError(.usage, "\(start): \(found.count) entries begin like this")
    }
    return first
  }
}
