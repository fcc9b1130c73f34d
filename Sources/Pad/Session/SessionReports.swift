internal import Control

/// The session's events for clients, in their order.
struct SessionReports: Sendable {
  private var events: [ControlEvent] = []
  /// The last reported state and its request.
  private var reported: (PadState, Int64?)?
  /// The last reported page of a document and its request; nil: another state was reported since.
  private var page: (Int, Int64)?

  init() { events.reserveCapacity(8) }

  mutating func add(_ event: ControlEvent) { events.append(event) }

  /// Reports a state once. *Saved*, *cancelled* and *timed out* have events of their own.
  mutating func entered(_ state: PadState, request: Int64?, deadline: Int64?) {
    page = nil
    if state == .saved || state == .cancelled || state == .timedOut { return reported = nil }
    if let reported, reported == (state, request) { return }
    reported = (state, request)
    events.append(.state(state, request: request, deadline: deadline))
  }

  /// Has the state reported again, because its deadline has changed.
  mutating func renewed() { reported = nil }

  /// Reports a page of a document, from 0, once.
  mutating func read(_ page: Int, request: Int64, deadline: Int64?) {
    if let reported = self.page, reported == (page, request) { return }
    (self.page, reported) = ((page, request), nil)
    events.append(.reading(request, page: page + 1, deadline: deadline))
  }

  mutating func drain(_ body: (ControlEvent) -> Void) {
    for event in events { body(event) }
    events.removeAll(keepingCapacity: true)
  }
}
