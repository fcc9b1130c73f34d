/// The open connections, and which of them makes room for another.
struct ConnectionTable {
  /// More than any terminal needs; each costs at most what `Connection` says.
  static let limit = 128
  /// Of users that may not call anything: they are told so, and take no more places than these.
  static let strangerLimit = 16
  /// In nanoseconds.
  private static let reading: Int64 = 100_000_000
  /// Bytes that wait for all clients, without what connections share.
  static let outputLimit = 2 << 20

  /// In the order in which they came.
  private(set) var all: [Connection] = []

  subscript(id: Int) -> Connection? { all.first { $0.id == id } }

  /// Which connection must be closed before one of a user who may do anything, or may not, is added.
  enum Room: Equatable {
    case free
    case after(Connection)
    /// No connection may be closed for this one.
    case none

    static func == (left: Room, right: Room) -> Bool {
      switch (left, right) {
      case (.free, .free), (.none, .none): true
      case (.after(let left), .after(let right)): left === right
      default: false
      }
    }
  }

  /// Users without permission never displace others. Otherwise the first of: a user without permission, the
  /// client that has read nothing for longest, the one that has been idle longest.
  ///
  /// - Parameters:
  ///   - now: A client that read something a tenth of a second before may be reading.
  ///   - isReady: Whether a client waits for nothing.
  ///   - hasRequest: Whether a request of a client is open: it is not closed for another.
  func room(
    forAllowed isAllowed: Bool, at now: Int64, isReady: (Int) -> Bool, hasRequest: (Int) -> Bool
  ) -> Room {
    let strangers = all.filter { !$0.isAllowed }
    let isFull = all.count >= ConnectionTable.limit
    guard isAllowed else {
      if strangers.count >= ConnectionTable.strangerLimit { return .after(strangers[0]) }
      return isFull ? strangers.first.map { .after($0) } ?? .none : .free
    }
    if !isFull { return .free }
    if let stranger = strangers.first { return .after(stranger) }
    let idle = all.filter { ($0.isClosing || isReady($0.id)) && $0.isFlushed }
      .min { ($0.lastMessage, $0.id) < ($1.lastMessage, $1.id) }
    let stalled = stalled { !hasRequest($0.id) }
    let isReading = stalled.map { now - $0.output.progress < ConnectionTable.reading } ?? true
    let victim = isReading ? idle ?? stalled : stalled
    return victim.map { .after($0) } ?? .none
  }

  /// The connection that has taken no byte for longest, of those that should.
  private func stalled(_ mayGo: (Connection) -> Bool = { _ in true }) -> Connection? {
    all.filter { !$0.isFlushed && mayGo($0) }
      .min { ($0.output.progress, $0.id) < ($1.output.progress, $1.id) }
  }

  /// Bytes that wait for all clients, without what they share.
  var queuedBytes: Int { all.reduce(0) { $0 + $1.output.own } }

  /// The connection to be closed because too much waits for all of them together.
  var excess: Connection? { queuedBytes > ConnectionTable.outputLimit ? stalled() : nil }

  mutating func add(_ connection: Connection) { all.append(connection) }

  /// False if it is not there any more.
  mutating func remove(_ connection: Connection) -> Bool {
    guard let place = all.firstIndex(where: { $0 === connection }) else { return false }
    all.remove(at: place)
    return true
  }
}
