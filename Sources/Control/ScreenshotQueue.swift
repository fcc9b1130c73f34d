/// The clients that wait for a screenshot, or have not read theirs.
///
/// One screenshot is taken at a time. A client that calls meanwhile gets the next one, which shows what was on the
/// glass after its call.
struct ScreenshotQueue {
  /// Stands for a screenshot where the server reports the identity of a signature that was read.
  static let identity = "screenshot"
  /// The number of clients: each may have a picture of its own.
  static let limit = 4
  /// The size of a picture, in bytes.
  static let sizeLimit = 4 << 20

  /// Whether a screenshot is being taken.
  private(set) var isTaking = false
  /// The clients that get this one.
  private var current: [Int] = []
  /// The clients that get the next one.
  private var next: [Int] = []
  /// The clients that have not read theirs.
  private var unread: [Int] = []

  /// Adds a client. Returns whether to take a screenshot now; nil: there are too many clients, or this one has not
  /// read its last one.
  mutating func add(_ client: Int) -> Bool? {
    guard current.count + next.count + unread.count < ScreenshotQueue.limit,
      !unread.contains(client)
    else { return nil }
    if isTaking {
      next.append(client)
      return false
    }
    (isTaking, current) = (true, [client])
    return true
  }

  /// Ends a screenshot. Returns the answers to its clients; another one may be due at once (`isTaking`).
  mutating func taken(
    _ screenshot: ControlEvent.Screenshot
  ) -> [(client: Int, action: ControlService.Action)] {
    let clients = current
    (current, next) = (next, [])
    isTaking = !current.isEmpty
    switch screenshot {
    case .png(let png) where png.count > ScreenshotQueue.sizeLimit:
      let reason = "the screenshot has more than \(ScreenshotQueue.sizeLimit >> 20) MiB"
      return clients.map { ($0, .send($0, Reply.error(.outOfService(reason)))) }
    case .png(let png):
      unread += clients
      // Encoded once for all.
      let reply = SignatureReply(screenshot: png)
      return clients.map { ($0, .deliver($0, reply, awaiting: ScreenshotQueue.identity)) }
    case .inkNotAllowed:
      return clients.map { ($0, .send($0, Reply.error(.strokesNotAllowed))) }
    case .outOfService(let reason):
      return clients.map { ($0, .send($0, Reply.error(.outOfService(reason)))) }
    }
  }

  /// A client has read its screenshot.
  mutating func wasRead(by client: Int) { unread.removeAll { $0 == client } }

  /// A client has gone.
  mutating func disconnected(_ client: Int) {
    current.removeAll { $0 == client }
    next.removeAll { $0 == client }
    unread.removeAll { $0 == client }
  }
}
