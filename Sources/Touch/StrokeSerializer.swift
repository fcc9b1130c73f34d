internal import Ink

/// Serializes simultaneous contacts, because the drawing model takes one stroke at a time.
///
/// The first contact passes through as it arrives; events of the others wait until it has ended. Pure; allocates
/// only in `init`.
///
/// Put in each event of the ring, then call `next()` until it returns nil.
public struct StrokeSerializer: ~Copyable {
  /// Nine fingers at 200 Hz for eighteen seconds. Unused capacity costs no memory.
  private static let capacity = 1 << 15
  /// Reserved for the ends of contacts.
  private static let reserve = 1024
  /// The number of an entry that was popped or removed.
  private static let removed: Int32 = -1

  private var waiting = RigidArray<GlassContact>(capacity: StrokeSerializer.capacity)
  /// The event that passes through.
  private var passing: GlassContact?
  /// Entries before it belong to other contacts, or were popped.
  private var cursor = 0
  private var hasRemoved = false
  /// An event was dropped for lack of room.
  private var isLossy = false

  /// The contact that passes through; nil if none is down.
  public private(set) var current: Int32?

  /// A serializer without contacts.
  public init() {}

  /// Adds an event.
  public mutating func put(_ contact: GlassContact) {
    if let current, contact.contact != current, !(contact.phase == .down && contact.isAfterGap) {
      wait(contact)
      return
    }
    // After a gap, the end of the contact before may be lost.
    if contact.phase == .down { current = contact.contact }
    passing = contact
  }

  /// The next event of the current stroke; nil until another `put`.
  public mutating func next() -> GlassContact? {
    if let contact = passing {
      passing = nil
      recordEnd(contact)
      return contact
    }
    while true {
      if current == nil {
        compact()
        guard waiting.count > 0 else { return nil }
        current = waiting[0].contact
      }
      while cursor < waiting.count {
        let contact = waiting[cursor]
        cursor += 1
        guard contact.contact == current else { continue }
        waiting[cursor - 1].contact = StrokeSerializer.removed
        hasRemoved = true
        recordEnd(contact)
        return contact
      }
      if current != nil {
        compact()
        // The rest belongs to other contacts.
        cursor = waiting.count
        return nil
      }
    }
  }

  private mutating func recordEnd(_ contact: GlassContact) {
    if contact.isEnd && contact.contact == current { current = nil }
  }

  private mutating func wait(_ contact: GlassContact) {
    if contact.isMistake {
      for index in 0..<waiting.count where waiting[index].contact == contact.contact {
        waiting[index].contact = StrokeSerializer.removed
      }
      hasRemoved = true
      return
    }
    let room = StrokeSerializer.capacity - (contact.isEnd ? 0 : StrokeSerializer.reserve)
    guard waiting.count < room else {
      isLossy = true
      return
    }
    var contact = contact
    contact.isAfterGap = contact.isAfterGap || isLossy
    isLossy = false
    waiting.append(contact)
  }

  private mutating func compact() {
    cursor = 0
    guard hasRemoved else { return }
    hasRemoved = false
    var kept = 0
    for index in 0..<waiting.count where waiting[index].contact >= 0 {
      waiting[kept] = waiting[index]
      kept += 1
    }
    waiting.truncate(to: kept)
  }
}
