internal import Ink
internal import JSON
public import Spool

/// The protocol between clients and the pad, without sockets: messages and events in, actions out.
///
///     client:  ready ──Sign───▶ signing ──signed, cancelled, timed out, refused──▶ ready
///                ├────Show───▶ showing ──message gone, refused──────────────────▶ ready
///                ├────Ask────▶ asking ──answered, cancelled, timed out, refused─▶ ready
///                ├────Cancel──▶ cancelling ──it is over or stays, two seconds───▶ ready
///                ├────Press───▶ pressing ──the session has decided──────────────▶ ready
///                ├────PutPage─▶ uploading ──the part is kept, or not────────────▶ ready
///                ├────Front───▶ switching ──in front, or not within two seconds──▶ ready
///                └────Watch──▶ watching                     (all of them) ──closed──▶ gone
///
/// The messages of a client that is not ready stay in its socket. At most one request is open. It stays open
/// after its client has gone until the pad reports its end.
public struct ControlService {
  /// An action of the server after an input.
  public enum Action: Equatable, Sendable {
    /// Send bytes to a client.
    case send(Int, [UInt8])
    /// Send a signature or a screenshot to a client. `awaiting`: its identity if `wasRead` must be called when the
    /// client has read the reply.
    case deliver(Int, SignatureReply, awaiting: String?)
    /// Send a client `nextInk`, as soon as all before is sent.
    case sendInk(Int)
    /// Close a connection when everything is sent. The reason is logged.
    case close(Int, reason: String?)
    /// Hand a request to the pad.
    case ask(ControlRequest)
  }

  /// How long a request restored after a crash waits for its client, in nanoseconds.
  static let orphanLimit: Int64 = 60_000_000_000
  /// How long a client waits for the end of the request that it cancels, in nanoseconds.
  static let cancelLimit: Int64 = 2_000_000_000
  /// The number of signatures that clients can get.
  public static let signatureLimit = SignatureCache.capacity
  /// The number of clients that may watch.
  static let watcherLimit = 16

  /// The reply to GetInfo, without the state.
  var info: PadInfo
  private let allowsStrokes: Bool
  private let allowsPresses: Bool
  private var clients = ClientTable()
  private var slot = RequestSlot()
  private var status: PadStatus {
    didSet {
      isUnsaved = status.state == .outOfService && (isUnsaved || oldValue.state == .confirming)
    }
  }
  /// Whether saving failed: a finished signature is on the glass until it can be saved.
  private var isUnsaved = false
  /// The request that the pad has reported last; nil: a state without one.
  private var reported: Int64?
  private var cache: SignatureCache
  private var screenshots = ScreenshotQueue()
  private var ink = InkStream()
  /// Nil: there was no panel yet.
  private var surface: PadSurface?

  /// - Parameters:
  ///   - allowsStrokes: Whether clients may watch ink.
  ///   - allowsPresses: Whether clients may press buttons.
  ///   - state: The state before the first event.
  ///   - draw: Draws a signature as SVG or InkML; nil if that fails.
  public init(
    info: PadInfo, allowsStrokes: Bool, allowsPresses: Bool = false, state: PadState = .idle,
    draw: @escaping (SavedSignature, SignatureFormat) -> [UInt8]?
  ) {
    self.info = info
    status = PadStatus(state)
    self.allowsStrokes = allowsStrokes
    self.allowsPresses = allowsPresses
    cache = SignatureCache(draw: draw)
  }

  /// Adds a request that was open when the pad crashed.
  public mutating func restore(
    _ request: PadRequest, in state: PadState = .invited, at now: Int64
  ) {
    status = PadStatus(state, deadline: state == .reading ? nil : request.deadline)
    reported = request.number
    slot.restore(request, until: now + ControlService.orphanLimit)
  }

  /// Sets the state of ink without a request that was on the glass when the pad crashed.
  public mutating func restore(_ state: PadState) { status = PadStatus(state) }

  /// Adds a signature whose client may not have read it when the pad crashed.
  public mutating func restore(_ signature: SavedSignature, at now: Int64) {
    cache.add(signature, sentTo: nil, isOpen: true, at: now)
  }

  /// The open request.
  var open: PadRequest? { slot.request }

  /// The signatures that clients can get, oldest first.
  var signatures: [SavedSignature] { cache.signatures }

  /// When `time(_:)` must be called (CLOCK_MONOTONIC); nil: never.
  public var deadline: Int64? {
    var deadlines = [cache.deadline, slot.orphanDeadline].compactMap { $0 }
    for place in clients.indices {
      if case .cancelling(_, let until, _) = clients[place].conversation { deadlines.append(until) }
    }
    return deadlines.min()
  }

