internal import Linux

extension Spool {
  /// Whether an item of this id is being written at `path`, or was when its writer died; also where that
  /// cannot be told.
  public static func hasDraft(_ id: String, at path: String) -> Bool {
    // An id is a name in this folder, and nothing else.
    guard ItemID(id) != nil, let tmp = try? Folder(path + "/tmp") else { return true }
    return (try? tmp.contains(id)) ?? true
  }
}
