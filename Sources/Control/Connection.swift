internal import CLinux
internal import Linux

/// A client's connection: its socket, its incomplete message, and its unsent output.
///
/// Holds at most `ControlLimits.message` bytes of input, one reply, and `OutputQueue.ownLimit` bytes of events.
/// Connections share the files of signatures.
final class Connection {
  /// The size of a read, in bytes.
  private static let chunk = 8 << 10
  /// How much of an overlong message is read, in bytes, so that its client receives the reply.
  static let discardLimit = 1 << 20
  /// A client with more recent calls is busy: eight a second for long, or these at once.
  static let busyLimit = 16
  private static let second: Int64 = 1_000_000_000

  let id: Int
  let peer: Peer
  let isAllowed: Bool
  let socket: FileDescriptor
  var incoming = MessageBuffer()
  private(set) var output = OutputQueue()
  /// When the last message was answered; before the first one, when the connection was accepted.
  private(set) var lastMessage: Int64
  /// Whether a message was answered.
  private(set) var isAnswered = false
  /// The number of the service when it was served last.
  var lastTurn: Int64 = 0
  /// Recent messages: halved each second. `counted` is when that was done last.
  private var messages = 0
  private var counted: Int64
  /// The client sends no more.
  var hasEnded = false
  /// Close the connection when everything is sent.
  var isClosing = false
  /// A message is being answered; `settle` follows.
  var isAnswering = false
  var interest = EventPoll.Interest(input: true, output: false)
  /// Signatures whose replies the client may not have read, and when to stop asking for that.
  private(set) var unread: [(id: String, until: Int64)] = []
  /// Whether the client has not read a signature. A screenshot can be taken again.
  var holdsSignature: Bool { unread.contains { $0.id != ScreenshotQueue.identity } }
  /// The rest of an overlong message that may be discarded, in bytes; nil: no message is overlong.
  private(set) var discardable: Int?
  /// The connection failed, or the client closed it with output unread.
  private var isBroken = false

  init(
    _ id: Int, _ socket: consuming FileDescriptor, _ peer: Peer, isAllowed: Bool, at now: Int64
  ) {
    self.id = id
    self.socket = socket
    self.peer = peer
    self.isAllowed = isAllowed
    lastMessage = now
    counted = now
  }

  /// Counts a message that is answered at `now`.
  func countMessage(at now: Int64) {
    messages = recentMessages(at: now) + 1
    counted += (now - counted) / Connection.second * Connection.second
    lastMessage = now
    isAnswered = true
  }

  /// The number of recent messages.
  func recentMessages(at now: Int64) -> Int {
    messages >> Int(clamping: min(62, max(0, (now - counted) / Connection.second)))
  }

  /// Whether the client calls more often than one that waits for its replies.
  func isBusy(at now: Int64) -> Bool { recentMessages(at: now) > Connection.busyLimit }

  /// Whether everything has been sent to the kernel.
  var isFlushed: Bool { output.isEmpty }

  /// Adds bytes to the output. Returns false if too much is unsent.
  func queue(_ bytes: [UInt8], at now: Int64) -> Bool { output.add(bytes, at: now) }

  /// Adds a reply with a signature to the output.
  ///
  /// - Parameter awaiting: The signature's identity if `drainRead` must report it.
  func queue(_ reply: SignatureReply, awaiting: String?, at now: Int64) {
    for piece in reply.pieces { output.add(shared: piece, at: now) }
    if let awaiting { unread.append((awaiting, now + OutputQueue.replyLimit)) }
  }

  /// Sends as much as the kernel takes. Returns false if the connection is broken.
  ///
  /// - Parameter isRead: The kernel has reported that the client has read.
  func flush(at now: Int64, isRead: Bool = false) -> Bool {
    while !output.isEmpty {
      do throws(Errno) {
        let count = try unsafe socket.send(output.next.span.bytes)
        if count == 0 { return true }
        output.advance(count, at: now, isRead: isRead)
      } catch {
        isBroken = true
        return false
      }
    }
    return true
  }

  /// Returns the signatures that the client has read since the last call, and those whose time is up.
  func drainRead(at now: Int64) -> [String] {
    if unread.isEmpty { return [] }
    var all = false
    if isFlushed && !isBroken {
      do throws(Errno) { all = try socket.hasPeerReadAll() } catch { isBroken = true }
    }
    let read = unread.filter { all || !isBroken && $0.until <= now }.map { $0.id }
    if all { unread = [] } else { unread.removeAll { read.contains($0.id) } }
    return read
  }

