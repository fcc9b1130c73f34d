import CLinux
import Linux
import Testing

@testable import Control

@Suite struct ConnectionTableTests {
  private var table = ConnectionTable()
  private var lastID = 0
  private let second: Int64 = 1_000_000_000

  private static func connection(
    _ id: Int, user: UInt32 = 1, process: Int32 = 1, isAllowed: Bool = true, at time: Int64 = 0
  ) throws -> Connection {
    Connection(
      id, try FileDescriptor(opening: "/dev/null", O_RDWR), Peer(process: process, user: user),
      isAllowed: isAllowed, at: time)
  }

  @discardableResult
  private mutating func add(
    _ count: Int = 1, user: UInt32 = 1, process: Int32 = 1, isAllowed: Bool = true,
    at time: Int64 = 0
  ) throws -> Connection {
    var last: Connection?
    for _ in 0..<count {
      lastID += 1
      let connection = try Self.connection(
        lastID, user: user, process: process, isAllowed: isAllowed, at: time)
      table.add(connection)
      last = connection
    }
    return try #require(last)
  }

  /// The connection to close; 0: there is room; nil: the new one is closed.
  private func victim(
    user: UInt32 = 1, process: Int32 = 99, isAllowed: Bool = true, at now: Int64 = 0,
    _ occupation: (Int) -> ClientTable.Occupation = { _ in .none }
  ) -> Int? {
    switch table.room(
      for: Peer(process: process, user: user), isAllowed: isAllowed, at: now,
      occupation: occupation)
    {
    case .free: 0
    case .after(let other): other.id
    case .none: nil
    }
  }

  @Test mutating func `users without permission never displace others`() throws {
    try add(112)
    for _ in 113...128 {
      #expect(victim(isAllowed: false) == 0)
      try add(isAllowed: false)
    }
    // Full: a stranger makes room for everybody, while there is one.
    #expect(victim(isAllowed: false) == 113 && victim() == 113)
    for id in 113...128 {
      let connection = try #require(table[id])
      _ = table.remove(connection)
      try add()
    }
    #expect(victim(isAllowed: false) == nil && victim() == 1)
  }

  @Test mutating func `users without permission share 16 connections`() throws {
    try add(15, isAllowed: false)
    #expect(victim(isAllowed: false) == 0)
    try add(isAllowed: false)
    #expect(victim(isAllowed: false) == 1 && victim() == 0)
  }

  @Test
  mutating func `connections that block others are closed first, and those in a call last`()
    throws
  {
    let now = 10 * second
    let request = try add(at: 1)
    let stalled = try add(at: now - 1)
    _ = stalled.queue([1], at: now - second / 10)
    let unread = try add(at: now - 1)
    _ = unread.queue([1], at: now - second / 10 + 1)
    let busy = try add(at: now - 1)
    for _ in 0...Connection.busyLimit { busy.countMessage(at: now) }
    let idle = try add(at: 2)
    let waiting = try add(at: 1)
    let new = try add(at: now - second / 10 + 1)
    let watching = try add(at: 1)
    let unreadSignature = try add(at: 1)
    unreadSignature.queue(SignatureReply([], signature: []), awaiting: "a", at: 2)
    // All others ask for something, so nobody closes them.
    try add(128 - 9, at: 1)
    var order: [Int] = []
    while let id = victim(
      at: now,
      {
        switch $0 {
        case waiting.id: .waiting
        case watching.id: .watching
        case request.id: .request
        case let id where id > unreadSignature.id: .request
        default: .none
        }
      })
    {
      order.append(id)
      let connection = try #require(table[id])
      _ = table.remove(connection)
      try add(at: 1)
    }
    let expected = [
      stalled, unread, busy, idle, waiting, new, watching, unreadSignature,
    ]
    #expect(order == expected.map(\.id))
  }

  @Test mutating func `a connection is new until its first call`() throws {
    let now = 10 * second
    try add(126, at: 1)
    for id in 1...126 { table[id]?.countMessage(at: now - 1) }
    let (new, called) = (try add(at: now - 2), try add(at: now - 2))
    called.countMessage(at: now - 2)
    // Of those that wait for nothing, it has waited longest.
    #expect(victim(at: now) == called.id)
    _ = table.remove(called)
    try add(at: now)
    #expect(victim(at: now) == 1)
    #expect(table[new.id] != nil)
  }

  @Test mutating func `among clients that call too often, the one that calls most is closed first`()
    throws
  {
    try add(128)
    for (id, calls) in [(7, 40), (8, 60), (9, 50)] {
      for _ in 0..<calls { table[id]?.countMessage(at: second) }
    }
    #expect(victim(at: second) == 8)
    // It is forgotten: after four seconds the one that has been idle longest goes.
    #expect(victim(at: 5 * second) == 1)
  }

  @Test mutating func `the user with most connections loses a place first, whatever the others do`()
    throws
  {
    try add(60, user: 1)
    try add(68, user: 2)
    for connection in table.all.prefix(60) { _ = connection.queue([1], at: 0) }
    #expect(victim(user: 1, at: second) == 61)
    #expect(victim(user: 3, at: second) == 61)
    // A user who would draw level counts among those with the most.
    for _ in 0..<4 {
      let connection = try #require(table[victim(user: 3, at: second) ?? 0])
      _ = table.remove(connection)
      try add(user: 1)
    }
    #expect(victim(user: 1, at: second) == 1)
  }

  @Test mutating func `a process with too many connections loses one first`() throws {
    for process in 1...Int32(8) { try add(14, process: process) }
    try add(16, process: 9)
    // 14 of eight, and 16: none has more than its share.
    #expect(victim() == 1)
    #expect(victim(process: 9) == 113)
  }
}
