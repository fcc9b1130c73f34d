#if DEBUG
  import JSON
  import Web

  /// Clients of paraph-web and its pad, whose steps are read from bytes.
  struct WebHistory {
    private var now: Int64 = 0
    /// The clients whose response is awaited.
    private var waiting: Set<Int> = []
    private var calls: Set<Int> = []
    private var lastClient = 0

    /// A step: a kind, and its text. Returns what is wrong.
    mutating func step(_ bytes: FuzzBytes, _ service: inout WebService) -> String? {
      var bytes = bytes
      now += 50_000_000
      let kind = bytes.byte()
      switch kind & 7 {
      case 0...2: return request(kind >> 3, bytes, &service)
      case 3:
        guard let call = calls.min() else { return nil }
        let text = bytes.takeAll()
        let value = try? JSONValue.parse(text, limits: .init(size: 1 << 16, depth: 8))
        service.connected(call, at: now)
        return take(
          service.replied(call, value ?? .object([]), continues: kind & 8 != 0, at: now), &service)
      case 4:
        guard let call = calls.max() else { return nil }
        return take(
          kind & 8 == 0
            ? service.failed(call, "gone", wasConnected: kind & 16 != 0, at: now)
            : service.refused(
              call, String(decoding: bytes.takeAll(), as: UTF8.self), .object([]), at: now),
          &service)
      case 5:
        guard let client = waiting.min() else { return nil }
        waiting.remove(client)
        return take(service.disconnected(client, at: now), &service)
      case 6:
        now += 1_000_000_000 * Int64(kind)
        return take(service.time(now), &service)
      default:
        guard let client = waiting.max() else { return nil }
        return take(
          service.part(bytes.takeAll(), isLast: kind & 8 != 0, from: client, at: now), &service)
      }
    }

    /// All clients disconnect: nothing of theirs is kept for ever.
    mutating func end(_ service: inout WebService) -> String? {
      for client in waiting.sorted() {
        waiting.remove(client)
        if let fault = take(service.disconnected(client, at: now), &service) { return fault }
      }
      for _ in 0..<1000 where !service.isIdle {
        for call in calls.sorted() {
          if let fault = take(service.failed(call, "gone", wasConnected: true, at: now), &service) {
            return fault
          }
        }
        if let due = service.deadline {
          now = max(now, due)
          if let fault = take(service.time(now), &service) { return fault }
        }
      }
      return service.isIdle ? nil : "the service is never idle"
    }

    private static let words = [
      "GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE",
    ]

    private mutating func request(
      _ kind: UInt8, _ bytes: FuzzBytes, _ service: inout WebService
    ) -> String? {
      lastClient += 1
      let client = lastClient
      let lines = String(
        decoding: {
          var bytes = bytes; return bytes.takeAll()
        }(), as: UTF8.self
      )
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      var headers = [WebRequest.Field(name: "host", value: "localhost:8420")]
      for line in lines.dropFirst(2).prefix(4) {
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2 {
          headers.append(.init(name: parts[0].asciiLowercase, value: parts[1]))
        }
      }
      let channels: [WebRequest.Channel] = [.loopback, .loopback, .unix, .network]
      let target = (lines.first ?? "").split(separator: "?", maxSplits: 1).map(String.init)
      let request = WebRequest(
        Self.words[Int(kind) % Self.words.count], target.first ?? "",
        query: target.count > 1 ? [.init(name: "ink", value: target[1])] : [], headers: headers,
        body: Array((lines.count > 1 ? lines[1] : "").utf8), channel: channels[Int(kind >> 3) & 3])
      waiting.insert(client)
      switch service.reception(of: request, length: request.body.count) {
      case .whole: return take(service.request(request, from: client, at: now), &service)
      case .parts: return take(service.upload(request, from: client, at: now), &service)
      case .refused(let response):
        waiting.remove(client)
        return fault(of: response)
      }
    }

    private func fault(of response: WebResponse) -> String? {
      for field in response.headers {
        let all = (field.name + field.value).utf8
        if all.contains(where: { $0 < 0x20 || $0 == 0x7f }) { return "the header \(field)" }
      }
      return (200..<600).contains(response.status) ? nil : "the status \(response.status)"
    }

    private mutating func take(
      _ actions: [WebAction], _ service: inout WebService
    ) -> String? {
      for action in actions {
        switch action {
        case .respond(let client, let response):
          guard waiting.remove(client) != nil else { return "a second response to \(client)" }
          if let fault = fault(of: response) { return fault }
          if let fault = take(service.delivered(to: client, at: now), &service) { return fault }
        case .page(let client, let name, _):
          guard waiting.remove(client) != nil else { return "a second page to \(client)" }
          if ("/" + name).contains("/.") || name.hasPrefix("/") { return "the page \(name)" }
        case .metrics(let client, _, _):
          guard waiting.remove(client) != nil else { return "a second response to \(client)" }
        case .stream(let client, _):
          if !waiting.contains(client) { return "a stream to \(client)" }
          _ = service.read(client)
        case .wake(let client): if waiting.contains(client) { _ = service.read(client) }
        case .proceed(let client): if !waiting.contains(client) { return "a part of \(client)" }
        case .call(let number, _, _, _): calls.insert(number)
        case .hangUp(let number): calls.remove(number)
        case .log(let line): if !line.isOneLine { return "a log of more than a line" }
        }
      }
      return nil
    }
  }
#endif
