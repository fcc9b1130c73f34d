internal import CLinux
public import Linux

extension Spool {
  /// Where an item can be.
  public enum Place: String, CaseIterable, Sendable {
    /// Waits to be delivered.
    case new
    /// Set aside.
    case failed
    /// Kept after it was delivered.
    case delivered
  }

  /// The folder of a place.
  public borrowing func open(_ place: Place) throws(SpoolError) -> Folder {
    try spooling { () throws(SystemError) in try Folder(place.rawValue, in: root) }
  }

  /// Removes an entry for good, with what was noted about it. It goes to `tmp` first, so that nobody who
  /// looks for items sees half of it.
  public borrowing func drop(_ name: String, from place: Place) throws(SpoolError) {
    let folder = try open(place)
    let trash = "dropped-" + name
    do throws(SystemError) {
      try tmp.removeTree(trash)
      try folder.rename(name, to: tmp, as: trash)
      try folder.sync()
      try tmp.removeTree(trash)
      if place == .failed { try folder.removeTree(name + Self.reasonSuffix) }
      if let id = ItemID(name) { try removeState(of: id) }
    } catch { throw .system(error) }
  }
}
