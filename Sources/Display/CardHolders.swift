internal import CLinux
internal import Linux

/// Who has a card open, as far as `/proc` may be read: somebody must go before we can draw.
enum CardHolders {
  /// For example "plymouthd (312)", without ourselves.
  static func names(of card: String, proc: String = "/proc") -> [String] {
    let processes = (try? Folder.names(of: proc)) ?? []
    return processes.compactMap { process in
      guard let id = Int32(process), id != getpid(), holds(card, "\(proc)/\(process)/fd")
      else {
        return nil
      }
      return "\(Folder.line(of: "\(proc)/\(process)/comm") ?? "unknown") (\(id))"
    }
  }

  private static func holds(_ card: String, _ folder: String) -> Bool {
    let descriptors = (try? Folder.names(of: folder)) ?? []
    return descriptors.contains { number in
      Folder.target(ofLink: "\(folder)/\(number)")?.isSame(as: card) ?? false
    }
  }
}
