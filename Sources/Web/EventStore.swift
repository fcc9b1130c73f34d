/// The last events of the live stream, with the numbers that `Last-Event-ID` names.
///
/// Bounded in number and bytes. A reader that is slower than that has lost events: it is dropped, and starts anew.
struct EventStore {
  /// An event.
  struct Event {
    let number: Int64
    /// Its name and data, in the format of server-sent events.
    fileprivate(set) var body: [UInt8]
    /// The event tells about ink.
    let isInk: Bool

    /// The event as it is sent.
    var bytes: [UInt8] { EventStore.frame(number, body) }
  }

  /// The number of events stored.
  static let capacity = 512
  /// The size of all events stored, in bytes.
  static let byteLimit = 1 << 20

  /// Includes the empty places of events that are no longer stored.
  private(set) var events: [Event] = []
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
    let body = EventStore.body(name, data)
    events.append(Event(number: next, body: body, isInk: isInk))
    byteCount += body.count
    next += 1
    while events.count - start > EventStore.capacity
      || byteCount > EventStore.byteLimit && events.count - start > 1
    {
      byteCount -= events[start].body.count
      // The empty place is removed later, together with many others.
      events[start].body = []
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

  /// The first stored event from this number on that does not tell about ink.
  func state(from number: Int64) -> Event? {
    let skipped = Int(max(0, number - first))
    return events[start...].dropFirst(skipped).first { !$0.isInk }
  }

  /// Name and data of an event. `data` is one line.
  static func body(_ name: String, _ data: [UInt8]) -> [UInt8] {
    "event: \(name)\ndata: ".utf8 + data + "\n\n".utf8
  }

  /// An event as it is sent. Without a number, it resets the one that its client returns with (HTML, 9.2.6).
  static func frame(_ number: Int64?, _ body: [UInt8]) -> [UInt8] {
    (number.map { "id: \($0)\n" } ?? "id:\n").utf8 + body
  }
}