  // MARK: - Connections

  /// The kind of event that the client waits for.
  func occupation(_ client: Int) -> ClientTable.Occupation { clients.occupation(client) }

  /// Whether the client's next message may be given to `message(_:from:at:)`.
  public func isReady(_ client: Int) -> Bool { clients.isReady(client) }

  /// Adds a client with an unused identity.
  ///
  /// - Parameters:
  ///   - requester: Who it is, for manifests; nil: unknown.
  ///   - namesTokens: Whether it is paraph-web, whose word about tokens is believed.
  public mutating func connected(
    _ client: Int, isAllowed: Bool, as requester: Requester? = nil, namesTokens: Bool = false
  ) {
    clients.add(
      .init(
        id: client, isAllowed: isAllowed, requester: requester, namesTokens: namesTokens))
  }

  /// Removes a client and cancels its request. The next request with the same reference gets the signature that it
  /// has not read.
  public mutating func disconnected(_ client: Int, at now: Int64) -> [Action] {
    cache.disconnected(client, at: now)
    screenshots.disconnected(client)
    guard let removed = clients.remove(client) else { return [] }
    let document: [Action] = removed.hasDocument ? [.ask(.discardDocument(client))] : []
    switch removed.conversation {
    case .signing(let number, _, _), .showing(let number), .asking(let number):
      return document + [.ask(.cancel(number))]
    case .watching: return document + (ink.remove(client) ? [.ask(.watchInk(false))] : [])
    case .ready, .cancelling, .capturing, .pressing, .switching, .uploading, .closing:
      return document
    }
  }

  /// Records that a client has read its reply with this signature, or with a screenshot.
  public mutating func wasRead(_ id: String, by client: Int) -> [Action] {
    if id == ScreenshotQueue.identity { screenshots.wasRead(by: client) }
    return cache.wasRead(id, by: client) ? [.ask(.forget(id))] : []
  }

  /// Handles what was due at `now`.
  public mutating func time(_ now: Int64) -> [Action] {
    var actions = cache.expire(at: now).map { Action.ask(.forget($0)) }
    if let orphan = slot.expire(at: now) { actions.append(.ask(.cancel(orphan.number))) }
    for place in clients.indices {
      guard case .cancelling(_, let until, let isWithoutInk) = clients[place].conversation,
        until <= now
      else { continue }
      // It is not known whether there is ink.
      actions.append(finish(place, isWithoutInk ? Reply.error(.noRequest) : Reply.result([])))
    }
    return actions
  }

  /// Sends a client its last reply of a call.
  private mutating func finish(_ place: Int, _ reply: [UInt8]) -> Action {
    clients[place].conversation = .ready
    return .send(clients[place].id, reply)
  }

  // MARK: - Calls

  /// Answers a message of a client that is ready.
  public mutating func message(_ bytes: [UInt8], from client: Int, at now: Int64) -> [Action] {
    guard let place = clients.place(of: client) else { return [] }
    let call: Call
    do throws(Call.Malformed) {
      call = try Call(bytes)
    } catch {
      return refuse(place, error.reason)
    }
    do throws(CallError) {
      return ControlService.silenced(try answer(call, place, now), call)
    } catch {
      if error == .permissionDenied {
        clients[place].conversation = .closing
        let reply: [Action] = call.oneway ? [] : [.send(client, Reply.error(error))]
        return reply + [.close(client, reason: nil)]
      }
      return ControlService.silenced([.send(client, Reply.error(error))], call)
    }
  }

  /// Answers a message that exceeds the limit.
  public mutating func overlongMessage(from client: Int) -> [Action] {
    guard let place = clients.place(of: client) else { return [] }
    return refuse(place, "message exceeds \(ControlLimits.message) bytes")
  }

  /// Answers a message that is not a call, and closes the connection.
  private mutating func refuse(_ place: Int, _ reason: String) -> [Action] {
    clients[place].conversation = .closing
    let id = clients[place].id
    return [
      .send(id, Reply.error(.invalidMessage(reason))),
      .close(id, reason: "invalid message: \(reason)"),
    ]
  }

  /// Removes the replies if the client wants none.
  private static func silenced(_ actions: [Action], _ call: Call) -> [Action] {
    guard call.oneway else { return actions }
    return actions.filter {
      switch $0 {
      case .send, .deliver, .sendInk: false
      case .close, .ask: true
      }
    }
  }

