internal import Linux

/// The open connections, and which of them is closed for a new one.
struct ConnectionTable {
  /// The number of connections. Each costs at most what `Connection` states.
  static let limit = 128
  /// The number of connections of users without permission, which are open until they have read the error.
  static let strangerLimit = 16
  /// A process with more connections is the first to lose one.
  static let processShare = 16
  /// The limit of unsent bytes of all connections that are not shared.
  static let outputLimit = 2 << 20

  /// In the order in which they were accepted.
  private(set) var all: [Connection] = []
  private var byID: [Int: Connection] = [:]

  subscript(id: Int) -> Connection? { byID[id] }

  /// Which connection must be closed for a new one.
  enum Room: Equatable {
    case free
    case after(Connection)
    /// The new connection must be closed.
    case none

    static func == (left: Room, right: Room) -> Bool {
      switch (left, right) {
      case (.free, .free), (.none, .none): true
      case (.after(let left), .after(let right)): left === right
      default: false
      }
    }
  }

  /// Selects the connection to close for a new one of `peer`.
  ///
  /// Users without permission never displace others, and are displaced first. Otherwise the victim belongs to the
  /// user with the most connections, including the new one; then to a process with more than `processShare`; then
  /// it has the lowest `ConnectionPriority`. A connection with an open request is never closed.
  ///
  /// - Parameter occupation: What a client waits for.
  func room(
    for peer: Peer, isAllowed: Bool, at now: Int64, occupation: (Int) -> ClientTable.Occupation
  ) -> Room {
    let strangers = all.filter { !$0.isAllowed }
    let isFull = all.count >= ConnectionTable.limit
    guard isAllowed else {
      if strangers.count >= ConnectionTable.strangerLimit { return .after(strangers[0]) }
      return isFull ? strangers.first.map { .after($0) } ?? .none : .free
    }
    if !isFull { return .free }
    if let stranger = strangers.first { return .after(stranger) }
    var candidates: [(connection: Connection, priority: ConnectionPriority)] = []
    for connection in all {
      let priority = ConnectionPriority(connection, occupation(connection.id), at: now)
      if let priority { candidates.append((connection, priority)) }
    }
    let (users, _) = ConnectionTable.mostFrequent(
      candidates.map { $0.connection.peer.user }, and: peer.user)
    candidates = candidates.filter { users.contains($0.connection.peer.user) }
    let (processes, count) = ConnectionTable.mostFrequent(
      candidates.map { $0.connection.peer.process }, and: peer.process)
    if count > ConnectionTable.processShare {
      candidates = candidates.filter { processes.contains($0.connection.peer.process) }
    }
    let victim = candidates.min { $0.priority < $1.priority }
    return victim.map { .after($0.connection) } ?? .none
  }

  /// The most frequent of `keys`, and how often they occur; `another` counts too if it is among them.
  private static func mostFrequent<Key: Hashable>(
    _ keys: [Key], and another: Key
  ) -> (keys: Set<Key>, count: Int) {
    var counts: [Key: Int] = [:]
    for key in keys { counts[key, default: key == another ? 1 : 0] += 1 }
    let most = counts.values.max() ?? 0
    return (Set(counts.filter { $0.value == most }.keys), most)
  }

  /// The connection whose client has read nothing for longest, among those with unsent output.
  private var stalled: Connection? {
    all.filter { !$0.isFlushed }
      .min { ($0.output.progress, $0.id) < ($1.output.progress, $1.id) }
  }

  /// The number of unsent bytes of all connections that are not shared.
  var queuedBytes: Int { all.reduce(0) { $0 + $1.output.own } }

  /// The connection to close because all together exceed `outputLimit`; nil: they do not.
  var excess: Connection? { queuedBytes > ConnectionTable.outputLimit ? stalled : nil }

  mutating func add(_ connection: Connection) {
    all.append(connection)
    byID[connection.id] = connection
  }

  /// Removes a connection. Returns false if it was removed before.
  mutating func remove(_ connection: Connection) -> Bool {
    guard byID[connection.id] === connection else { return false }
    byID[connection.id] = nil
    all.removeAll { $0 === connection }
    return true
  }
}

/// The priority of a connection when the table is full: the lowest is closed first.
struct ConnectionPriority: Comparable {
  /// The first criterion, from the lowest priority to the highest.
  enum Group: Int {
    /// The client has read nothing of its output for a tenth of a second.
    case stalled
    /// The client has not begun to read its reply.
    case unread
    /// The client calls more often than one that waits for its replies.
    case busy
    /// The client waits for nothing.
    case idle
    /// The client reads its reply, or waits for one.
    case active
    /// It was accepted a moment ago: its first call may be on its way.
    case new
    /// The client watches, or has not read the signature that it asked for.
    case kept
  }

  /// How long a connection is new, and a reader may pause, in nanoseconds.
  static let moment: Int64 = 100_000_000

  let group: Group
  /// The second criterion.
  private let order: Int64
  private let id: Int

  /// Nil for a connection with an open request, which is never closed.
  init?(_ connection: Connection, _ occupation: ClientTable.Occupation, at now: Int64) {
    if occupation == .request { return nil }
    let output = connection.output
    let isPaused = !output.isEmpty && now - output.progress >= ConnectionPriority.moment
    let isNew =
      !connection.isAnswered && now - connection.lastMessage < ConnectionPriority.moment
    let group: Group =
      if connection.holdsSignature {
        .kept
      } else if isPaused {
        .stalled
      } else if occupation == .watching {
        .kept
      } else if !output.isEmpty && !output.isBeingRead {
        .unread
      } else if connection.isBusy(at: now) {
        .busy
      } else if !output.isEmpty || occupation == .waiting {
        .active
      } else {
        isNew ? .new : .idle
      }
    self.group = group
    order =
      switch group {
      case .stalled, .unread: output.progress
      case .busy: -Int64(connection.recentMessages(at: now))
      case .idle, .active, .new, .kept: connection.lastMessage
      }
    id = connection.id
  }

  static func < (left: ConnectionPriority, right: ConnectionPriority) -> Bool {
    (left.group.rawValue, left.order, left.id) < (right.group.rawValue, right.order, right.id)
  }
}
