internal import JSON

extension ControlService {
  /// A connection that is ready has sent a message.
  public mutating func message(_ bytes: [UInt8], from client: Int, at now: Int64) -> [Action] {
    guard let index = clients.firstIndex(where: { $0.id == client }) else { return [] }
    let call: Call
    do throws(Call.Malformed) {
      call = try Call(bytes)
    } catch {
      return refuse(index, error.reason)
    }
    do throws(CallError) {
      return silenced(try answer(call, index, now), call)
    } catch {
      if error == .permissionDenied {
        clients[index].conversation = .closing
        let reply: [Action] = call.oneway ? [] : [.send(client, Reply.error(error))]
        return reply + [.close(client, reason: nil)]
      }
      return silenced([.send(client, Reply.error(error))], call)
    }
  }

  /// A connection has sent more than a message may have.
  public mutating func overlongMessage(from client: Int) -> [Action] {
    guard let index = clients.firstIndex(where: { $0.id == client }) else { return [] }
    return refuse(index, "longer than \(ControlLimits.message) bytes")
  }

  /// Answers what is no call, and closes its connection: nothing is known of what else it would send.
  private mutating func refuse(_ index: Int, _ reason: String) -> [Action] {
    clients[index].conversation = .closing
    let id = clients[index].id
    return [
      .send(id, Reply.error(.invalidMessage(reason))),
      .close(id, reason: "invalid message: \(reason)"),
    ]
  }

  /// Without the replies, if the client wants none.
  private func silenced(_ actions: [Action], _ call: Call) -> [Action] {
    guard call.oneway else { return actions }
    return actions.filter {
      switch $0 {
      case .send, .deliver: false
      case .close, .ask: true
      }
    }
  }

  private mutating func answer(
    _ call: Call, _ index: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    guard clients[index].isAllowed else { throw .permissionDenied }
    if call.upgrade { throw .invalidParameter("upgrade") }
    switch call.interface {
    case "org.varlink.service": return [.send(clients[index].id, try describe(call))]
    case "org.paraph.Pad": return try answerPad(call, index, now)
    default: throw .interfaceNotFound(call.interface)
    }
  }

  private func describe(_ call: Call) throws(CallError) -> [UInt8] {
    switch call.method {
    case "GetInfo":
      try call.parameters.allow([])
      return Reply.result([
        ("vendor", .text("Paraph")), ("product", .text("paraphd")),
        ("version", .text(info.version)), ("url", .text("")),
        ("interfaces", .array([.text("org.varlink.service"), .text("org.paraph.Pad")])),
      ])
    case "GetInterfaceDescription":
      try call.parameters.allow(["interface"])
      let name = try call.parameters.requiredText("interface", limit: 255)
      guard let text = InterfaceDescription.text(of: name) else { throw .interfaceNotFound(name) }
      return Reply.result([("description", .text(text))])
    default: throw .methodNotFound(call.method)
    }
  }

  private mutating func answerPad(
    _ call: Call, _ index: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    // What lasts is for somebody who listens.
    if call.oneway && call.method != "Cancel" { return [] }
    switch call.method {
    case "GetInfo": return try getInfo(call, index, now)
    case "Sign": return try sign(call, index, now)
    case "Cancel": return try cancel(call, index, now)
    case "Show": return try show(call, index)
    case "Watch": return try watch(call, index, now)
    case "GetSignature": return try getSignature(call, index)
    default: throw .methodNotFound(call.method)
    }
  }

  private mutating func getInfo(
    _ call: Call, _ index: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    try call.parameters.allow([])
    clients[index].conversation = .describing(until: now + ControlService.patience)
    return [.ask(.describe)]
  }

  private mutating func sign(
    _ call: Call, _ index: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    let wishes = call.parameters
    try wishes.allow([
      "reference", "title", "prompt", "language", "time_limit", "cancellable", "formats",
    ])
    let formats = try wishes.formats()
    var request = SignRequest(number: lastNumber + 1)
    request.reference = try wishes.reference()
    request.title = try wishes.text("title", limit: ControlLimits.text)
    request.prompt = try wishes.text("prompt", limit: ControlLimits.text)
    request.language = try wishes.language()
    request.timeLimit = try wishes.span("time_limit")
    request.cancellable = try wishes.flag("cancellable")
    if let open, open.isOrphan, open.reference != nil, open.reference == request.reference {
      self.open?.orphanUntil = nil
      clients[index].conversation = .signing(open.number, more: call.more, formats: formats)
      guard call.more else { return [] }
      return [.send(clients[index].id, Reply.result(stateMembers(at: now), continues: true))]
    }
    if let place = claim(request.reference, for: clients[index].id, now) {
      return [deliver(place, formats, [("state", .text("saved"))], to: clients[index].id)]
    }
    guard open == nil else { throw .busy }
    begin(request.number, request.reference)
    clients[index].conversation = .signing(request.number, more: call.more, formats: formats)
    return [.ask(.sign(request))]
  }

