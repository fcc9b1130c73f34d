internal import Linux
internal import Spool

extension ItemID {
  /// When an item in `new` was signed by a synchronised clock, as its manifest tells, in nanoseconds since 1970; nil:
  /// unknown.
  ///
  /// - Parameter spool: The spool's path.
  func signingTime(in spool: String) -> Int64? {
    guard let folder = try? Folder(spool + "/new") else { return nil }
    return (try? Item.readManifest(of: self, in: folder))?.signingTime
  }
}
