/// Entries in the order of signing, cheap to take from both ends: 24 bytes each.
struct OrderedEntries: Sendable {
  private var entries: [QueueEntry] = []
  /// Those before are taken already.
  private var head = 0

  var count: Int { entries.count - head }
  var isEmpty: Bool { count == 0 }
  var oldest: QueueEntry? { isEmpty ? nil : entries[head] }

  /// False if it is there already.
  @discardableResult
  mutating func insert(_ entry: QueueEntry) -> Bool {
    let place = place(of: entry)
    if place < entries.count, entries[place] == entry { return false }
    entries.insert(entry, at: place)
    return true
  }

  /// Adds many at once, in any order: one pass instead of a move for each.
  mutating func insert(contentsOf added: [QueueEntry]) {
    let added = added.sorted { $0.precedes($1) }
    guard let first = added.first else { return }
    let start = place(of: first)
    let tail = Array(entries[start...])
    entries.removeSubrange(start...)
    var (left, right) = (tail.startIndex, added.startIndex)
    while left < tail.endIndex || right < added.endIndex {
      let takeTail =
        right == added.endIndex || left < tail.endIndex && !added[right].precedes(tail[left])
      let entry = takeTail ? tail[left] : added[right]
      if takeTail { left += 1 } else { right += 1 }
      if entries.count == head || entries.last != entry { entries.append(entry) }
    }
  }

  /// False if it is not there.
  @discardableResult
  mutating func remove(_ entry: QueueEntry) -> Bool {
    let place = place(of: entry)
    guard place < entries.count, entries[place] == entry else { return false }
    entries.remove(at: place)
    return true
  }

  func first(where isWanted: (QueueEntry) -> Bool) -> QueueEntry? {
    entries[head...].first(where: isWanted)
  }

  mutating func takeNewest() -> QueueEntry? { isEmpty ? nil : entries.removeLast() }

  mutating func takeOldest() -> QueueEntry? {
    guard let entry = oldest else { return nil }
    head += 1
    // Moving the rest down costs less than one move for each entry taken since the last time.
    if head > 64 && head > entries.count / 2 {
      entries.removeFirst(head)
      head = 0
    }
    return entry
  }

  /// Where an entry is, or has to be.
  private func place(of entry: QueueEntry) -> Int {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].precedes(entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
