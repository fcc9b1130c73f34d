/// The last events of the live stream, with the numbers that `Last-Event-ID` names.
///
/// Bounded in number and bytes. A reader that is slower than that has lost events: it is dropped, and starts anew.
struct EventStore {
  /// An event, in the format of server-sent events.
  struct Event {
    let number: Int64
    let bytes: [UInt8]
    /// The event tells about ink.
    let isInk: Bool
  }

  /// The number of events stored.
  static let capacity = 512
  /// The size of all events stored, in bytes.
  static let byteLimit = 1 << 20

  private var events: [Event] = []
  private var start = 0
  private var byteCount = 0
  /// The number of the next event.
  private(set) var next: Int64

  /// - Parameter next: The number of the first event.
  init(next: Int64) { self.next = next }

  /// The number of the oldest stored event; `next` if there is none.
  var first: Int64 { start < events.count ? events[start].number : next }

  /// Appends an event, and removes the oldest ones beyond the limits.
  mutating func append(_ name: String, _ data: [UInt8], isInk: Bool) {
    let bytes = EventStore.frame(number: next, name, data)
    events.append(Event(number: next, bytes: bytes, isInk: isInk))
    byteCount += bytes.count
    next += 1
    while events.count - start > EventStore.capacity
      || byteCount > EventStore.byteLimit && events.count - start > 1
    {
      byteCount -= events[start].bytes.count
      start += 1
    }
    if start >= EventStore.capacity {
      events.removeFirst(start)
      start = 0
    }
  }

  /// Whether all events from this number on are stored.
  func has(from number: Int64) -> Bool { number >= first && number <= next }

  /// The stored event with this number.
  func event(_ number: Int64) -> Event? {
    guard number >= first, number < next else { return nil }
    return events[start + Int(number - first)]
  }

  /// An event as it is sent. `data` is one line.
  static func frame(number: Int64, _ name: String, _ data: [UInt8]) -> [UInt8] {
    "id: \(number)\nevent: \(name)\ndata: ".utf8 + data + "\n\n".utf8
  }
}
