internal import Linux

/// The nodes of cards in `/dev/dri`.
enum CardNodes {
  /// For example `/dev/dri/card0`, in the order of their numbers; none without the folder.
  static func paths(in folder: String = "/dev/dri") -> [String] {
    let names = (try? Folder.names(of: folder)) ?? []
    return names.compactMap { number($0) }.sorted().map { "\(folder)/card\($0)" }
  }

  /// 0 for "card0"; nil for "card0-HDMI-A-1" and all else.
  static func number(_ name: String) -> Int? {
    let bytes = Array(name.utf8)
    guard bytes.starts(with: Array("card".utf8)) else { return nil }
    let digits = bytes.dropFirst(4)
    return digits.first == UInt8(ascii: "-")
      ? nil : Int(String(decoding: digits, as: UTF8.self))
  }

  /// The links below `by-path` that lead to a node: names that stay when cards change their order.
  static func links(to path: String, in folder: String = "/dev/dri") -> [String] {
    let names = (try? Folder.names(of: "\(folder)/by-path")) ?? []
    return names.map { "\(folder)/by-path/\($0)" }.filter { link in
      Folder.target(ofLink: link)?.isPath(named: path.lastPathComponent) ?? false
    }
  }
}
