internal import Client
public import Configuration
public import JSON

/// The daemon without sockets: requests and replies of the pad in, actions out.
///
///     client:  request ──refused, a page──▶ responded
///                 ├──────sign, show, …──▶ waits for the pad ──reply, disconnect──▶ gone
///                 └──────live───────────▶ reads events ─────too slow, disconnect─▶ gone
public struct WebService {
  /// The use of a call's reply.
  private enum Purpose {
    case info, cancel, show, ask, press
    /// Cancel at the pad what was cancelled here. The pad may not have it.
    case cancelled
    /// Cancel here what was cancelled at the pad.
    case cancelWithoutInk(reference: String?)
    case signature(Route.File?)

    /// Whether the pad replies when a person has acted, or a time limit has passed.
    var waitsForPerson: Bool {
      switch self {
      case .show, .ask: true
      case .info, .cancel, .press, .cancelled, .cancelWithoutInk, .signature: false
      }
    }
  }

  private struct Call {
    let number: Int
    let client: Int
    let purpose: Purpose
    /// When the pad must have replied; nil: it waits for a person.
    let end: Int64?

    func isOver(at now: Int64) -> Bool { end.map { $0 <= now } ?? false }
  }

  private let policy: AccessPolicy
  private let version: String
  private var requests = SignRequests()
  private var documents = DocumentUploads()
  private var live: LiveService
  private var calls: [Call] = []
  private var lastCall = 0
  /// The origins of the pages that wait for responses: they may read them.
  private var origins: [Int: String] = [:]
  /// The permissions of the clients that wait for responses.
  private var permissions: [Int: [Permission]] = [:]

  /// - Parameters:
  ///   - ports: The ports of loopback sockets.
  ///   - version: The program's version.
  ///   - firstEvent: The number of the first event, above those of earlier starts.
  public init(
    _ configuration: WebConfiguration, ports: [UInt16], version: String, firstEvent: Int64
  ) {
    policy = AccessPolicy(configuration, ports: ports)
    self.version = version
    live = LiveService(firstEvent: firstEvent)
  }

  /// When `time(_:)` must be called; nil: never.
  public var deadline: Int64? {
    let calls = calls.compactMap { $0.end }.min()
    return [requests.deadline, documents.deadline, live.deadline, calls].compactMap { $0 }.min()
  }

  /// Whether nothing is open, kept or watched.
  public var isIdle: Bool {
    requests.isEmpty && documents.isEmpty && calls.isEmpty && live.isEmpty
  }

  // MARK: - Clients

  /// Decides about the body of a request whose headers were received.
  public func reception(of request: WebRequest, length: Int) -> BodyReception {
    do throws(Problem) {
      try request.checkFraming()
      let origin = try policy.checkOrigin(request)
      let isUpload = (try? Route(request))?.isUpload == true
      let limit = isUpload ? WebLimits.page : WebLimits.body
      if length > limit { return .refused(finished(Problem.tooLarge(limit).response, origin)) }
      return isUpload ? .parts : .whole
    } catch { return .refused(finished(error.response, nil)) }
  }

  /// A client begins to upload a page. A refusal is its response as well, which it reads behind its body.
  public mutating func upload(
    _ request: WebRequest, from client: Int, at now: Int64
  ) -> [WebAction] {
    var origin: String?
    do throws(Problem) {
      origin = try policy.checkOrigin(request)
      let route = try Route(request)
      guard case .document(let id, let page) = route else { throw .notFound }
      _ = try policy.permissions(of: request, for: route.permissions)
      let isText = try RequestBody.isText(request)
      guard documents.hasRoom else { throw .tooManyConnections }
      origins[client] = origin
      return perform(
        documents.begin(
          page, of: id, isText: isText, owner: try policy.owner(of: request), by: client,
          connection: nextCall(), at: now))
    } catch {
      forget(client)
      return [.respond(client, finished(error.response, origin))]
    }
  }

  /// A part of an uploaded page has come, of at most `WebLimits.part` bytes.
  public mutating func part(
    _ bytes: [UInt8], isLast: Bool, from client: Int, at now: Int64
  ) -> [WebAction] {
    perform(documents.take(bytes, isLast: isLast, from: client, at: now))
  }

