internal import Spool

/// Ids at 16 bytes each, in sorted pieces: for a backlog of a year a hash table would take three times
/// that, and one sorted array would move all of it for each id that goes.
struct ItemIDSet: Sendable {
  /// None is empty, and each begins above the end of the one before.
  private var pieces: [[ItemID]] = []

  private static let pieceLength = 512

  var isEmpty: Bool { pieces.isEmpty }

  func contains(_ id: ItemID) -> Bool {
    if pieces.isEmpty { return false }
    let piece = piece(for: id)
    let place = Self.place(of: id, in: pieces[piece])
    return place < pieces[piece].count && pieces[piece][place] == id
  }

  /// False if it is there already.
  @discardableResult
  mutating func insert(_ id: ItemID) -> Bool {
    if pieces.isEmpty {
      pieces.append(Self.piece([id]))
      return true
    }
    var piece = piece(for: id)
    var place = Self.place(of: id, in: pieces[piece])
    if place < pieces[piece].count && pieces[piece][place] == id { return false }
    if pieces[piece].count == Self.pieceLength {
      // What comes in order fills its pieces; what comes between splits one.
      let start = place == Self.pieceLength ? place : Self.pieceLength / 2
      pieces.insert(Self.piece(pieces[piece][start...]), at: piece + 1)
      pieces[piece].removeSubrange(start...)
      if place >= start { (piece, place) = (piece + 1, place - start) }
    }
    pieces[piece].insert(id, at: place)
    return true
  }

  mutating func remove(_ id: ItemID) {
    if pieces.isEmpty { return }
    let piece = piece(for: id)
    let place = Self.place(of: id, in: pieces[piece])
    guard place < pieces[piece].count, pieces[piece][place] == id else { return }
    pieces[piece].remove(at: place)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
  }

  /// The last piece that begins with the id or below it; else the first.
  private func piece(for id: ItemID) -> Int {
    var (low, high) = (0, pieces.count - 1)
    while low < high {
      let middle = high - (high - low) / 2
      if Self.precedes(id, pieces[middle][0]) { high = middle - 1 } else { low = middle }
    }
    return low
  }

  /// Where an id is, or has to be.
  private static func place(of id: ItemID, in piece: [ItemID]) -> Int {
    var (low, high) = (0, piece.count)
    while low < high {
      let middle = low + (high - low) / 2
      if precedes(piece[middle], id) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func precedes(_ a: ItemID, _ b: ItemID) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }

  private static func piece(_ ids: some Sequence<ItemID>) -> [ItemID] {
    var piece: [ItemID] = []
    piece.reserveCapacity(pieceLength)
    piece.append(contentsOf: ids)
    return piece
  }
}
