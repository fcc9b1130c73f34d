internal import JSON

/// The live stream of the pad's state and ink: replies of the pad's Watch in, events out.
///
/// Readers own a `Cursor` each. One that begins, or has been away for too long, first gets the state and all ink of
/// now, read from the same steps for all; then the states and ends that came meanwhile. This snapshot has no numbers
/// before its end: a reader whose connection breaks inside it begins it again. Then the reader follows the stored
/// events. No reader costs memory while it waits.
struct LiveFeed {
  /// A reader's place. `since` is the number of the first event after the snapshot's state.
  enum Cursor: Equatable {
    /// The state comes next. Nil for `since`: it has not been sent yet.
    case state(since: Int64?)
    /// The clean pad comes next.
    case begin(since: Int64)
    /// The ink from this step on comes next, of this revision of the ink.
    case ink(revision: Int, step: Int, since: Int64)
    /// The first state or end from the number `since` on comes next, then the events from `end` on.
    case missed(since: Int64, end: Int64)
    /// The event of this number comes next.
    case event(Int64)
  }

  /// The answer to a reader.
  enum Next: Equatable {
    case bytes([UInt8])
    /// Nothing is there yet.
    case wait
    /// The reader was too slow, and has lost events.
    case lost
  }

  /// The size of the ink that is kept for new readers, in bytes: about ten minutes of writing.
  static let inkLimit = 4 << 20
  /// The number of steps in one event for a new reader.
  static let batch = 64

  private(set) var store: EventStore
  private var status: [UInt8]
  private var surface: [UInt8]?
  private var signature: Int64 = 0
  private var ink = LiveInk()
  /// Nil: not known yet.
  private var state: String?
  /// The page that is being read.
  private var page: Int64?

  /// - Parameter next: The number of the first event, above those of earlier starts.
  init(next: Int64) {
    store = EventStore(next: next)
    status = []
  }

  /// The place of a reader that has received the event of this number, or of a new one.
  func cursor(after last: Int64?) -> Cursor {
    guard let last, last < .max, store.has(from: last + 1) else {
      return .state(since: nil)
    }
    return .event(last + 1)
  }

  // MARK: - Inputs

  /// Adds what a reply of Watch tells.
  mutating func apply(_ reply: JSONValue) {
    if let surface = reply["surface"], surface.isObject { show(surface) }
    let steps = reply["ink"]?.elements
    if steps == nil || reply["state"]?.text != state || reply["page"]?.integer != page {
      set(reply)
    }
    if let steps { draw(steps) }
  }

  /// The pad cannot be reached: its ink is unknown.
  mutating func lose() {
    if state == "unreachable" { return }
    set(.object([("state", .text("unreachable"))]))
    forgetInk()
  }

  /// The pad is not watched any more: readers wait for its next reply.
  mutating func pause() {
    state = nil
    forgetInk()
  }

  /// The ink is not watched any more.
  mutating func forgetInk() {
    guard surface != nil else { return }
    surface = nil
    ink.restart()
  }

  private mutating func set(_ reply: JSONValue) {
    let before = state
    let state = reply["state"]?.text ?? "unreachable"
    self.state = state
    var members: [(String, JSONValue)] = [("state", .text(state))]
    if let left = reply["seconds_left"] { members.append(("seconds_left", left)) }
    page = reply["page"]?.integer
    if let page { members.append(("page", .integer(page))) }
    status = JSONValue.object(members).bytes(digits: 9)
    store.append("state", status, isInk: false)
    guard state != before, ["saved", "cancelled", "timed_out"].contains(state) else { return }
    append("end", [("outcome", .text(state))], isInk: false)
  }

  private mutating func show(_ surface: JSONValue) {
    func member(_ name: String) -> (String, JSONValue) { (name, surface[name] ?? .null) }
    let scale = JSONValue.array([surface["scale_x"] ?? .null, surface["scale_y"] ?? .null])
    let pen = JSONValue.object(
      ["model", "narrowest", "widest", "prediction", "ink", "ground"].map { member($0) })
    let bytes = JSONValue.object([
      member("width"), member("height"), ("scale", scale), ("pen", pen),
    ]).bytes(digits: 9)
    if bytes == self.surface { return }
    self.surface = bytes
    beginAnew()
  }

  private mutating func beginAnew() {
    signature += 1
    ink.restart()
    if let begin { store.append("begin", begin, isInk: true) }
  }

