internal import Spool

/// An item in a queue.
struct QueueEntry: Equatable, Sendable {
  /// The position in the order of signing.
  let sequence: Int64
  /// The item.
  let id: ItemID

  /// An item and its position.
  init(sequence: Int64, id: ItemID) {
    self.sequence = sequence
    self.id = id
  }

  /// Compares ids where a forged manifest repeats a number.
  fileprivate func precedes(_ other: QueueEntry) -> Bool {
    (sequence, id.high, id.low) < (other.sequence, other.id.high, other.id.low)
  }
}

/// A sorted array of entries that removes its first and last element in constant time.
struct OrderedEntries: Sendable {
  private var entries: [QueueEntry] = []
  /// The index of the first element. Earlier ones are removed already.
  private var head = 0

  var count: Int { entries.count - head }
  var isEmpty: Bool { count == 0 }
  var oldest: QueueEntry? { isEmpty ? nil : entries[head] }

  /// Returns false if it contains the entry already.
  @discardableResult
  mutating func insert(_ entry: QueueEntry) -> Bool {
    let index = index(of: entry)
    if index < entries.count, entries[index] == entry { return false }
    entries.insert(entry, at: index)
    return true
  }

  /// Inserts entries of any order in one pass.
  mutating func insert(contentsOf added: [QueueEntry]) {
    let added = added.sorted { $0.precedes($1) }
    guard let first = added.first else { return }
    let start = index(of: first)
    let tail = Array(entries[start...])
    entries.removeSubrange(start...)
    var (left, right) = (tail.startIndex, added.startIndex)
    while left < tail.endIndex || right < added.endIndex {
      let isLeft =
        right == added.endIndex || left < tail.endIndex && !added[right].precedes(tail[left])
      let entry = isLeft ? tail[left] : added[right]
      if isLeft { left += 1 } else { right += 1 }
      if entries.count == head || entries.last != entry { entries.append(entry) }
    }
  }

  /// Returns false if it does not contain the entry.
  @discardableResult
  mutating func remove(_ entry: QueueEntry) -> Bool {
    let index = index(of: entry)
    guard index < entries.count, entries[index] == entry else { return false }
    entries.remove(at: index)
    return true
  }

  func first(where isMatch: (QueueEntry) -> Bool) -> QueueEntry? {
    entries[head...].first(where: isMatch)
  }

  mutating func popNewest() -> QueueEntry? { isEmpty ? nil : entries.removeLast() }

  mutating func popOldest() -> QueueEntry? {
    guard let entry = oldest else { return nil }
    head += 1
    // Moves the rest once for many removals.
    if head > 64 && head > entries.count / 2 {
      entries.removeFirst(head)
      head = 0
    }
    return entry
  }

  /// The index of an entry, or the index where it would be inserted.
  private func index(of entry: QueueEntry) -> Int {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].precedes(entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