  /// A client has sent a request.
  public mutating func request(
    _ request: WebRequest, from client: Int, at now: Int64
  ) -> [WebAction] {
    var origin: String?
    do throws(Problem) {
      origin = try policy.checkOrigin(request)
      if request.method == "OPTIONS" {
        return [.respond(client, finished(try preflight(request), origin))]
      }
      let route = try Route(request)
      if case .page(let name) = route { return [.page(client, name, origin: origin)] }
      if request.body.count > WebLimits.body { throw .tooLarge(WebLimits.body) }
      permissions[client] = try policy.permissions(of: request, for: route.permissions)
      if case .metrics = route {
        forget(client)
        let accept = request.headers.filter { $0.name == "accept" }.map { $0.value }
        return [.metrics(client, MetricsFormat(accept: accept), origin: origin)]
      }
      origins[client] = origin
      return try answer(route, request, client, now).map { complete($0) }
    } catch {
      forget(client)
      return [.respond(client, finished(error.response, origin))]
    }
  }

  /// A client has disconnected, or is dropped, before its response was complete.
  public mutating func disconnected(_ client: Int, at now: Int64) -> [WebAction] {
    forget(client)
    documents.disconnected(client, at: now)
    var actions = perform(requests.disconnected(client, at: now))
    actions += perform(live.disconnected(client, at: now))
    for call in calls where call.client == client { actions.append(.hangUp(call.number)) }
    calls.removeAll { $0.client == client }
    return actions
  }

  /// Whether a client's response is kept until the client has received it.
  public func isKept(for client: Int) -> Bool { requests.isKept(for: client) }

  /// A client has received its whole response.
  public mutating func delivered(to client: Int, at now: Int64) -> [WebAction] {
    forget(client)
    requests.delivered(to: client)
    return perform(live.disconnected(client, at: now))
  }

  /// Reads the live stream for a client.
  public mutating func read(_ client: Int) -> StreamRead { live.read(client) }

  private mutating func forget(_ client: Int) {
    origins[client] = nil
    permissions[client] = nil
  }

  // MARK: - Requests

  private mutating func answer(
    _ route: Route, _ request: WebRequest, _ client: Int, _ now: Int64
  ) throws(Problem) -> [WebAction] {
    switch route {
    case .sign:
      var parameters = try RequestBody.parameters(request)
      // The pad trusts this member from this daemon, so that a client must not set it.
      if parameters.contains(where: { $0.0 == "token" }) {
        throw .malformed("token is not a parameter of clients")
      }
      if let name = try policy.tokenName(of: request) { parameters.append(("token", .text(name))) }
      let owner = try policy.owner(of: request)
      let key = RequestKey(parameters, owner: owner)
      guard requests.hasRoom(for: key) else { throw .tooManyConnections }
      let document = try documentConnection(of: parameters, owner)
      let number = document ?? nextCall()
      let actions = perform(requests.sign(parameters, key: key, by: client, call: number))
      // A resumed request has a connection of its own, and a refused one needs none.
      let isUnused = document != nil && !requests.has(call: number)
      return (isUnused ? [.hangUp(number)] : []) + actions
    case .cancel:
      let parameters = try RequestBody.parameters(request, allowsText: true)
      let reference = parameters.first { $0.0 == "reference" }?.1
      // Only the pad knows whether a request that waits for the pad's return has ink.
      let isWithoutInk = parameters.contains { $0.0 == "without_ink" && $0.1.flag == true }
      try checkCalls()
      if isWithoutInk {
        let purpose = Purpose.cancelWithoutInk(reference: reference?.text)
        return [try call("Cancel", parameters, for: purpose, client, at: now)]
      }
      if reference == nil || reference?.text != nil || reference?.isNull == true,
        let actions = requests.cancel(reference: reference?.text)
      {
        // The pad may have returned already, and have the request.
        return perform(actions)
          + [try call("Cancel", parameters, for: .cancelled, client, at: now)]
      }
      return [try call("Cancel", parameters, for: .cancel, client, at: now)]
    case .show:
      let parameters = try RequestBody.parameters(request)
      return [try call("Show", parameters, for: .show, client, at: now)]
    case .ask:
      let parameters = try RequestBody.parameters(request)
      return [try call("Ask", parameters, for: .ask, client, at: now)]
    case .press(let button):
      _ = try RequestBody.parameters(request, mayBeEmpty: true)
      let parameters = [("button", JSONValue.text(button.rawValue))]
      return [try call("Press", parameters, for: .press, client, at: now)]
    case .info: return [try call("GetInfo", [], for: .info, client, at: now)]
    case .signature(let id, let file):
      let formats = file.map { [JSONValue.text($0.rawValue)] } ?? []
      return [
        try call(
          "GetSignature", [("id", .text(id)), ("formats", .array(formats))],
          for: .signature(file), client, at: now)
      ]
    case .live:
      let mayMirror = permissions[client]?.contains(.mirror) == true
      let showsInk = mayMirror && request.argument("ink") != "no"
      let last = try request.header("last-event-id").flatMap { Int64($0) }
      guard live.hasRoom else { throw .tooManyConnections }
      var head = finished(WebResponse(200, "text/event-stream"), origins[client])
      // nginx would keep events back until its buffer is full.
      head.add("X-Accel-Buffering", "no")
      if request.method == "HEAD" { return [.stream(client, head.headers)] }
      return [.stream(client, head.headers)]
        + perform(live.connected(client, after: last, showsInk: showsInk, at: now))
    case .document, .page, .metrics: return []
    }
  }