  private mutating func answer(
    _ call: Call, _ place: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    guard clients[place].isAllowed else { throw .permissionDenied }
    if call.upgrade { throw .invalidParameter("upgrade") }
    switch call.interface {
    case "org.varlink.service":
      let reply = try InterfaceDescription.answer(call, version: info.version)
      return [.send(clients[place].id, reply)]
    case "org.paraph.Pad": return try answerPad(call, place, now)
    default: throw .interfaceNotFound(call.interface)
    }
  }

  private mutating func answerPad(
    _ call: Call, _ place: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    // The other methods are useless without a reply.
    if call.oneway && call.method != "Cancel" { return [] }
    switch call.method {
    case "GetInfo":
      try call.parameters.allow([])
      let permissions: [(String, JSONValue)] = [
        ("watch_strokes", .flag(allowsStrokes)), ("press_buttons", .flag(allowsPresses)),
      ]
      let members = info.members(status.state, isUnsaved: isUnsaved)
      let reply = Reply.result(members + permissions)
      return [.send(clients[place].id, reply), .ask(.refreshDevices)]
    case "Sign": return try sign(call, place, now)
    case "Cancel": return try cancel(call, place, now)
    case "Show":
      let request = try call.parameters.message(number: slot.nextNumber)
      try slot.open(request)
      clients[place].conversation = .showing(request.number)
      return [.ask(.open(request))]
    case "Ask":
      let request = try call.parameters.question(number: slot.nextNumber)
      try slot.open(request)
      clients[place].conversation = .asking(request.number)
      return [.ask(.open(request))]
    case "PutPage":
      let part = try call.parameters.pagePart(of: clients[place].id)
      clients[place].conversation = .uploading
      clients[place].hasDocument = true
      return [.ask(.putPage(part))]
    case "Watch": return try watch(call, place, now)
    case "GetSignature": return try getSignature(call, place)
    case "Screenshot": return try screenshot(call, place)
    case "Press": return try press(call, place)
    case "Front", "Back":
      try call.parameters.allow([])
      clients[place].conversation = .switching
      let client = clients[place].id
      return [.ask(call.method == "Front" ? .bringToFront(client) : .sendToBack(client))]
    default: throw .methodNotFound(call.method)
    }
  }

  private mutating func sign(
    _ call: Call, _ place: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    let client = clients[place].id
    var request = try call.parameters.signature(number: slot.nextNumber, of: client)
    let token = try call.parameters.text("token", limit: Requester.nameLimit)
    request.requester = clients[place].requester
    // Any other client could take the name of another one's token.
    if clients[place].namesTokens { request.requester?.token = token }
    let formats = try call.parameters.formats()
    let document = request.document?.digest
    if let id = cache.claim(
      reference: request.reference, document: document, for: client, at: now),
      let reply = cache.reply([("state", .text("saved"))], id, formats)
    {
      // It answers a restored request with its reference: nobody signs twice.
      guard let answered = slot.adopt(reference: request.reference, document: document)
      else {
        return [.deliver(client, reply, awaiting: id)]
      }
      return [.deliver(client, reply, awaiting: id), .ask(.cancel(answered.number))]
    }
    if let orphan = slot.adopt(reference: request.reference, document: document) {
      clients[place].conversation = .signing(orphan.number, more: call.more, formats: formats)
      guard call.more else { return [] }
      return [.send(client, Reply.result(status.members(at: now), continues: true))]
    }
    try slot.open(request)
    clients[place].conversation = .signing(request.number, more: call.more, formats: formats)
    return [.ask(.open(request))]
  }

  private mutating func cancel(
    _ call: Call, _ place: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    try call.parameters.allow(["reference", "without_ink"])
    let reference = try call.parameters.reference()
    let isWithoutInk = try call.parameters.flag("without_ink")
    guard let open, reference == nil || reference == open.reference else { throw .noRequest }
    if !call.oneway {
      clients[place].conversation = .cancelling(
        open.number, until: now + ControlService.cancelLimit, isWithoutInk: isWithoutInk)
    }
    // Ink may begin at any moment: only the session can tell.
    let client = clients[place].id
    return [
      .ask(isWithoutInk ? .cancelWithoutInk(open.number, client: client) : .cancel(open.number))
    ]
  }

