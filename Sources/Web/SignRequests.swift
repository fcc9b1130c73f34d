internal import JSON

/// The requests for signatures, and the clients that wait for them.
///
///                  ┌── pad gone (with a reference) ──▶ reconnecting ──60 s──▶ 503
///                  │◀───────────── 0.5 s ──────────────────┘
///     sign ──▶ waiting ──saved──▶ ended ──received, or 60 s──▶ gone
///                  │  ▲              ▲
///     disconnected │  │ same         │ same key
///                  ▼  │ key          │
///              without a client ─────┘ saved
///                  └──5 s──▶ cancelled
///
/// The key is the reference, the document and the client. With the same reference but another document or client, a kept
/// signature is not handed over, and an open request is busy: a pad that restarts knows no clients, and could hand the
/// request of one over to the other.
///
/// Only a signature is kept until a client has it. Another end is told to the client that waits, and forgotten: to ask
/// again with the same key is a new request then. A request without a reference cannot be repeated: it is cancelled
/// when its client disconnects.
struct SignRequests {
  /// An action of the service after an input.
  enum Action {
    case respond(Int, WebResponse)
    /// Call Sign.
    case call(Int, [(String, JSONValue)])
    /// Close the connection of a call, which cancels its request.
    case hangUp(Int)
  }

  private enum Phase {
    /// The pad has been called.
    case waiting
    /// The pad has ended; it is called again at `next`.
    case reconnecting(next: Int64, until: Int64)
    /// The signature is kept until a client has it.
    case ended(WebResponse, until: Int64)
  }

  private struct Request {
    /// Its call.
    let number: Int
    /// Identifies a repetition of the request; nil: it has no reference.
    let key: RequestKey?
    let parameters: [(String, JSONValue)]
    /// The client that waits, or that receives the result.
    var client: Int?
    var phase = Phase.waiting
    /// When it is cancelled, because its client has disconnected.
    var graceEnd: Int64?
    /// When the pad came back, and until when it would have been awaited.
    var lastReturn: (time: Int64, until: Int64)?

    var hasEnded: Bool {
      if case .ended = phase { return true }
      return false
    }
  }

  /// The number of results kept.
  static let resultLimit = 4

  private var requests: [Request] = []

  /// When `time(_:)` must be called; nil: never.
  var deadline: Int64? {
    requests.flatMap { request -> [Int64] in
      let grace = request.graceEnd.map { [$0] } ?? []
      switch request.phase {
      case .waiting: return grace
      case .reconnecting(let next, let until): return grace + [min(next, until)]
      case .ended(_, let until): return [until]
      }
    }.min()
  }

  /// Whether nothing is open or kept.
  var isEmpty: Bool { requests.isEmpty }

  /// Whether a call belongs to a request.
  func has(call: Int) -> Bool { requests.contains { $0.number == call } }

  /// Whether a request with this key is known, or another one may be opened.
  func hasRoom(for key: RequestKey?) -> Bool {
    place(of: key) != nil || requests.count { !$0.hasEnded } < WebLimits.calls
  }

  /// Opens a request, or takes over the one with the same key. Refuses one with the reference of another open request.
  ///
  /// - Parameter call: The number for a new call.
  mutating func sign(
    _ parameters: [(String, JSONValue)], key: RequestKey?, by client: Int, call: Int
  ) -> [Action] {
    guard let place = place(of: key) else {
      if let key, requests.contains(where: { !$0.hasEnded && $0.key?.reference == key.reference }) {
        return [.respond(client, Problem.busy.response)]
      }
      requests.append(Request(number: call, key: key, parameters: parameters, client: client))
      return [.call(call, parameters)]
    }
    let former = requests[place].client
    requests[place].client = client
    requests[place].graceEnd = nil
    if case .ended(let response, _) = requests[place].phase { return [.respond(client, response)] }
    // A page may be loaded again before the server notices the end of its previous connection.
    return former.map { [.respond($0, SignRequests.superseded)] } ?? []
  }

  private func place(of key: RequestKey?) -> Int? {
    key.flatMap { key in requests.firstIndex { $0.key == key } }
  }

  private static var superseded: WebResponse {
    Problem("Superseded", 409, "another client has taken over the request by its reference")
      .response
  }

  /// A client has disconnected.
  mutating func disconnected(_ client: Int, at now: Int64) -> [Action] {
    guard let place = requests.firstIndex(where: { $0.client == client }) else { return [] }
    requests[place].client = nil
    if requests[place].hasEnded { return [] }
    guard requests[place].key == nil else {
      requests[place].graceEnd = now + WebLimits.grace
      return []
    }
    return [.hangUp(requests.remove(at: place).number)]
  }

