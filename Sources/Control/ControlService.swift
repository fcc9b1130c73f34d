/// What programs and the pad say to each other, without the sockets: messages of connections and events
/// of the pad in, replies and requests out.
///
///     connection:  ready ──Sign───▶ signing ──signed, cancelled, timed out, refused──▶ ready
///                    ├────Show───▶ showing ──message gone, refused──────────────────▶ ready
///                    ├────GetInfo─▶ describing ──info, two seconds──────────────────▶ ready
///                    ├────Cancel──▶ cancelling ──the request is over, two seconds───▶ ready
///                    └────Watch──▶ watching                     (all of them) ──closed──▶ gone
///
/// A connection that is not ready is not read: its next call waits in the socket. At most one request is
/// open; it stays open after its connection is gone until the pad says that it is over.
public struct ControlService {
  /// What is to be done after an input.
  public enum Action: Equatable, Sendable {
    /// Send bytes to a connection.
    case send(Int, [UInt8])
    /// Send a signature to a connection. `awaiting`: its id, if `hasRead` must be called when the client has
    /// read the reply.
    case deliver(Int, SignatureReply, awaiting: String?)
    /// Close a connection when everything is sent. The reason is for the log.
    case close(Int, reason: String?)
    /// Ask the pad.
    case ask(ControlRequest)
  }

  enum Conversation: Equatable {
    case ready
    case signing(Int64, more: Bool, formats: [SignatureFormat])
    case showing(Int64)
    case describing(until: Int64)
    /// Waits until the request that it cancels is over, so that the client's next request is not refused as busy.
    case cancelling(Int64, until: Int64)
    case watching(strokes: Bool)
    /// Its last reply is on the way.
    case closing
  }

  struct Client {
    let id: Int
    let isAllowed: Bool
    var conversation = Conversation.ready
  }

  struct OpenRequest {
    let number: Int64
    let reference: String?
    /// Left by a pad that crashed: who asks for a signature of the same reference until then takes it over.
    var orphanUntil: Int64?
    var isOrphan: Bool { orphanUntil != nil }
  }

  /// How long a signature can be had by its id, in nanoseconds.
  static let memory: Int64 = 60_000_000_000
  /// How long a request that a crash has left waits for a program, in nanoseconds.
  static let orphanage: Int64 = 60_000_000_000
  /// How many signatures are remembered.
  static let memoryLimit = 4
  /// How long the pad may take to say how it is.
  static let patience: Int64 = 2_000_000_000
  /// How many connections may watch at a time.
  static let watcherLimit = 16

  let allowsStrokes: Bool
  let draw: (SavedSignature, SignatureFormat) -> [UInt8]?
  var info: PadInfo
  var clients: [Client] = []
  var open: OpenRequest?
  var lastNumber: Int64 = 0
  var state = PadState.idle
  /// When the open request's time limit is.
  var limit: Int64?
  var saved: [RememberedSignature] = []
  /// The time that counts as 0 for who watches ink.
  var inkStart: Int64?
  var watchesInk = false

  /// A pad of which `info` is known so far.
  ///
  /// - Parameters:
  ///   - allowsStrokes: Whether ink may be watched as it is drawn.
  ///   - state: What the pad does until it says something else.
  ///   - draw: A signature as a file, SVG or InkML; nil if it cannot be.
  public init(
    info: PadInfo, allowsStrokes: Bool, state: PadState = .idle,
    draw: @escaping (SavedSignature, SignatureFormat) -> [UInt8]?
  ) {
    self.info = info
    self.draw = draw
    self.state = state
    self.allowsStrokes = allowsStrokes
  }

  /// A request is open from before the pad was started.
  public mutating func adopt(
    _ number: Int64, reference: String?, in state: PadState = .invited, limit: Int64? = nil,
    at now: Int64
  ) {
    self.state = state
    self.limit = limit
    lastNumber = max(lastNumber, number)
    open = OpenRequest(
      number: number, reference: reference, orphanUntil: now + ControlService.orphanage)
  }

  /// A signature from before the pad was started, of which its program may not have heard.
  public mutating func adopt(_ signature: SavedSignature, at now: Int64) {
    _ = remember(signature, .open, at: now)
  }

