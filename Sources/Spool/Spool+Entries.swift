public import Linux

extension Spool {
  /// The items of a folder by their names, in no order; what has another name is left out.
  public static func ids(in folder: borrowing Folder) throws(SpoolError) -> [ItemID] {
    var ids: [ItemID] = []
    do throws(SystemError) {
      try folder.forEachName { name in
        if let id = ItemID(name) { ids.append(id) }
        return true
      }
    } catch { throw .system(error) }
    return ids
  }
}