  /// Reads once from the socket. Returns false if the connection is broken.
  func read() -> Bool {
    guard !hasEnded, discardable.map({ $0 > 0 }) ?? (incoming.room > 0) else { return true }
    let room = discardable ?? incoming.room
    var chunk = [UInt8](repeating: 0, count: min(room, Connection.chunk))
    do throws(Errno) {
      var span = chunk.mutableSpan
      var bytes = unsafe span.mutableBytes
      let count = try socket.read(into: &bytes)
      if count == 0 { hasEnded = true }
      if let left = discardable {
        discardable = chunk[..<count].contains(0) ? 0 : left - count
      } else {
        incoming.append(chunk[..<count])
      }
      return true
    } catch {
      if error.rawValue == EAGAIN { return true }
      isBroken = true
      return false
    }
  }

  /// Discards an overlong message and its rest.
  func discard() {
    incoming = MessageBuffer()
    discardable = Connection.discardLimit
  }

  /// Whether the rest of an overlong message is still read.
  var isDiscarding: Bool { !hasEnded && (discardable ?? 0) > 0 }
}

/// Splits the bytes of a connection into messages, each of which ends with a NUL (varlink.org, "Method Call").
struct MessageBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// The number of first bytes that contain no NUL.
  private var scanned = 0

  /// The number of bytes that `append` takes.
  var room: Int { ControlLimits.message - bytes.count }

  /// Adds bytes, at most `room`.
  mutating func append(_ more: ArraySlice<UInt8>) { bytes += more.prefix(room) }

  /// Whether the buffer has a whole message.
  var hasMessage: Bool {
    mutating get {
      while scanned < bytes.count && bytes[scanned] != 0 { scanned += 1 }
      return scanned < bytes.count
    }
  }

  /// Removes the first message; returns it without its NUL.
  mutating func next() -> [UInt8]? {
    guard hasMessage else { return nil }
    let message = Array(bytes[..<scanned])
    bytes.removeFirst(scanned + 1)
    scanned = 0
    return message
  }

  /// Whether the buffer is full without a whole message.
  var isOverlong: Bool { room == 0 && scanned == bytes.count }
}

/// The unsent bytes of a connection. Pieces of signatures are shared with the cache and not copied.
struct OutputQueue: Sendable {
  /// The limit of bytes that are not shared. Ink is added only to an empty queue (`InkStream`).
  static let ownLimit = 256 << 10
  /// A connection is closed when its client has read nothing for this time, in nanoseconds.
  static let stallLimit: Int64 = 10_000_000_000
  /// A connection is closed when a reply was queued for this time, in nanoseconds: the lifetime of a signature.
  static let replyLimit: Int64 = 60_000_000_000

  private struct Piece {
    let bytes: [UInt8]
    let isShared: Bool
    let queued: Int64
  }

  private var pieces: [Piece] = []
  /// The number of bytes of the first piece that were sent.
  private var sent = 0
  /// The number of unsent bytes that are not shared.
  private(set) var own = 0
  /// When bytes were sent last, or queued after everything was sent.
  private(set) var progress: Int64 = 0
  /// Whether the client has read some of it. What the kernel takes at first does not show that.
  private(set) var isBeingRead = false

  /// Whether everything was sent.
  var isEmpty: Bool { pieces.isEmpty }

  /// When the connection must be closed; nil: everything was sent.
  var deadline: Int64? {
    pieces.first.map { min(progress + OutputQueue.stallLimit, $0.queued + OutputQueue.replyLimit) }
  }

  /// Adds bytes. Returns false if the queue is full; an empty queue takes any number.
  mutating func add(_ bytes: [UInt8], at now: Int64) -> Bool {
    if own > 0 && own + bytes.count > OutputQueue.ownLimit { return false }
    add(Piece(bytes: bytes, isShared: false, queued: now), at: now)
    own += bytes.count
    return true
  }

  /// Adds bytes that are stored elsewhere, too.
  mutating func add(shared bytes: [UInt8], at now: Int64) {
    add(Piece(bytes: bytes, isShared: true, queued: now), at: now)
  }

  private mutating func add(_ piece: Piece, at now: Int64) {
    if piece.bytes.isEmpty { return }
    if isEmpty { (progress, isBeingRead) = (now, false) }
    pieces.append(piece)
  }

  /// The bytes to send next; empty: everything was sent.
  var next: ArraySlice<UInt8> { pieces.first.map { $0.bytes[sent...] } ?? [] }

  /// Removes the first `count` bytes of `next`, which were sent.
  ///
  /// - Parameter isRead: The kernel had room for them because the client has read.
  mutating func advance(_ count: Int, at now: Int64, isRead: Bool) {
    guard count > 0, let first = pieces.first else { return }
    progress = now
    if isRead { isBeingRead = true }
    sent += count
    if !first.isShared { own -= count }
    guard sent >= first.bytes.count else { return }
    sent = 0
    pieces.removeFirst()
  }
}
