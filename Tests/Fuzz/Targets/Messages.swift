#if DEBUG
  import Configuration
  import Ink
  import JSON
  import Seal
  import Web

  @testable import Control
  @testable import Handoff

  /// Messages of programs and servers.
  extension FuzzTarget {
    static let messages = [
      FuzzTarget(name: "framing", run: framing),
      FuzzTarget(name: "calls", run: calls),
      FuzzTarget(name: "seal", run: seal),
      FuzzTarget(name: "http", run: http),
      FuzzTarget(name: "web", run: web),
    ]

    /// A stream of Varlink messages is split in the same places, in whatever parts it comes.
    @Sendable private static func framing(_ bytes: [UInt8]) -> String? {
      guard let size = bytes.first else { return nil }
      let stream = bytes.dropFirst()
      var buffer = MessageBuffer()
      var messages: [[UInt8]] = []
      var start = stream.startIndex
      while start < stream.endIndex {
        let end = min(stream.endIndex, start + Int(size) + 1)
        buffer.append(stream[start..<end])
        while let message = buffer.next() { messages.append(message) }
        start = end
      }
      let whole = stream.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      if messages != whole.map({ Array($0) }) {
        return "\(messages.count) of \(whole.count) messages"
      }
      for message in messages { _ = try? Call(message) }
      return nil
    }

    /// Three clients call and leave, and the pad answers: each reply is a whole JSON object.
    @Sendable private static func calls(_ bytes: [UInt8]) -> String? {
      var service = ControlService(
        info: PadInfo(device: "Locker 17", version: "1.2"), allowsStrokes: true,
        allowsPresses: true,
        draw: { _, _ in nil })
      for client in 1...3 { service.connected(client, isAllowed: client > 1) }
      var now: Int64 = 0
      var last: Int64 = 0
      for message in bytes.split(separator: 0) {
        now += 10_000_000
        guard let choice = message.first else { continue }
        let client = 1 + Int(choice % 3)
        let actions: [ControlService.Action]
        switch choice {
        case 1...9:
          let events: [ControlEvent] = [
            .state(.signing, request: last, deadline: nil), .refused(last, .busy),
            .signed(last, signature(last)), .cancelled(last, by: .person), .timedOut(last),
            .messageGone(last, acknowledged: true), .answered(last, choice: 0),
            .pagePut(client, nil),
            .signed(nil, signature(last)),
          ]
          actions = service.event(events[Int(choice) - 1], at: now)
        case 10: actions = service.time(now + 60_000_000_000)
        case 11:
          actions = service.disconnected(client, at: now)
          service.connected(client, isAllowed: client > 1)
        case UInt8(ascii: "{"):
          let client = 1 + message.count % 3
          if !service.isReady(client) { continue }
          actions = service.message(Array(message), from: client, at: now)
        default:
          if !service.isReady(client) { continue }
          actions = service.message(Array(message.dropFirst()), from: client, at: now)
        }
        for action in actions {
          switch action {
          case .send(_, let reply):
            if let fault = fault(of: reply) { return fault }
          case .deliver(_, let reply, let awaited):
            if let fault = fault(of: reply.bytes) { return fault }
            if let awaited { _ = service.wasRead(awaited, by: client) }
          case .ask(let request):
            switch request {
            case .open(let request): last = request.number
            default: break
            }
          case .sendInk(let client): _ = service.nextInk(for: client, at: now)
          case .close: break
          }
        }
      }
      return nil
    }

    private static func signature(_ number: Int64) -> SavedSignature {
      SavedSignature(
        id: "0190-\(number)", digest: "ab12", time: 1_795_255_200_000_000_000, reference: "4711",
        width: 300, height: 100, dpi: 300, png: [1, 2, 3], glass: Point(154, 86), strokes: [])
    }

    private static func fault(of reply: [UInt8]) -> String? {
      guard reply.last == 0, !reply.dropLast().contains(0) else { return "a reply is no message" }
      let value = try? JSONValue.parse(
        Array(reply.dropLast()), limits: .init(size: 8 << 20, depth: 16))
      return value?.isObject == true ? nil : "a reply is no object"
    }

    /// What is parsed is written as it was.
    @Sendable private static func seal(_ bytes: [UInt8]) -> String? {
      _ = SealFrame.contentSize(head: bytes)
      let content = SealFrame.content(of: bytes) ?? bytes
      if let request = SealRequest(content: content) {
        guard let frame = request.bytes, let again = SealFrame.content(of: frame) else {
          return "a request cannot be written"
        }
        if SealRequest(content: again) != request { return "another request is written" }
      }
      if let reply = SealReply(content: content) {
        if case .failed(let reason) = reply, !reason.isEmpty, !reason.isOneLine {
          return "a reason is no line"
        }
      }
      _ = CertificateText.flaw(content)
      _ = SealedForm.matches(content)
      _ = SealedForm.isAuthenticated(content)
      return nil
    }

    /// A server's response, or something else.
    @Sendable private static func http(_ bytes: [UInt8]) -> String? {
      guard let server = FuzzServer.shared, let cancellation = server.cancellation else {
        return "no server"
      }
      server.answer(bytes)
      let options = HTTPRequest.Options(tls: .init(), timeLimit: 2_000_000_000)
      let request = HTTPRequest(
        url: "http://127.0.0.1:\(server.port)/", method: "PUT", body: [1, 2, 3])
      do throws(HTTPError) {
        let reply = try server.client.perform(request, options, cancellation)
        if let delay = reply.retryAfter, delay <= 0 || delay > 604_800_000_000_000 {
          return "retry after \(delay)"
        }
        if reply.body.count > 4096 { return "a body of \(reply.body.count) bytes" }
        if let line = reply.firstLine(without: ["secret"]), !line.isEmpty {
          if !line.isOneLine { return "the first line is no line" }
          if line.utf8.count > 120 { return "the first line has \(line.utf8.count) bytes" }
        }
      } catch { return error.text.isOneLine ? nil : "the reason is no line: \(error.text)" }
      return nil
    }

    /// Requests, parts of pages, replies of the pad and ends in any order: a client has at most one response.
    @Sendable private static func web(_ bytes: [UInt8]) -> String? {
      guard
        let configuration = try? WebConfiguration(
          "[web]\nmirror = yes\npress = yes\norigins = https://shop.example\n", file: "w.conf")
      else { return "no configuration" }
      var service = WebService(configuration, ports: [8420], version: "1.2.3", firstEvent: 1)
      var history = WebHistory()
      for line in bytes.split(separator: 0) {
        if let fault = history.step(FuzzBytes(Array(line)), &service) { return fault }
      }
      return history.end(&service)
    }
  }
#endif
