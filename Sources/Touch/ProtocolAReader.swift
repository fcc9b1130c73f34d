internal import CLinux
internal import Ink

/// Protocol A: every frame lists all contacts, each closed by SYN_MT_REPORT
/// (kernel: multi-touch-protocol, "Protocol Example A").
///
/// Contacts are matched with those of the frame before by tracking id, or else by the nearest position.
struct ProtocolAReader: ~Copyable {
  /// The limit of contacts per frame.
  static let limit = 32

  private var listed = RigidArray<SlotState>(capacity: ProtocolAReader.limit)
  private var current = SlotState(slot: ProtocolAReader.unmatched)
  private var hasCurrent = false
  private var hasList = false
  /// BTN_TOUCH became 0 in the current frame.
  private(set) var isReleased = false
  /// A contact farther away than this is another one: squared, in device units.
  private let reach: Int64
  /// Contacts beyond `limit`.
  private(set) var dropped: UInt64 = 0

  private static let unmatched: Int32 = -1

  /// The reach is a third of the longer side.
  ///
  /// A writing finger does not cross it within the 26 ms of the slowest panels (1.2 m/s on one of 4.3 inches).
  /// A finger that is lifted and put down elsewhere often does.
  init(_ device: DeviceDescription) {
    let side = max(device.span.x, device.span.y)
    let reach = side > 1 ? min(max(side / 3, 1), 1 << 30) : 1 << 30
    self.reach = reach * reach
  }

  /// Reads any ABS_MT axis.
  mutating func read(_ axis: Int32, _ value: Int32) {
    if axis == ABS_MT_TRACKING_ID {
      current.trackingID = value
    } else {
      current.read(axis, value)
    }
    hasCurrent = true
  }

  /// SYN_MT_REPORT: completes a contact. Without axes before it, the list is empty.
  mutating func close() {
    hasList = true
    guard hasCurrent else { return }
    if !listed.append(current) { dropped += 1 }
    current = SlotState(slot: ProtocolAReader.unmatched)
    hasCurrent = false
  }

  /// ABS_PRESSURE became 0: such a device may omit the empty list.
  mutating func markList() { hasList = true }

  /// BTN_TOUCH became 0: no contact is left, whatever the list says.
  mutating func release() { isReleased = true }

  /// Discards what was read of this frame.
  mutating func discard() {
    listed.removeAll()
    current = SlotState(slot: ProtocolAReader.unmatched)
    (hasCurrent, hasList, isReleased) = (false, false, false)
  }

  /// Completes the frame: updates the table. A frame without a list, such as a key's, changes nothing.
  mutating func finish(into table: inout SlotTable) {
    if hasCurrent { close() }
    if isReleased { listed.removeAll() }
    if hasList || isReleased { update(&table) }
    discard()
  }

  private mutating func update(_ table: inout SlotTable) {
    let matched = match(table)
    for slot in 0..<ProtocolAReader.limit where table[slot].isActive && !matched.contains(slot) {
      table.end(slot)
    }
    for index in 0..<listed.count {
      if listed[index].slot == ProtocolAReader.unmatched {
        guard let slot = freeSlot(table) else { continue }
        listed[index].slot = Int32(slot)
        table[slot] = SlotState(slot: Int32(slot))
        table.begin(slot, trackingID: listed[index].trackingID)
      }
      table[Int(listed[index].slot)].update(from: listed[index])
    }
  }

  private func freeSlot(_ table: borrowing SlotTable) -> Int? {
    for slot in 0..<ProtocolAReader.limit where !table[slot].isActive { return slot }
    return nil
  }

  /// Slots that have a contact of this frame.
  private struct Matched {
    private var bits: UInt32 = 0
    func contains(_ slot: Int) -> Bool { bits & 1 << UInt32(slot) != 0 }
    mutating func insert(_ slot: Int) { bits |= 1 << UInt32(slot) }
  }

  /// Gives each listed contact the slot of the same contact in the frame before.
  private mutating func match(_ table: borrowing SlotTable) -> Matched {
    var matched = Matched()
    for index in 0..<listed.count where listed[index].trackingID >= 0 {
      for slot in 0..<ProtocolAReader.limit
      where table[slot].isActive && table[slot].trackingID == listed[index].trackingID
        && !matched.contains(slot)
      {
        listed[index].slot = Int32(slot)
        matched.insert(slot)
        break
      }
    }
    while let (index, slot) = nearestPair(table, matched) {
      listed[index].slot = Int32(slot)
      matched.insert(slot)
    }
    uncross(table)
    return matched
  }

  /// Exchanges the slots of two contacts if that shortens their displacements.
  ///
  /// Otherwise fingers in line that move by more than half their distance would be confused.
  private mutating func uncross(_ table: borrowing SlotTable) {
    for first in 0..<listed.count where isMatchedByPosition(first) {
      for second in first + 1..<listed.count where isMatchedByPosition(second) {
        let (a, b) = (listed[first], listed[second])
        let (x, y) = (Int(a.slot), Int(b.slot))
        let (kept, kept2) = (table[x].squaredDistance(to: a), table[y].squaredDistance(to: b))
        let (new, new2) = (table[y].squaredDistance(to: a), table[x].squaredDistance(to: b))
        if new + new2 < kept + kept2, max(new, new2) < reach {
          (listed[first].slot, listed[second].slot) = (b.slot, a.slot)
        }
      }
    }
  }

  private func isMatchedByPosition(_ index: Int) -> Bool {
    listed[index].trackingID < 0 && listed[index].slot != ProtocolAReader.unmatched
  }

  /// The nearest unmatched pair without tracking ids; nil if all are out of reach.
  private func nearestPair(
    _ table: borrowing SlotTable, _ matched: Matched
  ) -> (index: Int, slot: Int)? {
    var nearest: (index: Int, slot: Int)?
    var least = reach
    for index in 0..<listed.count
    where listed[index].trackingID < 0 && listed[index].slot == ProtocolAReader.unmatched {
      for slot in 0..<ProtocolAReader.limit
      where table[slot].isActive && table[slot].trackingID < 0 && !matched.contains(slot) {
        let distance = table[slot].squaredDistance(to: listed[index])
        if distance < least { (least, nearest) = (distance, (index, slot)) }
      }
    }
    return nearest
  }
}

extension SlotState {
  /// In device units; an unknown axis counts as equal.
  fileprivate func squaredDistance(to other: SlotState) -> Int64 {
    func difference(_ a: Int32?, _ b: Int32?) -> Int64 {
      guard let a, let b else { return 0 }
      return min(abs(Int64(a) - Int64(b)), 1 << 30)
    }
    let (dx, dy) = (difference(x, other.x), difference(y, other.y))
    return dx * dx + dy * dy
  }

  fileprivate mutating func update(from listed: SlotState) {
    x = listed.x ?? x
    y = listed.y ?? y
    pressure = listed.pressure
    size = listed.size
    distance = listed.distance
    tool = listed.tool
    isFresh = true
    isUpdated = true
  }
}