  /// The connection over which the document was uploaded that a request names.
  private mutating func documentConnection(
    of parameters: [(String, JSONValue)], _ owner: Owner
  ) throws(Problem) -> Int? {
    guard let id = parameters.first(where: { $0.0 == "document" })?.1["id"]?.text else {
      return nil
    }
    return try documents.claim(id, owner: owner)
  }

  private func checkCalls() throws(Problem) {
    if calls.count >= WebLimits.calls { throw .tooManyConnections }
  }

  private mutating func call(
    _ method: String, _ parameters: [(String, JSONValue)], for purpose: Purpose, _ client: Int,
    at now: Int64
  ) throws(Problem) -> WebAction {
    try checkCalls()
    let number = nextCall()
    let end = purpose.waitsForPerson ? nil : now + WebLimits.answer
    calls.append(Call(number: number, client: client, purpose: purpose, end: end))
    return .call(number, method, parameters, more: false)
  }

  private mutating func nextCall() -> Int {
    // After 2³⁰ calls, the first numbers are free again. Integers of boards have 32 bits.
    lastCall = lastCall >= 1 << 30 ? 1 : lastCall + 1
    return lastCall
  }

  private func preflight(_ request: WebRequest) throws(Problem) -> WebResponse {
    guard try request.header("origin") != nil,
      try request.header("access-control-request-method") != nil
    else { throw .notAllowed("GET, HEAD, POST, PUT") }
    var response = WebResponse.noContent
    response.add("Access-Control-Allow-Methods", "GET, POST, PUT")
    response.add("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID")
    response.add("Access-Control-Max-Age", "600")
    return response
  }

  // MARK: - Replies of the pad

  /// The pad has accepted the connection of a call.
  public mutating func connected(_ call: Int, at now: Int64) { requests.reached(call, at: now) }

  /// The pad has sent a reply.
  public mutating func replied(
    _ number: Int, _ reply: JSONValue, continues: Bool, at now: Int64
  ) -> [WebAction] {
    if requests.has(call: number) {
      let isSaved = reply["state"]?.text == "saved"
      let actions = requests.replied(number, .json(reply), isSaved: isSaved, at: now)
      return [.hangUp(number)] + perform(actions).map { complete($0) }
    }
    if live.has(call: number) { return perform(live.replied(reply)) }
    if documents.has(connection: number) { return perform(documents.replied(number, at: now)) }
    guard let place = calls.firstIndex(where: { $0.number == number }) else {
      return [.hangUp(number)]
    }
    let call = calls.remove(at: place)
    let response = response(of: call, reply)
    var actions = [WebAction.hangUp(number), complete(.respond(call.client, response))]
    // A request that waits for the pad's return would ask the person again.
    if case .cancelWithoutInk(let reference) = call.purpose,
      let ended = requests.cancel(reference: reference)
    {
      actions += perform(ended).map { complete($0) }
    }
    return actions
  }

  /// The pad has replied with an error.
  public mutating func refused(
    _ number: Int, _ error: String, _ parameters: JSONValue, at now: Int64
  ) -> [WebAction] {
    if live.has(call: number) { return perform(live.refused(error, at: now)) }
    let problem = Problem(error: error, parameters)
    // A document stays: its client may upload the page again.
    if documents.has(connection: number) {
      return perform(documents.refused(number, problem, at: now))
    }
    return [.hangUp(number)] + end(number, problem)
  }

