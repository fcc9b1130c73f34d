internal import Linux

/// The open connections, and which of them makes room for another.
struct ConnectionTable {
  /// More than any terminal needs; each costs at most what `Connection` says.
  static let limit = 128
  /// Of users that may not call anything: they are told so, and take no more places than these.
  static let strangerLimit = 16
  /// Of one process: more than any needs. One with more is the first to lose a place.
  static let processShare = 16
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

  /// Which connection makes room for a new one of `peer`.
  ///
  /// Users without permission never displace others, and are displaced first. Then it is a connection of the user
  /// who has most, with the new one; of these, one of a process that has more than `processShare`; and of these,
  /// the one of the lowest `ConnectionStanding`. So the last are clients in the middle of something, and a
  /// connection with an open request is never closed.
  ///
  /// - Parameter occupation: What a client waits for.
  func room(
    for peer: Peer, isAllowed: Bool, at now: Int64,
    occupation: (Int) -> ControlService.Occupation
  ) -> Room {
    let strangers = all.filter { !$0.isAllowed }
    let isFull = all.count >= ConnectionTable.limit
    guard isAllowed else {
      if strangers.count >= ConnectionTable.strangerLimit { return .after(strangers[0]) }
      return isFull ? strangers.first.map { .after($0) } ?? .none : .free
    }
    if !isFull { return .free }
    if let stranger = strangers.first { return .after(stranger) }
    var candidates: [(connection: Connection, standing: ConnectionStanding)] = []
    for connection in all {
      let standing = ConnectionStanding(connection, occupation(connection.id), at: now)
      if let standing { candidates.append((connection, standing)) }
    }
    let peers = candidates.map { $0.connection.peer }
    let users = ConnectionTable.most(peers.map { Int64($0.user) }, Int64(peer.user))
    candidates = candidates.filter { users.keys.contains(Int64($0.connection.peer.user)) }
    let processes = ConnectionTable.most(
      candidates.map { Int64($0.connection.peer.process) }, Int64(peer.process))
    if processes.count > ConnectionTable.processShare {
      candidates = candidates.filter {
        processes.keys.contains(Int64($0.connection.peer.process))
      }
    }
    let victim = candidates.min { $0.standing < $1.standing }
    return victim.map { .after($0.connection) } ?? .none
  }

  /// Of `keys` those that are there most often, `another` counted too, and how often that is.
  private static func most(_ keys: [Int64], _ another: Int64) -> (keys: [Int64], count: Int) {
    var counts: [(key: Int64, count: Int)] = []
    for key in keys {
      if let place = counts.firstIndex(where: { $0.key == key }) {
        counts[place].count += 1
      } else {
        counts.append((key, key == another ? 2 : 1))
      }
    }
    let most = counts.reduce(0) { max($0, $1.count) }
    return (counts.filter { $0.count == most }.map { $0.key }, most)
  }

  /// The connection that has taken no byte for longest, of those that should.
  private var stalled: Connection? {
    all.filter { !$0.isFlushed }
      .min { ($0.output.progress, $0.id) < ($1.output.progress, $1.id) }
  }

  /// Bytes that wait for all clients, without what they share.
  var queuedBytes: Int { all.reduce(0) { $0 + $1.output.own } }

  /// The connection to be closed because too much waits for all of them together.
  var excess: Connection? { queuedBytes > ConnectionTable.outputLimit ? stalled : nil }

  mutating func add(_ connection: Connection) { all.append(connection) }

  /// False if it is not there any more.
  mutating func remove(_ connection: Connection) -> Bool {
    guard let place = all.firstIndex(where: { $0 === connection }) else { return false }
    all.remove(at: place)
    return true
  }
}
