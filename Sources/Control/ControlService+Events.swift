internal import Ink
internal import JSON

extension ControlService {
  /// The pad has something to tell.
  public mutating func event(_ event: ControlEvent, at now: Int64) -> [Action] {
    switch event {
    case .state(let state, let request, let limit):
      return changed(to: state, request: request, limit: limit, now)
    case .refused(let number, let refusal): return refused(number, refusal)
    case .signed(let number, let signature): return signed(number, signature, now)
    case .cancelled(let number, let by):
      return over(number, .cancelled, [("cancelled_by", .text(by.rawValue))], now)
    case .timedOut(let number): return over(number, .timedOut, [], now)
    case .messageGone(let number, let acknowledged): return messageGone(number, acknowledged)
    case .info(let info): return told(info)
    case .ink(let steps): return drawn(steps, now)
    }
  }

  private mutating func changed(
    to state: PadState, request: Int64?, limit: Int64?, _ now: Int64
  ) -> [Action] {
    self.state = state
    self.limit = limit
    let reply = Reply.result(stateMembers(at: now), continues: true)
    var actions: [Action] = []
    for client in clients {
      if case .signing(let number, more: true, _) = client.conversation, number == request {
        actions.append(.send(client.id, reply))
      }
    }
    return actions + tellWatchers(reply)
  }

  private func tellWatchers(_ reply: [UInt8]) -> [Action] {
    clients.compactMap { client in
      if case .watching = client.conversation { .send(client.id, reply) } else { nil }
    }
  }

  /// The connection whose request this is, unless it has gone.
  private func owner(of number: Int64) -> Int? {
    clients.firstIndex { client in
      switch client.conversation {
      case .signing(number, _, _), .showing(number): true
      default: false
      }
    }
  }

  /// Replies to the clients that have cancelled the request.
  private mutating func close(_ number: Int64) -> [Action] {
    if open?.number == number { open = nil }
    var actions: [Action] = []
    for index in clients.indices {
      if case .cancelling(number, _) = clients[index].conversation {
        actions.append(finish(index, Reply.result([])))
      }
    }
    return actions
  }

  private mutating func refused(_ number: Int64, _ refusal: ControlEvent.Refusal) -> [Action] {
    let others = close(number)
    guard let index = owner(of: number) else { return others }
    let error: CallError =
      switch refusal {
      case .busy: .busy
      case .outOfService(let reason): .outOfService(reason)
      case .tooLong(let name, let limit): .tooLong(name, limit: limit)
      }
    return [finish(index, Reply.error(error))] + others
  }

  private mutating func signed(
    _ number: Int64?, _ signature: SavedSignature, _ now: Int64
  ) -> [Action] {
    inkStart = nil
    let index = number.flatMap { owner(of: $0) }
    // A client that has gone while this was saved can ask again, if its request has a reference.
    let isOpen = open.map { $0.number == number && ($0.isOrphan || $0.reference != nil) } ?? false
    let claim: RememberedSignature.Claim =
      if let index { .sent(to: clients[index].id) } else if isOpen { .open } else { .settled }
    let place = remember(signature, claim, at: now)
    let others = ended(number, .saved, now)
    guard let index, case .signing(_, _, let formats) = clients[index].conversation else {
      return claim == .settled ? others + [.ask(.forget(signature.id))] : others
    }
    clients[index].conversation = .ready
    return [deliver(place, formats, stateMembers(at: now), to: clients[index].id)] + others
  }

  /// The last reply of a request that ended without a signature.
  private mutating func over(
    _ number: Int64, _ state: PadState, _ members: [(String, JSONValue)], _ now: Int64
  ) -> [Action] {
    let others = ended(number, state, now)
    guard let index = owner(of: number) else { return others }
    return [finish(index, Reply.result(stateMembers(at: now) + members))] + others
  }

  /// A request is over; what watchers are told.
  private mutating func ended(_ number: Int64?, _ state: PadState, _ now: Int64) -> [Action] {
    self.state = state
    limit = nil
    let others = number.map { close($0) } ?? []
    return tellWatchers(Reply.result(stateMembers(at: now), continues: true)) + others
  }

  private mutating func messageGone(_ number: Int64, _ acknowledged: Bool) -> [Action] {
    let others = close(number)
    guard let index = owner(of: number) else { return others }
    return [finish(index, Reply.result([("acknowledged", .flag(acknowledged))]))] + others
  }

  private mutating func told(_ info: PadInfo) -> [Action] {
    self.info = info
    var actions: [Action] = []
    for index in clients.indices {
      if case .describing = clients[index].conversation {
        actions.append(finish(index, Reply.result(info.members(state))))
      }
    }
    return actions
  }

  private mutating func drawn(_ steps: [ControlEvent.InkStep], _ now: Int64) -> [Action] {
    var values: [JSONValue] = []
    for step in steps {
      switch step {
      case .begins(let sample), .goesOn(let sample), .goesOnAfterGap(let sample):
        inkStart = inkStart ?? sample.time
      case .wiped: inkStart = nil
      case .ends, .undone: break
      }
      values.append(step.value(since: inkStart ?? 0))
    }
    let members = stateMembers(at: now) + [("ink", .array(values))]
    let reply = Reply.result(members, continues: true)
    return clients.compactMap { client in
      client.conversation == .watching(strokes: true) ? .send(client.id, reply) : nil
    }
  }
}
