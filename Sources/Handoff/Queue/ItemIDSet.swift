internal import Spool

/// A set of ids in sorted chunks, at 16 bytes each.
///
/// For a large backlog a hash table would need three times the memory, and a sorted array would move all its
/// elements for each removal.
struct ItemIDSet: Sendable {
  /// No chunk is empty. Each one begins after the end of the one before.
  private var chunks: [[ItemID]] = []

  private static let chunkLength = 512

  var isEmpty: Bool { chunks.isEmpty }
  var count: Int { chunks.reduce(0) { $0 + $1.count } }
  var first: ItemID? { chunks.first?.first }

  func contains(_ id: ItemID) -> Bool {
    if chunks.isEmpty { return false }
    let chunk = chunk(for: id)
    let index = Self.index(of: id, in: chunks[chunk])
    return index < chunks[chunk].count && chunks[chunk][index] == id
  }

  /// Returns false if it contains the id already.
  @discardableResult
  mutating func insert(_ id: ItemID) -> Bool {
    if chunks.isEmpty {
      chunks.append(Self.chunk([id]))
      return true
    }
    var chunk = chunk(for: id)
    var index = Self.index(of: id, in: chunks[chunk])
    if index < chunks[chunk].count && chunks[chunk][index] == id { return false }
    if chunks[chunk].count == Self.chunkLength {
      // Ids in order fill their chunks; others split one.
      let start = index == Self.chunkLength ? index : Self.chunkLength / 2
      chunks.insert(Self.chunk(chunks[chunk][start...]), at: chunk + 1)
      chunks[chunk].removeSubrange(start...)
      if index >= start { (chunk, index) = (chunk + 1, index - start) }
    }
    chunks[chunk].insert(id, at: index)
    return true
  }

  mutating func remove(_ id: ItemID) {
    if chunks.isEmpty { return }
    let chunk = chunk(for: id)
    let index = Self.index(of: id, in: chunks[chunk])
    guard index < chunks[chunk].count, chunks[chunk][index] == id else { return }
    chunks[chunk].remove(at: index)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  /// The ids that a set does not contain, in order.
  func ids(notIn other: Set<ItemID>) -> [ItemID] {
    chunks.flatMap { chunk in chunk.filter { !other.contains($0) } }
  }

  /// The last chunk that does not begin after the id, or the first one.
  private func chunk(for id: ItemID) -> Int {
    var (low, high) = (0, chunks.count - 1)
    while low < high {
      let middle = high - (high - low) / 2
      if Self.precedes(id, chunks[middle][0]) { high = middle - 1 } else { low = middle }
    }
    return low
  }

  /// The index of an id, or the index where it would be inserted.
  private static func index(of id: ItemID, in chunk: [ItemID]) -> Int {
    var (low, high) = (0, chunk.count)
    while low < high {
      let middle = low + (high - low) / 2
      if precedes(chunk[middle], id) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func precedes(_ a: ItemID, _ b: ItemID) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }

  private static func chunk(_ ids: some Sequence<ItemID>) -> [ItemID] {
    var chunk: [ItemID] = []
    chunk.reserveCapacity(chunkLength)
    chunk.append(contentsOf: ids)
    return chunk
  }
}