  private mutating func watch(
    _ call: Call, _ place: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    try call.parameters.allow(["strokes"])
    let strokes = try call.parameters.flag("strokes")
    if strokes && !allowsStrokes { throw .strokesNotAllowed }
    if strokes && !call.more { throw .expectedMore }
    let reply = Reply.result(status.members(at: now), continues: call.more)
    guard call.more else { return [.send(clients[place].id, reply)] }
    if clients.watchers.count >= ControlService.watcherLimit { throw .busy }
    clients[place].conversation = .watching
    guard strokes else { return [.send(clients[place].id, reply)] }
    let first = surface.map { status.members(at: now) + [("surface", $0.json)] }
    let client = clients[place].id
    return [
      .send(client, first.map { Reply.result($0, continues: true) } ?? reply),
      ink.add(client) ? .ask(.watchInk(true)) : .sendInk(client),
    ]
  }

  /// Records a new surface, and sends it and all ink to the clients that watch ink.
  mutating func show(_ surface: PadSurface, at now: Int64) -> [Action] {
    if surface == self.surface { return [] }
    self.surface = surface
    let members = status.members(at: now) + [("surface", surface.json)]
    let reply = Reply.result(members, continues: true)
    ink.restart()
    return ink.clients.map { .send($0, reply) } + ink.clients.map { .sendInk($0) }
  }

  /// Whether there is ink that a client has not received.
  func hasInk(for client: Int) -> Bool { ink.hasMore(for: client) }

  /// The next reply with ink for a client that has been sent all before; nil: there is none.
  mutating func nextInk(for client: Int, at now: Int64) -> [UInt8]? {
    ink.next(for: client).map {
      Reply.result(status.members(at: now) + [("ink", $0)], continues: true)
    }
  }

  private mutating func press(_ call: Call, _ place: Int) throws(CallError) -> [Action] {
    try call.parameters.allow(["button"])
    let button = try call.parameters.button()
    guard allowsPresses else { throw .pressNotAllowed }
    guard status.state == .signing else { throw .notEnabled }
    clients[place].conversation = .pressing
    return [.ask(.press(button, clients[place].id))]
  }

  /// Answers a client that has pressed a button.
  private mutating func pressed(_ client: Int, _ isPressed: Bool) -> [Action] {
    guard let place = clients.place(of: client), clients[place].conversation == .pressing else {
      return []
    }
    return [finish(place, isPressed ? Reply.result([]) : Reply.error(.notEnabled))]
  }

  /// Answers a client that has changed the foreground.
  private mutating func switched(_ client: Int, _ result: ControlEvent.Switch) -> [Action] {
    guard let place = clients.place(of: client), clients[place].conversation == .switching else {
      return []
    }
    let reply =
      switch result {
      case .done: Reply.result([])
      case .busy: Reply.error(.busy)
      case .notShared: Reply.error(.notShared)
      case .outOfService(let reason): Reply.error(.outOfService(reason))
      }
    return [finish(place, reply)]
  }

  private mutating func getSignature(_ call: Call, _ place: Int) throws(CallError) -> [Action] {
    try call.parameters.allow(["id", "formats"])
    let id = try call.parameters.requiredText("id", limit: 64)
    let formats = try call.parameters.formats()
    guard let reply = cache.reply([], id, formats) else { throw .noSuchSignature(id) }
    return [.deliver(clients[place].id, reply, awaiting: nil)]
  }

  private mutating func screenshot(_ call: Call, _ place: Int) throws(CallError) -> [Action] {
    try call.parameters.allow([])
    guard let isDue = screenshots.add(clients[place].id) else { throw .busy }
    clients[place].conversation = .capturing
    return isDue ? [takeScreenshot] : []
  }

  private var takeScreenshot: Action { .ask(.takeScreenshot(allowsInk: allowsStrokes)) }

  /// Sends a screenshot to the clients that asked before it was taken, and takes another one for the others.
  private mutating func taken(_ screenshot: ControlEvent.Screenshot) -> [Action] {
    let actions = screenshots.taken(screenshot).compactMap { answer -> Action? in
      guard let place = clients.place(of: answer.client) else { return nil }
      clients[place].conversation = .ready
      return answer.action
    }
    return screenshots.isTaking ? actions + [takeScreenshot] : actions
  }

  // MARK: - Events

