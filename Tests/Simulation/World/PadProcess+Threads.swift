#if DEBUG
  import Ink
  import Linux
  import Spool
  import SyntheticHand

  @testable import Control
  @testable import Pad

  /// The save thread and the main thread.
  extension PadProcess {
    func beat() { running?.save.post(.heartbeat) }

    func saveTurn() throws {
      try run { running in
        taken = running.strokes
        running.work?.retry()
        let failures = disk.failures
        let messages = running.save.takeAll()
        _ = running.work?.perform(messages, hasInk: true)
        let told = running.main.takeAll()
        running.inbox += told
        for case .published(let signature, _) in told {
          publishedToken = signature.strokes.first?.token ?? 0
        }
        if disk.isKilled { return }
        // While a process is not killed, the journal has what is on the glass, until that is saved.
        journaled = token == publishedToken ? [] : running.strokes
        taken = nil
        for case .publish(let signature) in messages {
          let token = signature.strokes.first?.token ?? 0
          if token == publishedToken { continue }
          if disk.failures == failures {
            throw BrokenPromise("ink \(token) could not be saved, although nothing failed")
          }
          failedAt = disk.now
          if facts.isInSpool(token, disk) { facts.ambiguous.insert(token) }
        }
      }
    }

    func mainTurn() throws { try run { try handleMain($0, tellsRender: true) } }

    func handleMain(_ running: RunningPad, tellsRender: Bool) throws {
      let messages = running.inbox + running.main.takeAll()
      running.inbox = []
      for message in messages {
        switch message {
        case .told(let events): for event in events { try tell(event, running) }
        case .published(let signature, let request):
          try facts.acknowledge(signature, disk)
          for place in clients.indices {
            clients[place].saved(for: signature.reference, at: disk.now, boot: disk.boot)
          }
          try tell(.signed(request, signature), running)
          if tellsRender { running.render.post(.saved) }
        case .journalLost: hasJournal = false
        case .journalReturned: hasJournal = true
        case .settled: running.recovery.finish()
        default: break
        }
      }
    }

    private func tell(_ event: ControlEvent, _ running: RunningPad) throws {
      switch event {
      case .refused(let number, _), .cancelled(let number, _), .timedOut(let number),
        .messageGone(let number, _, _), .answered(let number, _), .signed(let number?, _):
        if let request = running.request, request.number == number {
          running.request = nil
          if request.kind == .signature { running.save.post(.recordRequest(nil)) }
        }
      case .state(.invited, let number?, let deadline):
        guard running.request?.number == number else { break }
        running.request?.deadline = deadline
        running.save.post(.recordRequest(running.request))
      default: break
      }
      try serve(running.control.event(event, at: disk.now), running)
    }

    func serve(_ actions: [ControlService.Action], _ running: RunningPad) throws {
      for action in actions {
        switch action {
        case .send(let client, let bytes): send(bytes, nil, to: client)
        case .deliver(let client, let reply, let awaited): send(reply.bytes, awaited, to: client)
        case .ask(.open(let request)):
          if let open = running.request {
            throw BrokenPromise("the requests \(open.number) and \(request.number) are both open")
          }
          running.request = request
          for client in clients where hasJournal {
            try client.checkOpen(request.reference, at: disk.now, boot: disk.boot)
          }
          running.render.post(.open(typeset(request)))
        case .ask(.cancel(let number)): running.render.post(.withdraw(number))
        case .ask(.forget(let id)): running.save.post(.forgetSigned(id))
        case .ask, .sendInk, .close: break
        }
      }
    }

    private func send(_ bytes: [UInt8], _ awaited: String?, to connection: Int) {
      for place in clients.indices where clients[place].connection == connection {
        clients[place].inbox.append((bytes, awaited))
      }
    }

    // MARK: - Programs

    /// A program connects and asks, reads, or goes.
    func clientStep(_ random: inout SeededRandom) throws {
      let place = Int.random(in: 0..<clients.count, using: &random)
      try run { running in
        let client = clients[place]
        if !client.isConnected {
          lastConnection += 1
          clients[place].connect(lastConnection)
          running.control.connected(lastConnection, isAllowed: true)
          try call(request(of: client, &random), place, running)
        } else if !client.inbox.isEmpty {
          try read(place, running)
        } else if Int.random(in: 0..<6, using: &random) == 0 {
          try leave(place, running)
        }
      }
    }

    /// A call of a program.
    private func request(of client: Client, _ random: inout SeededRandom) -> String {
      switch Int.random(in: 0..<16, using: &random) {
      case 0: return #"{"method":"org.paraph.Pad.Cancel","parameters":{}}"#
      case 1:
        return
          #"{"method":"org.paraph.Pad.Show","parameters":{"text":"m","time_limit":5,"button":true}}"#
      default:
        let timeout =
          Int.random(in: 0..<3, using: &random) == 0
          ? ",\"time_limit\":20,\"cancellable\":true" : ""
        return "{\"method\":\"org.paraph.Pad.Sign\",\"parameters\":{\"reference\":\""
          + "\(client.reference)\"\(timeout)}}"
      }
    }

    private func call(_ text: String, _ place: Int, _ running: RunningPad) throws {
      clients[place].signs = text.contains("Sign")
      try serve(
        running.control.message(Array(text.utf8), from: clients[place].connection, at: disk.now),
        running)
    }

    private func read(_ place: Int, _ running: RunningPad) throws {
      let (bytes, awaited) = clients[place].inbox.removeFirst()
      let text = String(decoding: bytes, as: UTF8.self)
      if let awaited {
        try facts.checkReply(awaited, for: clients[place].reference, disk)
        clients[place].hasRead()
        try serve(running.control.wasRead(awaited, by: clients[place].connection), running)
      } else if clients[place].signs, !text.contains("\"continues\":true") {
        clients[place].hasAnswer()
      }
      if clients[place].inbox.isEmpty { try leave(place, running) }
    }

    private func leave(_ place: Int, _ running: RunningPad) throws {
      let connection = clients[place].connection
      clients[place].disconnect()
      try serve(running.control.disconnected(connection, at: disk.now), running)
    }
  }
#endif
