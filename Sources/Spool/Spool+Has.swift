internal import Linux

extension Spool {
  /// Whether a signature of this id was published at `path` and is still there, in whatever folder.
  public static func has(_ id: String, at path: String) -> Bool {
    // An id is a name in these folders, and nothing else.
    guard ItemID(id) != nil else { return false }
    return ["new", "failed", "delivered"].contains { name in
      guard let folder = try? Folder(path + "/" + name) else { return false }
      return (try? folder.status(of: id)) != nil
    }
  }
}
