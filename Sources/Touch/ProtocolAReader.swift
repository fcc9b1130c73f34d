internal import CLinux
internal import Ink

/// Protocol A: every frame lists all contacts, each closed by SYN_MT_REPORT, and nothing is left out
/// (kernel: multi-touch-protocol, "Protocol Example A"). Which contact of a frame is which of the frame
/// before is found by the tracking id where there is one, and by the nearest place where there is none.
struct ProtocolAReader: ~Copyable {
  /// More contacts than that in one frame are left out.
  static let limit = 32

  private var listed = RigidArray<SlotState>(capacity: ProtocolAReader.limit)
  private var current = SlotState(slot: 0)
  private var isCurrentStated = false
  private var isListStated = false
  /// BTN_TOUCH became 0 in the frame that is being read.
  private(set) var isReleased = false
  private var matching = Matching(limit: ProtocolAReader.limit)
  /// Whoever was farther away than this is somebody else: squared, in device units.
  private let reach: Int64
  /// Contacts that were left out.
  private(set) var leftOut: UInt64 = 0

  /// `reach` in device units.
  init(reach: Int64) {
    let reach = min(max(reach, 1), 1 << 30)
    self.reach = reach * reach
  }

  /// Any ABS_MT axis.
  mutating func read(_ axis: Int32, _ value: Int32) {
    if axis == ABS_MT_TRACKING_ID {
      current.trackingID = value
    } else {
      current.read(axis, value)
    }
    isCurrentStated = true
  }

  /// SYN_MT_REPORT: the contact is whole. An empty one stands for "nobody is there".
  mutating func close() {
    isListStated = true
    guard isCurrentStated else { return }
    if !listed.append(current) { leftOut += 1 }
    current = SlotState(slot: 0)
    isCurrentStated = false
  }

  /// ABS_PRESSURE became 0: such a device may leave the empty list out.
  mutating func stateList() { isListStated = true }

  /// BTN_TOUCH became 0: nobody is there, whatever the list says.
  mutating func release() { isReleased = true }

  /// Forgets what was read of this frame.
  mutating func discard() {
    listed.removeAll()
    current = SlotState(slot: 0)
    (isCurrentStated, isListStated, isReleased) = (false, false, false)
  }

  /// The frame is whole: its contacts become the ledger's.
  mutating func finish(into ledger: inout SlotTable) {
    if isCurrentStated { close() }
    if isReleased { listed.removeAll() }
    // A key of the same device: the frame says nothing about contacts.
    if isListStated || isReleased { resolve(into: &ledger) }
    discard()
  }

  private mutating func resolve(into ledger: inout SlotTable) {
    matchByID(ledger)
    matchByPlace(ledger)
    for index in 0..<ProtocolAReader.limit
    where ledger[index].isActive && !matching.hasOld(index) {
      ledger.end(index)
    }
    for place in 0..<listed.count {
      guard let index = matching.old(of: place) ?? freeIndex(ledger) else { continue }
      if matching.old(of: place) == nil { begin(index, listed[place], &ledger) }
      ledger[index].update(from: listed[place])
    }
  }

  private func freeIndex(_ ledger: borrowing SlotTable) -> Int? {
    for index in 0..<ProtocolAReader.limit where !ledger[index].isActive { return index }
    return nil
  }

  private func begin(_ index: Int, _ contact: SlotState, _ ledger: inout SlotTable) {
    ledger[index] = SlotState(slot: Int32(index))
    ledger.begin(index, trackingID: contact.trackingID)
  }

  private mutating func matchByID(_ ledger: borrowing SlotTable) {
    matching.reset()
    for place in 0..<listed.count where listed[place].trackingID >= 0 {
      for index in 0..<ProtocolAReader.limit
      where ledger[index].isActive && ledger[index].trackingID == listed[place].trackingID
        && !matching.hasOld(index)
      {
        matching.pair(old: index, new: place)
        break
      }
    }
  }

  private mutating func matchByPlace(_ ledger: borrowing SlotTable) {
    matching.beginRest(reach: reach)
    for index in 0..<ProtocolAReader.limit
    where ledger[index].isActive && ledger[index].trackingID < 0 && !matching.hasOld(index) {
      matching.addOld(index)
    }
    for place in 0..<listed.count
    where listed[place].trackingID < 0 && matching.old(of: place) == nil {
      matching.addNew(place)
    }
    for row in 0..<matching.restOld {
      for column in 0..<matching.restNew {
        let (index, place) = matching.rest(row, column)
        matching.setCost(row, column, ledger[index].squaredDistance(to: listed[place]))
      }
    }
    matching.pairRest()
  }
}

extension SlotState {
  /// Squared, in device units; an axis that is unknown counts as equal.
  func squaredDistance(to other: SlotState) -> Int64 {
    func difference(_ a: Int32?, _ b: Int32?) -> Int64 {
      guard let a, let b else { return 0 }
      return min(abs(Int64(a) - Int64(b)), 1 << 30)
    }
    let (dx, dy) = (difference(x, other.x), difference(y, other.y))
    return dx * dx + dy * dy
  }

  /// Takes over what a frame listed.
  fileprivate mutating func update(from listed: SlotState) {
    x = listed.x ?? x
    y = listed.y ?? y
    pressure = listed.pressure
    size = listed.size
    distance = listed.distance
    tool = listed.tool
    isFresh = true
    isTouched = true
  }
}
