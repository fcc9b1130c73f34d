public import Control

extension Session {
  /// What programs are to be told, in its order.
  struct Reports: Sendable {
    private var events: [ControlEvent] = []
    /// The last state that was told, and whose.
    private var told: (PadState, Int64?)?

    init() { events.reserveCapacity(8) }

    mutating func add(_ event: ControlEvent) { events.append(event) }

    /// A state was entered; saved, cancelled and timed out have events of their own.
    mutating func entered(_ state: PadState, request: Int64?, limit: Int64?) {
      if state == .saved || state == .cancelled || state == .timedOut { return told = nil }
      if let told, told == (state, request) { return }
      told = (state, request)
      events.append(.state(state, request: request, limit: limit))
    }

    mutating func takeAll(_ body: (ControlEvent) -> Void) {
      for event in events { body(event) }
      events.removeAll(keepingCapacity: true)
    }
  }

  /// Gives away what programs are to be told, in its order.
  public mutating func report(_ body: (ControlEvent) -> Void) { reports.takeAll(body) }
}
