internal import JSON

/// The readers of the live stream, and the pad's Watch that feeds it.
///
/// The pad is watched once for all readers, and with ink only while one of them may see ink: the pad shows an icon
/// meanwhile. Without readers, it is not watched.
struct LiveService {
  /// An action of the service after an input.
  enum Action: Equatable {
    case wake(Int)
    /// Call Watch; `watching(by:)` names the call.
    case watch(strokes: Bool)
    case hangUp(Int)
    case log(String)
  }

  private struct Reader {
    let client: Int
    let showsInk: Bool
    var cursor: LiveFeed.Cursor
    /// It has read everything, and waits for `.wake`.
    var isWaiting = false
    /// Is sent before the next event.
    var prefix: [UInt8]
  }

  private struct Watch {
    var call: Int?
    let begun: Int64
    let strokes: Bool
  }

  /// The pad's configuration does not allow clients to watch strokes.
  private var isInkRefused = false
  /// The refusal is in the log, which pages that come and go must not fill.
  private var hasWarned = false
  private var feed: LiveFeed
  private var readers: [Reader] = []
  private var watch: Watch?
  /// When the pad is watched again after a failure.
  private var retry: Int64?
  private var delay: RetryDelay
  /// When waiting readers get a comment.
  private var comment: Int64?

  init(firstEvent: Int64) {
    feed = LiveFeed(next: firstEvent)
    // The milliseconds of the start differ from pad to pad.
    delay = RetryDelay(seed: UInt64(bitPattern: firstEvent))
  }

  var deadline: Int64? { [retry, comment].compactMap { $0 }.min() }
  var isEmpty: Bool { readers.isEmpty }
  var hasRoom: Bool { readers.count < WebLimits.viewers }

  /// Whether this is the call of Watch.
  func has(call: Int) -> Bool { watch?.call == call }

  /// The number of the call that `.watch` has asked for.
  mutating func watching(by call: Int) { watch?.call = call }

  // MARK: - Readers

  /// Adds a reader, which has received the event with the number `last`.
  mutating func connected(
    _ client: Int, after last: Int64?, showsInk: Bool, at now: Int64
  ) -> [Action] {
    // Events that came while nobody watched the pad are not stored.
    let isWatched = watch.map { $0.strokes || !showsInk } ?? false
    readers.append(
      Reader(
        client: client, showsInk: showsInk,
        cursor: isWatched ? feed.cursor(after: last) : .state(since: nil),
        prefix: "retry: 1000\n\n".utf8 + []))
    comment = comment ?? now + WebLimits.comment
    return adjust(at: now)
  }

  /// Removes a reader.
  mutating func disconnected(_ client: Int, at now: Int64) -> [Action] {
    let count = readers.count
    readers.removeAll { $0.client == client }
    if readers.count == count { return [] }
    if readers.isEmpty { comment = nil }
    return adjust(at: now)
  }

  /// Watches the pad as its readers need it.
  private mutating func adjust(at now: Int64) -> [Action] {
    guard !readers.isEmpty else {
      retry = nil
      // Nobody watches the pad now: its restart with another configuration would go unnoticed.
      isInkRefused = false
      defer { feed.pause() }
      return stop()
    }
    let strokes = !isInkRefused && readers.contains { $0.showsInk }
    if retry != nil || watch?.strokes == strokes { return [] }
    let actions = stop()
    watch = Watch(begun: now, strokes: strokes)
    return actions + [.watch(strokes: strokes)]
  }

  private mutating func stop() -> [Action] {
    let call = watch?.call
    if watch?.strokes == true { feed.forgetInk() }
    watch = nil
    return call.map { [.hangUp($0)] } ?? []
  }

  /// Reads the stream for a client.
  mutating func read(_ client: Int) -> StreamRead {
    guard let place = readers.firstIndex(where: { $0.client == client }) else { return .end }
    readers[place].isWaiting = false
    if !readers[place].prefix.isEmpty {
      let bytes = readers[place].prefix
      readers[place].prefix = []
      return .bytes(bytes)
    }
    var cursor = readers[place].cursor
    let next = feed.next(&cursor, showsInk: readers[place].showsInk)
    readers[place].cursor = cursor
    switch next {
    case .bytes(let bytes): return .bytes(bytes)
    case .lost: return .end
    case .wait:
      readers[place].isWaiting = true
      return .wait
    }
  }

  /// Wakes the readers that wait.
  private mutating func wake() -> [Action] {
    var actions: [Action] = []
    for place in readers.indices where readers[place].isWaiting {
      readers[place].isWaiting = false
      actions.append(.wake(readers[place].client))
    }
    return actions
  }

  // MARK: - Events of the pad

  /// The pad has told its state or ink.
  mutating func replied(_ reply: JSONValue) -> [Action] {
    feed.apply(reply)
    return wake()
  }

  /// The pad has refused the call.
  mutating func refused(_ error: String, at now: Int64) -> [Action] {
    if error == "org.paraph.Pad.StrokesNotAllowed" {
      isInkRefused = true
      defer { hasWarned = true }
      let line =
        "config: [web] mirror = yes, but the pad refuses: set [control] watch-strokes = yes in paraphd.conf"
      return (hasWarned ? [] : [.log(line)]) + adjust(at: now)
    }
    let call = watch?.call
    return (call.map { [.hangUp($0)] } ?? []) + failed(at: now)
  }

  /// The connection to the pad has failed: it is tried again.
  mutating func failed(at now: Int64) -> [Action] {
    // Another configuration may come with its next start.
    (isInkRefused, hasWarned) = (false, false)
    retry = now + delay.next(after: watch.map { now - $0.begun } ?? 0)
    watch = nil
    feed.lose()
    return wake()
  }

  // MARK: - Time

  /// Handles what was due at `now`.
  mutating func time(_ now: Int64) -> [Action] {
    var actions: [Action] = []
    if let due = retry, due <= now {
      retry = nil
      actions += adjust(at: now)
    }
    if let due = comment, due <= now {
      comment = now + WebLimits.comment
      for place in readers.indices where readers[place].isWaiting {
        readers[place].prefix = ":\n\n".utf8 + []
      }
      actions += wake()
    }
    return actions
  }
}
