/// A finger on the glass, in the panel's units.
struct Finger: Equatable {
  /// ABS_MT_TRACKING_ID, which distinguishes successive contacts in a slot.
  let trackingID: Int32
  var x: Int32, y: Int32
}

/// The fingers on the glass, now and in the last report.
struct Fingers {
  /// The fingers by slot.
  private(set) var now: [Finger?]
  private(set) var before: [Finger?]
  private var begun: Int32 = 0

  init(slots: Int) {
    now = Array(repeating: nil, count: slots)
    before = now
  }

  /// Why a command is invalid.
  enum Failure: Error {
    case noSuchSlot(Int)
    case alreadyDown(Int)
    case notDown(Int)

    var text: String {
      switch self {
      case .noSuchSlot(let slot): "no slot \(slot)"
      case .alreadyDown(let slot): "a finger is already down in slot \(slot)"
      case .notDown(let slot): "no finger is down in slot \(slot)"
      }
    }
  }

  mutating func down(_ slot: Int, x: Int32, y: Int32) throws(Failure) {
    guard now.indices.contains(slot) else { throw .noSuchSlot(slot) }
    guard now[slot] == nil else { throw .alreadyDown(slot) }
    now[slot] = Finger(trackingID: begun, x: x, y: y)
    begun = (begun + 1) & 0xFFFF
  }

  mutating func move(_ slot: Int, x: Int32, y: Int32) throws(Failure) {
    try check(slot)
    now[slot]?.x = x
    now[slot]?.y = y
  }

  mutating func up(_ slot: Int) throws(Failure) {
    try check(slot)
    now[slot] = nil
  }

  private func check(_ slot: Int) throws(Failure) {
    guard now.indices.contains(slot) else { throw .noSuchSlot(slot) }
    guard now[slot] != nil else { throw .notDown(slot) }
  }

  /// Records that a report was sent.
  mutating func reported() { before = now }

  /// The last report without later changes.
  var repeated: Fingers {
    var same = self
    same.now = before
    return same
  }

  /// The finger that began first, which the single-touch axes follow
  /// (kernel: input_mt_report_pointer_emulation).
  var oldest: Finger? {
    now.compactMap { $0 }.min { $0.trackingID < $1.trackingID }
  }
}