  /// A call has failed. `wasConnected`: the pad had accepted the connection.
  public mutating func failed(
    _ number: Int, _ reason: String, wasConnected: Bool, at now: Int64
  ) -> [WebAction] {
    if live.has(call: number) { return perform(live.failed(at: now)) }
    if requests.has(call: number) {
      let actions = requests.failed(number, reason, wasConnected: wasConnected, at: now)
      return perform(actions).map { complete($0) }
    }
    return end(number, .unreachable(reason))
  }

  /// The pad has sent something that is not a reply. Another call would be answered alike.
  public mutating func misread(_ number: Int, _ reason: String, at now: Int64) -> [WebAction] {
    if live.has(call: number) { return perform(live.failed(at: now)) }
    return end(number, .invalidReply(reason))
  }

  private mutating func end(_ number: Int, _ problem: Problem) -> [WebAction] {
    if documents.has(connection: number) { return perform(documents.failed(number, problem)) }
    if requests.has(call: number) {
      return perform(requests.refused(number, problem)).map { complete($0) }
    }
    guard let place = calls.firstIndex(where: { $0.number == number }) else { return [] }
    let call = calls.remove(at: place)
    if case .cancelled = call.purpose { return [complete(.respond(call.client, .noContent))] }
    return [complete(.respond(call.client, problem.response))]
  }

  private func response(of call: Call, _ reply: JSONValue) -> WebResponse {
    switch call.purpose {
    case .cancel, .cancelled, .cancelWithoutInk, .press: return .noContent
    case .show, .ask: return .json(reply)
    case .info:
      let permissions = permissions[call.client]
      // The pad says what this daemon may do; a pad of an older version says nothing.
      let (watch, press) = ("watch_strokes", "press_buttons")
      let web = JSONValue.object([
        ("version", .text(version)),
        ("mirror", .flag(permissions?.contains(.mirror) == true && reply[watch]?.flag != false)),
        ("press", .flag(permissions?.contains(.press) == true && reply[press]?.flag != false)),
      ])
      let members = (reply.members ?? []).filter { $0.name != watch && $0.name != press }
      return .json(.object(members.map { ($0.name, $0.value) } + [("web", web)]))
    case .signature(nil): return .json(reply["signature"] ?? .object([]))
    case .signature(let file?):
      guard let bytes = reply["signature"]?[file.rawValue]?.base64Bytes else {
        return Problem("Unavailable", 404, "the pad could not draw this file").response
      }
      return WebResponse(200, file.type, bytes)
    }
  }

  // MARK: - Time

  /// Handles what was due at `now`.
  public mutating func time(_ now: Int64) -> [WebAction] {
    var actions = perform(requests.time(now)).map { complete($0) }
    for call in calls.filter({ $0.isOver(at: now) }) {
      actions += [.hangUp(call.number)] + end(call.number, .unanswered)
    }
    return actions + perform(documents.time(now)) + perform(live.time(now))
  }

  // MARK: - Responses

  private func perform(_ actions: [SignRequests.Action]) -> [WebAction] {
    actions.map { action in
      switch action {
      case .respond(let client, let response): .respond(client, response)
      case .call(let number, let parameters): .call(number, "Sign", parameters, more: false)
      case .hangUp(let number): .hangUp(number)
      }
    }
  }

  private func perform(_ actions: [DocumentUploads.Action]) -> [WebAction] {
    actions.map { action in
      switch action {
      case .respond(let client, let response): complete(.respond(client, response))
      case .proceed(let client): .proceed(client)
      case .call(let number, let parameters): .call(number, "PutPage", parameters, more: false)
      case .hangUp(let number): .hangUp(number)
      }
    }
  }

  private mutating func perform(_ actions: [LiveService.Action]) -> [WebAction] {
    actions.map { action in
      switch action {
      case .wake(let client): return .wake(client)
      case .hangUp(let number): return .hangUp(number)
      case .log(let line): return .log(line)
      case .watch(let strokes):
        let number = nextCall()
        live.watching(by: number)
        return .call(number, "Watch", [("strokes", .flag(strokes))], more: true)
      }
    }
  }

  /// Adds the headers that the client's origin needs.
  private func complete(_ action: WebAction) -> WebAction {
    guard case .respond(let client, let response) = action else { return action }
    return .respond(client, finished(response, origins[client]))
  }

  private func finished(_ response: WebResponse, _ origin: String?) -> WebResponse {
    var response = response.shared(with: origin)
    response.add("Cache-Control", "no-store")
    return response
  }
}
