internal import Ink

/// Contacts that draw at the same time, one after the other: a sheet takes one stroke at a time. The one
/// that came first goes through as it comes; what the others do waits until it has left. Pure; nothing is
/// allocated after `init`.
///
/// Put in what comes out of the ring, and take `next()` until there is none.
public struct StrokeSerializer: ~Copyable {
  /// Nine fingers at 200 Hz for eighteen seconds. Room that is never used costs no memory.
  private static let capacity = 1 << 15

  private var waiting = RigidArray<GlassContact>(capacity: StrokeSerializer.capacity)
  /// The one that goes through.
  private var live: Int32?
  private var direct: GlassContact?
  /// What waits before it is other contacts', or was taken.
  private var cursor = 0
  private var isThinned = false
  /// Something had no room.
  private var isLossy = false

  /// Nothing touches.
  public init() {}

  /// The contact that goes through now; nil while none is down.
  public var current: Int32? { live }

  /// Takes in what a contact does.
  public mutating func put(_ contact: GlassContact) {
    if let live, contact.contact != live, !(contact.phase == .down && contact.isAfterGap) {
      wait(contact)
      return
    }
    // After a gap whoever was there before may have left unheard.
    if contact.phase == .down { live = contact.contact }
    direct = contact
  }

  /// What the sheet is to be told next; nil until something else is put in.
  public mutating func next() -> GlassContact? {
    if let contact = direct {
      direct = nil
      noteEnd(contact)
      return contact
    }
    while true {
      if live == nil {
        thin()
        guard waiting.count > 0 else { return nil }
        live = waiting[0].contact
      }
      while cursor < waiting.count {
        let contact = waiting[cursor]
        cursor += 1
        guard contact.contact == live else { continue }
        waiting[cursor - 1].contact = -1
        isThinned = true
        noteEnd(contact)
        return contact
      }
      if live != nil {
        thin()
        // All that is left is others'.
        cursor = waiting.count
        return nil
      }
    }
  }

  private mutating func noteEnd(_ contact: GlassContact) {
    if contact.isEnd && contact.contact == live { live = nil }
  }

  private mutating func wait(_ contact: GlassContact) {
    if contact.isMistake {
      for index in 0..<waiting.count where waiting[index].contact == contact.contact {
        waiting[index].contact = -1
      }
      isThinned = true
      return
    }
    // The ends of contacts find room where reports do not.
    let room = contact.isEnd ? StrokeSerializer.capacity : StrokeSerializer.capacity - 1024
    guard waiting.count < room else {
      isLossy = true
      return
    }
    var contact = contact
    contact.isAfterGap = contact.isAfterGap || isLossy
    isLossy = false
    waiting.append(contact)
  }

  /// Forgets what was taken.
  private mutating func thin() {
    cursor = 0
    guard isThinned else { return }
    isThinned = false
    var kept = 0
    for index in 0..<waiting.count where waiting[index].contact >= 0 {
      waiting[kept] = waiting[index]
      kept += 1
    }
    waiting.truncate(to: kept)
  }
}

extension GlassContact {
  /// Whether the contact is gone.
  var isEnd: Bool { phase == .up || phase == .cancel }
}