  /// The data of the event that begins a signature: the surface with its number; nil: there is no panel.
  private var begin: [UInt8]? {
    guard let surface else { return nil }
    let more = ink.isTruncated ? #","truncated":true}"# : "}"
    return #"{"signature":\#(signature),"#.utf8 + surface.dropFirst().dropLast() + more.utf8
  }

  private mutating func draw(_ steps: [JSONValue]) {
    var samples: [[UInt8]] = []
    func flush(_ feed: inout LiveFeed) {
      if !samples.isEmpty { feed.store.append("ink", feed.inkData(samples[...]), isInk: true) }
      samples = []
    }
    for step in steps {
      switch step["step"]?.text {
      case "begins", "goes_on", "ends":
        if let bytes = ink.add(step) { samples.append(bytes) }
      case "undone":
        flush(&self)
        ink.undo()
        append("undo", [], isInk: true)
      case "wiped":
        flush(&self)
        // The pad begins with it.
        if ink.isEmpty { continue }
        append("clear", [], isInk: true)
        beginAnew()
      default: continue
      }
    }
    flush(&self)
  }

  private mutating func append(_ name: String, _ members: [(String, JSONValue)], isInk: Bool) {
    let data = JSONValue.object([("signature", .integer(signature))] + members)
    store.append(name, data.bytes(), isInk: isInk)
  }

  private func inkData(_ steps: ArraySlice<[UInt8]>) -> [UInt8] {
    var data = Array(#"{"signature":\#(signature),"samples":["#.utf8)
    for (index, step) in steps.enumerated() {
      if index > 0 { data.append(UInt8(ascii: ",")) }
      data += step
    }
    return data + "]}".utf8
  }

  // MARK: - Readers

  /// Returns the next frame at a place, and moves the place on.
  ///
  /// - Parameter showsInk: Whether the reader may see ink.
  func next(_ cursor: inout Cursor, showsInk: Bool) -> Next {
    while true {
      switch cursor {
      case .state(let since):
        if state == nil { return .wait }
        let body = EventStore.body("state", status)
        if showsInk, surface != nil {
          cursor = .begin(since: since ?? store.next)
          return .bytes(EventStore.frame(nil, body))
        }
        return .bytes(last(body, since: since ?? store.next, &cursor))
      case .begin(let since):
        guard let begin else {
          cursor = .state(since: since)
          continue
        }
        let body = EventStore.body("begin", begin)
        if ink.steps.isEmpty { return .bytes(last(body, since: since, &cursor)) }
        cursor = .ink(revision: ink.revision, step: 0, since: since)
        return .bytes(EventStore.frame(nil, body))
      case .ink(let revision, let step, let since):
        guard revision == ink.revision else {
          cursor = .state(since: since)
          continue
        }
        let end = min(step + LiveFeed.batch, ink.steps.count)
        let body = EventStore.body("ink", inkData(ink.steps[step..<end]))
        if end == ink.steps.count { return .bytes(last(body, since: since, &cursor)) }
        cursor = .ink(revision: revision, step: end, since: since)
        return .bytes(EventStore.frame(nil, body))
      case .missed(let since, let end):
        guard store.has(from: since) else { return .lost }
        guard let event = store.state(from: since), event.number < end else {
          cursor = .event(end)
          continue
        }
        return .bytes(frame(event.body, since: event.number + 1, end: end, &cursor))
      case .event(let number):
        if number >= store.next { return .wait }
        guard let event = store.event(number) else { return .lost }
        cursor = .event(number + 1)
        if showsInk || !event.isInk { return .bytes(event.bytes) }
      }
    }
  }

  /// The last frame of a snapshot, unless states or ends have come since its beginning.
  private func last(_ body: [UInt8], since: Int64, _ cursor: inout Cursor) -> [UInt8] {
    frame(body, since: since, end: store.next, &cursor)
  }

  /// A frame of a snapshot, which ends with it if no state or end from `since` up to, not including, `end` is left.
  private func frame(
    _ body: [UInt8], since: Int64, end: Int64, _ cursor: inout Cursor
  ) -> [UInt8] {
    if let next = store.state(from: since), next.number < end {
      cursor = .missed(since: next.number, end: end)
      return EventStore.frame(nil, body)
    }
    cursor = .event(end)
    return EventStore.frame(end - 1, body)
  }
}
