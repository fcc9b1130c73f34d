internal import Ink
internal import JSON

/// The ink on the glass while clients watch it, and the place of each of them.
///
/// A client that begins to watch gets all ink of now, and the others notice nothing. The ink is kept once for all:
/// one that reads slowly costs no more memory, and gets what it has missed as the glass has it then.
struct InkStream {
  /// The number of steps in one reply: about 20 kB.
  static let batch = 256
  /// The number of steps that are kept. The pad stops drawing before that.
  static let limit = 160_000

  private struct Reader {
    let client: Int
    /// "wiped" comes next.
    var beginsAnew = true
    /// The number of strokes that it has received and that were removed since.
    var undone = 0
    /// Its next step.
    var next = 0
  }

  private var readers: [Reader] = []
  /// All ink since it was wiped, without the strokes that were removed.
  private var steps: [ControlEvent.InkStep] = []
  /// Where each stroke begins in `steps`.
  private var strokes: [Int] = []
  /// The time that counts as 0; nil: that of the next sample.
  private var start: Int64?
  /// The pad has sent the ink of now.
  private var isKnown = false
  /// Steps are missing, because there were more than `limit`.
  private var isFull = false

  /// The clients, in the order in which they came.
  var clients: [Int] { readers.map { $0.client } }

  /// Adds a client. Returns whether it is the first one: the pad must send its ink.
  mutating func add(_ client: Int) -> Bool {
    readers.append(Reader(client: client))
    return readers.count == 1
  }

  /// Removes a client. Returns whether it was the last one: the pad need not send its ink.
  mutating func remove(_ client: Int) -> Bool {
    guard let place = readers.firstIndex(where: { $0.client == client }) else { return false }
    readers.remove(at: place)
    if readers.isEmpty { self = InkStream() }
    return readers.isEmpty
  }

  /// Sends all clients the ink of now again.
  mutating func restart() {
    for place in readers.indices { readers[place] = Reader(client: readers[place].client) }
  }

  // MARK: - The pad's ink

  /// Adds steps of the pad. Its first one after the first client came is `.wiped`.
  mutating func draw(_ steps: [ControlEvent.InkStep]) {
    for step in steps {
      if step == .wiped {
        wipe()
      } else if isKnown && !isFull {
        add(step)
      }
    }
  }

  private mutating func wipe() {
    (steps, strokes, start) = ([], [], nil)
    (isKnown, isFull) = (true, false)
    restart()
  }

  private mutating func add(_ step: ControlEvent.InkStep) {
    if step == .undone { return removeLastStroke() }
    guard steps.count < InkStream.limit else { return isFull = true }
    switch step {
    case .begins(let sample):
      strokes.append(steps.count)
      start = start ?? sample.time
    case .goesOn(let sample), .goesOnAfterGap(let sample): start = start ?? sample.time
    case .ends, .undone, .wiped: break
    }
    steps.append(step)
  }

  private mutating func removeLastStroke() {
    guard let first = strokes.popLast() else { return }
    steps.removeSubrange(first...)
    for place in readers.indices where readers[place].next > first {
      readers[place].next = first
      readers[place].undone += 1
    }
  }

  // MARK: - Clients

  /// Whether a client has not received all ink.
  func hasMore(for client: Int) -> Bool {
    guard isKnown, let reader = readers.first(where: { $0.client == client }) else { return false }
    return reader.beginsAnew || reader.undone > 0 || reader.next < steps.count
  }

  /// The next steps for a client, as the interface's array of `Ink`; nil: it has received all.
  mutating func next(for client: Int) -> JSONValue? {
    guard hasMore(for: client),
      let place = readers.firstIndex(where: { $0.client == client })
    else { return nil }
    let reader = readers[place]
    let end = min(reader.next + InkStream.batch, steps.count)
    var next: [ControlEvent.InkStep] = reader.beginsAnew ? [.wiped] : []
    for _ in 0..<reader.undone { next.append(.undone) }
    next += steps[reader.next..<end]
    readers[place] = Reader(client: client, beginsAnew: false, next: end)
    let start = start ?? 0
    return .array(next.map { $0.json(since: start) })
  }
}
