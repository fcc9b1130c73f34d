internal import JSON

/// The live stream of the pad's state and ink: replies of the pad's Watch in, events out.
///
/// Readers own a `Cursor` each. One that begins, or has been away for too long, first gets the state and all ink of
/// now, read from the same steps for all; then it follows the stored events. No reader costs memory while it waits.
struct LiveFeed {
  /// A reader's place.
  enum Cursor: Equatable {
    /// The state comes next.
    case state
    /// The clean pad comes next.
    case begin
    /// The ink from this step on comes next, of this revision of the ink.
    case ink(revision: Int, step: Int)
    /// The event of this number comes next.
    case event(Int64)
  }

  /// What a reader gets.
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

  /// - Parameter next: The number of the first event, above those of earlier starts.
  init(next: Int64) {
    store = EventStore(next: next)
    status = []
  }

  /// The place of a reader that has received the event of this number, or of a new one.
  func cursor(after last: Int64?) -> Cursor {
    guard let last, last < .max, store.has(from: last + 1) else { return .state }
    return .event(last + 1)
  }

  // MARK: - Inputs

  /// Adds what a reply of Watch tells.
  mutating func apply(_ reply: JSONValue) {
    if let surface = reply["surface"], surface.isObject { show(surface) }
    let steps = reply["ink"]?.elements
    if steps == nil || reply["state"]?.text != state { set(reply) }
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

  /// What comes next at a place, which moves on.
  ///
  /// - Parameter showsInk: Whether the reader may see ink.
  func next(_ cursor: inout Cursor, showsInk: Bool) -> Next {
    while true {
      switch cursor {
      case .state:
        if state == nil { return .wait }
        cursor = showsInk ? .begin : .event(store.next)
        return .bytes(EventStore.frame(number: store.next - 1, "state", status))
      case .begin:
        guard let begin else {
          cursor = .event(store.next)
          continue
        }
        cursor = .ink(revision: ink.revision, step: 0)
        return .bytes(EventStore.frame(number: store.next - 1, "begin", begin))
      case .ink(let revision, let step):
        guard revision == ink.revision else {
          cursor = .state
          continue
        }
        let end = min(step + LiveFeed.batch, ink.steps.count)
        guard end > step else {
          cursor = .event(store.next)
          continue
        }
        cursor = .ink(revision: revision, step: end)
        let data = inkData(ink.steps[step..<end])
        return .bytes(EventStore.frame(number: store.next - 1, "ink", data))
      case .event(let number):
        if number >= store.next { return .wait }
        guard let event = store.event(number) else { return .lost }
        cursor = .event(number + 1)
        if showsInk || !event.isInk { return .bytes(event.bytes) }
      }
    }
  }
}