  /// Whether a client's response is a signature that is kept until the client has it.
  func isKept(for client: Int) -> Bool { requests.contains { $0.client == client && $0.hasEnded } }

  /// A client has received its response.
  mutating func delivered(to client: Int) { requests.removeAll { $0.client == client } }

  /// The place of a request that has not ended. The pad may close the connection behind its last reply.
  private func place(ofOpen call: Int) -> Int? {
    requests.firstIndex { $0.number == call && !$0.hasEnded }
  }

  /// The pad has replied to a call.
  mutating func replied(
    _ call: Int, _ response: WebResponse, isSaved: Bool, at now: Int64
  ) -> [Action] {
    guard let place = place(ofOpen: call) else { return [] }
    let client = requests[place].client
    if isSaved && requests[place].key != nil {
      requests[place].graceEnd = nil
      requests[place].phase = .ended(response, until: now + WebLimits.retention)
      trim()
    } else {
      requests.remove(at: place)
    }
    return client.map { [.respond($0, response)] } ?? []
  }

  /// The pad has refused a call.
  mutating func refused(_ call: Int, _ problem: Problem) -> [Action] {
    guard let place = place(ofOpen: call) else { return [] }
    let request = requests.remove(at: place)
    return request.client.map { [.respond($0, problem.response)] } ?? []
  }

  /// The connection of a call has failed.
  ///
  /// - Parameter wasConnected: Whether the pad had accepted the connection: it has ended, and may come back.
  mutating func failed(
    _ call: Int, _ reason: String, wasConnected: Bool, at now: Int64
  ) -> [Action] {
    guard let place = place(ofOpen: call) else { return [] }
    let next = now + WebLimits.retry
    if case .reconnecting(_, let until) = requests[place].phase {
      requests[place].phase = .reconnecting(next: next, until: until)
      return []
    }
    guard requests[place].key != nil, wasConnected else {
      return refused(call, .unreachable(reason))
    }
    var until = now + WebLimits.retention
    // A pad that ends soon after each return, perhaps because of this request, is not called for ever.
    if let last = requests[place].lastReturn, now - last.time < WebLimits.stability {
      until = last.until
    }
    if until <= now { return refused(call, .unreachable("it does not stay")) }
    requests[place].phase = .reconnecting(next: next, until: until)
    return []
  }

  /// The pad has accepted the connection of a call that was made again.
  mutating func reached(_ call: Int, at now: Int64) {
    guard let place = requests.firstIndex(where: { $0.number == call }),
      case .reconnecting(_, let until) = requests[place].phase
    else { return }
    requests[place].lastReturn = (now, until)
    requests[place].phase = .waiting
  }

  /// Cancels a request that waits for the pad's return. Returns nil if there is none: the pad must be asked.
  mutating func cancel(reference: String?) -> [Action]? {
    let found = requests.firstIndex { request in
      guard case .reconnecting = request.phase else { return false }
      return reference == nil || request.key?.reference == reference
    }
    guard let found else { return nil }
    let request = requests.remove(at: found)
    let response = WebResponse.json(
      .object([("state", .text("cancelled")), ("cancelled_by", .text("program"))]))
    return [.hangUp(request.number)]
      + (request.client.map { [.respond($0, response)] } ?? [])
  }

  /// Handles what was due at `now`.
  mutating func time(_ now: Int64) -> [Action] {
    var actions: [Action] = []
    for request in requests {
      if let end = request.graceEnd, end <= now {
        actions.append(.hangUp(request.number))
        requests.removeAll { $0.number == request.number }
        continue
      }
      switch request.phase {
      case .waiting: break
      case .ended(_, let until):
        if until <= now { requests.removeAll { $0.number == request.number } }
      case .reconnecting(let next, let until):
        if until <= now {
          actions += refused(request.number, .unreachable("it has not come back"))
        } else if next <= now {
          actions.append(again(request, until, now))
        }
      }
    }
    return actions
  }

  /// Calls the pad again. The time is set as if that failed, until it is known.
  private mutating func again(_ request: Request, _ until: Int64, _ now: Int64) -> Action {
    if let place = requests.firstIndex(where: { $0.number == request.number }) {
      requests[place].phase = .reconnecting(next: now + WebLimits.retry, until: until)
    }
    return .call(request.number, request.parameters)
  }

  /// Discards the oldest results beyond the limit.
  private mutating func trim() {
    func isResult(_ request: Request) -> Bool { request.hasEnded && request.client == nil }
    while requests.filter({ isResult($0) }).count > SignRequests.resultLimit {
      guard let oldest = requests.firstIndex(where: { isResult($0) }) else { return }
      requests.remove(at: oldest)
    }
  }
}