  /// What was signed for this reference, if no client has read it yet.
  private mutating func claim(_ reference: String?, for client: Int, _ now: Int64) -> Int? {
    guard let reference,
      let place = saved.firstIndex(where: {
        $0.claim != .settled && $0.signature.reference == reference
      })
    else { return nil }
    saved[place].claim = .sent(to: client)
    saved[place].until = now + ControlService.memory
    return place
  }

  /// A last reply with a signature, which counts as the client's when it has read it.
  mutating func deliver(
    _ place: Int, _ formats: [SignatureFormat], _ members: [(String, JSONValue)], to client: Int
  ) -> Action {
    let reply = SignatureReply(members, signature: saved[place].pieces(formats, draw))
    let id = saved[place].claim == .sent(to: client) ? saved[place].signature.id : nil
    return .deliver(client, reply, awaiting: id)
  }

  private mutating func show(_ call: Call, _ index: Int) throws(CallError) -> [Action] {
    let wishes = call.parameters
    try wishes.allow(["title", "text", "language", "time_limit", "button"])
    let text = try wishes.requiredText("text", limit: ControlLimits.text)
    var request = MessageRequest(
      number: lastNumber + 1, text: text,
      timeLimit: try wishes.span("time_limit") ?? 5_000_000_000)
    request.title = try wishes.text("title", limit: ControlLimits.text)
    request.language = try wishes.language()
    request.button = try wishes.flag("button")
    guard open == nil else { throw .busy }
    begin(request.number, nil)
    clients[index].conversation = .showing(request.number)
    return [.ask(.show(request))]
  }

  private mutating func begin(_ number: Int64, _ reference: String?) {
    lastNumber = number
    open = OpenRequest(number: number, reference: reference)
  }

  private mutating func cancel(
    _ call: Call, _ index: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    try call.parameters.allow(["reference"])
    let reference = try call.parameters.reference()
    guard let open, reference == nil || reference == open.reference else { throw .noRequest }
    if !call.oneway {
      let until = now + ControlService.patience
      clients[index].conversation = .cancelling(open.number, until: until)
    }
    return [.ask(.cancel(open.number))]
  }

  private mutating func watch(
    _ call: Call, _ index: Int, _ now: Int64
  ) throws(CallError) -> [Action] {
    try call.parameters.allow(["strokes"])
    let strokes = try call.parameters.flag("strokes")
    if strokes && !allowsStrokes { throw .strokesNotAllowed }
    if strokes && !call.more { throw .expectedMore }
    let reply = Reply.result(stateMembers(at: now), continues: call.more)
    guard call.more else { return [.send(clients[index].id, reply)] }
    let watchers = clients.filter { if case .watching = $0.conversation { true } else { false } }
    if watchers.count >= ControlService.watcherLimit { throw .busy }
    clients[index].conversation = .watching(strokes: strokes)
    return [.send(clients[index].id, reply)] + adjustInk()
  }

  private mutating func getSignature(_ call: Call, _ index: Int) throws(CallError) -> [Action] {
    try call.parameters.allow(["id", "formats"])
    let id = try call.parameters.requiredText("id", limit: 64)
    let formats = try call.parameters.formats()
    guard let place = saved.firstIndex(where: { $0.signature.id == id }) else {
      throw .noSuchSignature(id)
    }
    let reply = SignatureReply([], signature: saved[place].pieces(formats, draw))
    return [.deliver(clients[index].id, reply, awaiting: nil)]
  }

  /// The state as replies have it.
  func stateMembers(at now: Int64) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("state", .text(state.rawValue))]
    if let limit {
      members.append(("seconds_left", .real(Double(max(0, limit - now)) / 1_000_000_000)))
    }
    return members
  }
}
