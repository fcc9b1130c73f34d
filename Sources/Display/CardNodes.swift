internal import Linux

/// The nodes of cards in `/dev/dri`.
enum CardNodes {
  /// For example `/dev/dri/card0`, in the order of their numbers; none without the folder.
  static func paths(in folder: String = "/dev/dri") -> [String] {
    let names = (try? Folder.names(of: folder)) ?? []
    let numbers = names.compactMap { name in
      name.utf8.starts(with: "card".utf8)
        ? Int(String(decoding: name.utf8.dropFirst(4), as: UTF8.self)) : nil
    }
    return numbers.sorted().map { "\(folder)/card\($0)" }
  }

  /// The links below `by-path` that lead to a node: names that stay when cards change their order.
  static func links(to path: String, in folder: String = "/dev/dri") -> [String] {
    let names = (try? Folder.names(of: "\(folder)/by-path")) ?? []
    return names.map { "\(folder)/by-path/\($0)" }.filter { link in
      guard let target = Folder.target(ofLink: link), let name = path.split(separator: "/").last
      else { return false }
      return target.isPath(named: String(name))
    }
  }
}