  /// Keeps a signature, and returns its place. One that its program has goes first.
  mutating func remember(
    _ signature: SavedSignature, _ claim: RememberedSignature.Claim, at now: Int64
  ) -> Int {
    if saved.count >= ControlService.memoryLimit {
      saved.remove(at: saved.firstIndex { $0.claim == .settled } ?? 0)
    }
    saved.append(
      RememberedSignature(signature, until: now + ControlService.memory, claim))
    return saved.count - 1
  }

  /// When `time(_:)` must be called, if ever: CLOCK_MONOTONIC.
  public var deadline: Int64? {
    var moments = saved.map { $0.until }
    if let until = open?.orphanUntil { moments.append(until) }
    for client in clients {
      switch client.conversation {
      case .describing(let until), .cancelling(_, let until): moments.append(until)
      case .ready, .signing, .showing, .watching, .closing: break
      }
    }
    return moments.min()
  }

  /// What a connection waits for.
  enum Occupation {
    /// Nothing: it may call.
    case none
    /// An answer that comes soon.
    case waiting
    case watching
    /// The end of its request or message.
    case request
  }

  /// What a connection waits for.
  func occupation(_ client: Int) -> Occupation {
    switch clients.first(where: { $0.id == client })?.conversation {
    case .signing, .showing: .request
    case .watching: .watching
    case .describing, .cancelling: .waiting
    case .ready, .closing, nil: .none
    }
  }

  /// Whether the next message of a connection may be given to `message(_:from:at:)`.
  public func isReady(_ client: Int) -> Bool {
    clients.first { $0.id == client }?.conversation == .ready
  }

  /// A connection was made.
  ///
  /// - Parameter isAllowed: Whether its other side may do anything.
  public mutating func connected(_ client: Int, isAllowed: Bool) {
    clients.append(Client(id: client, isAllowed: isAllowed))
  }

  /// A client has read its reply with this signature: it need not be kept for it.
  public mutating func hasRead(_ client: Int, _ id: String) -> [Action] {
    guard
      let index = saved.firstIndex(where: {
        $0.signature.id == id && $0.claim == .sent(to: client)
      })
    else { return [] }
    saved[index].claim = .settled
    return [.ask(.forget(id))]
  }

  /// A connection is gone, and what it had asked for with it. A signature that it has not read waits for the
  /// next client that asks with its reference.
  public mutating func disconnected(_ client: Int, at now: Int64) -> [Action] {
    for index in saved.indices where saved[index].claim == .sent(to: client) {
      saved[index].claim = .open
      saved[index].until = now + ControlService.memory
    }
    guard let index = clients.firstIndex(where: { $0.id == client }) else { return [] }
    let conversation = clients.remove(at: index).conversation
    switch conversation {
    case .signing(let number, _, _), .showing(let number): return [.ask(.cancel(number))]
    case .watching: return adjustInk()
    case .ready, .describing, .cancelling, .closing: return []
    }
  }

  /// The clock stands at `now`.
  public mutating func time(_ now: Int64) -> [Action] {
    var actions: [Action] = []
    for past in saved where past.until <= now && past.claim != .settled {
      actions.append(.ask(.forget(past.signature.id)))
    }
    saved.removeAll { $0.until <= now }
    if let open, let until = open.orphanUntil, until <= now {
      self.open?.orphanUntil = nil
      actions.append(.ask(.cancel(open.number)))
    }
    for index in clients.indices {
      switch clients[index].conversation {
      case .describing(let until) where until <= now:
        actions.append(finish(index, Reply.result(info.members(state))))
      case .cancelling(_, let until) where until <= now:
        actions.append(finish(index, Reply.result([])))
      default: break
      }
    }
    return actions
  }

  /// A reply after which the next call may come.
  mutating func finish(_ index: Int, _ reply: [UInt8]) -> Action {
    clients[index].conversation = .ready
    return .send(clients[index].id, reply)
  }

  /// Asks for ink while somebody watches it.
  mutating func adjustInk() -> [Action] {
    let wanted = clients.contains { $0.conversation == .watching(strokes: true) }
    if wanted == watchesInk { return [] }
    watchesInk = wanted
    inkStart = nil
    return [.ask(.watchInk(wanted))]
  }
}