  /// Handles an event of the pad.
  public mutating func event(_ event: ControlEvent, at now: Int64) -> [Action] {
    switch event {
    case .state(let state, let request, let deadline):
      return changed(to: PadStatus(state, deadline: deadline), request: request, now)
    case .reading(let number, let page, _):
      // Each touch renews the deadline.
      let status = PadStatus(.reading, page: page)
      return changed(to: status, request: number, now)
    case .pagePut(let client, let problem):
      guard let place = clients.place(of: client), clients[place].conversation == .uploading else {
        return []
      }
      return [finish(place, problem.map { Reply.error(.badDocument($0)) } ?? Reply.result([]))]
    case .refused(let number, let refusal):
      let error: CallError =
        switch refusal {
        case .busy: .busy
        case .outOfService(let reason): .outOfService(reason)
        case .tooLong(let name, let limit): .tooLong(name, limit: limit)
        case .badDocument(let problem): .badDocument(problem)
        }
      return close(number, reply: Reply.error(error))
    case .unavailable(let number, let reason):
      guard let owner = clients.owner(of: number) else { return [] }
      slot.orphan(number, until: now + ControlService.orphanLimit)
      return [finish(owner, Reply.error(.outOfService(reason)))]
    case .signed(let number, let signature): return signed(number, signature, now)
    case .cancelled(let number, let by):
      return ended(number, .cancelled, [("cancelled_by", .text(by.rawValue))], now)
    case .inkStays(let number, let client):
      guard let place = clients.place(of: client),
        case .cancelling(number, _, isWithoutInk: true) = clients[place].conversation
      else { return [] }
      return [finish(place, Reply.error(.noRequest))]
    case .timedOut(let number): return ended(number, .timedOut, [], now)
    case .messageGone(let number, let acknowledged, let canceller):
      var members = [("acknowledged", JSONValue.flag(acknowledged))]
      if let canceller { members.append(("cancelled_by", .text(canceller.rawValue))) }
      return close(number, reply: Reply.result(members))
    case .answered(let number, let choice):
      let members = [("outcome", JSONValue.text("answered")), ("choice", .integer(choice))]
      return close(number, reply: Reply.result(members))
    case .ink(let steps):
      ink.draw(steps)
      return ink.clients.map { .sendInk($0) }
    case .pressed(let client, let isPressed): return pressed(client, isPressed)
    case .screenshot(let screenshot): return taken(screenshot)
    case .foreground(let client, let result): return switched(client, result)
    }
  }

  private mutating func changed(
    to status: PadStatus, request: Int64?, _ now: Int64
  ) -> [Action] {
    self.status = status
    reported = request
    let reply = Reply.result(status.members(at: now), continues: true)
    return (clients.followers(of: request) + clients.watchers).map { .send($0, reply) }
  }

  private func notifyWatchers(_ now: Int64) -> [Action] {
    let reply = Reply.result(status.members(at: now), continues: true)
    return clients.watchers.map { .send($0, reply) }
  }

  /// Ends a request: replies to its client, and to the clients that have cancelled it.
  private mutating func close(_ number: Int64, reply: [UInt8]) -> [Action] {
    let first = clients.owner(of: number).map { [finish($0, reply)] } ?? []
    return first + close(number)
  }

  private mutating func close(_ number: Int64, isSigned: Bool = false) -> [Action] {
    slot.close(number)
    var actions: [Action] = []
    for place in clients.indices {
      guard case .cancelling(number, _, let isWithoutInk) = clients[place].conversation else {
        continue
      }
      // The person may have pressed Done before the session could tell that there is ink.
      let hasInk = isSigned && isWithoutInk
      actions.append(finish(place, hasInk ? Reply.error(.noRequest) : Reply.result([])))
    }
    return actions
  }

  private mutating func signed(
    _ number: Int64?, _ signature: SavedSignature, _ now: Int64
  ) -> [Action] {
    let place = number.flatMap { clients.owner(of: $0) }
    let isOpen = slot.mayBeAskedAgain(number)
    let client = place.map { clients[$0].id }
    cache.add(signature, sentTo: client, isOpen: isOpen, at: now)
    status = PadStatus(.saved)
    let others = notifyWatchers(now) + (number.map { close($0, isSigned: true) } ?? [])
    guard let place, let client,
      case .signing(_, _, let formats) = clients[place].conversation,
      let reply = cache.reply(status.members(at: now), signature.id, formats)
    else { return isOpen ? others : others + [.ask(.forget(signature.id))] }
    clients[place].conversation = .ready
    return [.deliver(client, reply, awaiting: signature.id)] + others
  }

  /// Ends a request without a signature or an answer.
  private mutating func ended(
    _ number: Int64, _ state: PadState, _ members: [(String, JSONValue)], _ now: Int64
  ) -> [Action] {
    let end = PadStatus(state)
    let first =
      clients.isAsking(number) ? [("outcome", .text(state.rawValue))] : end.members(at: now)
    let reply = Reply.result(first + members)
    // The state is that of what the pad shows, which this request never was.
    guard number == reported else { return close(number, reply: reply) }
    status = end
    let watchers = notifyWatchers(now)
    return close(number, reply: reply) + watchers
  }
}
