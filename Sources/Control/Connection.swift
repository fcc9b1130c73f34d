internal import CLinux
internal import Linux

/// One client's connection: what was received and is not yet a message, and what is still to be sent.
///
/// It keeps at most `ControlLimits.message` bytes of input, one reply, and `OutputQueue.ownLimit` bytes of
/// events; the files of a signature in a reply are shared by all connections.
final class Connection {
  /// Bytes that are read at once.
  private static let chunk = 8 << 10
  /// Bytes read of an oversized message, so that its sender reaches the reply.
  static let discardLimit = 1 << 20
  /// More calls than these of late are many: eight a second for long, or these at once.
  static let busyLimit = 16
  private static let second: Int64 = 1_000_000_000

  let id: Int
  let peer: Peer
  let isAllowed: Bool
  let socket: FileDescriptor
  var incoming = MessageBuffer()
  /// When it last sent a message; until then, when it was accepted.
  private(set) var lastMessage: Int64
  /// Whether a message of it has been answered.
  private(set) var isAnswered = false
  /// The turn's count when it was last served.
  var lastTurn: Int64 = 0
  /// Messages of late: every second halves the count. `counted` is when that was done last.
  private var messages = 0
  private var counted: Int64
  /// The other side sends no more.
  var hasEnded = false
  /// To be closed once everything is sent.
  var isClosing = false
  /// Its messages are being answered: what it waits for is settled afterwards.
  var isAnswering = false
  var interest = EventPoll.Interest(input: true, output: false)
  /// Signatures whose reply it has not read as far as is known, and until when that is asked.
  private(set) var unread: [(id: String, until: Int64)] = []
  /// Bytes of an overlong message that may still be discarded; nil: none are.
  private(set) var discardable: Int?

  private(set) var output = OutputQueue()
  /// The other side has gone without having read everything, or the connection failed.
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

  /// A message of it is being answered.
  func noteMessage(at now: Int64) {
    messages = calls(at: now) + 1
    counted += (now - counted) / Connection.second * Connection.second
    lastMessage = now
    isAnswered = true
  }

  /// How many calls it has made of late.
  func calls(at now: Int64) -> Int {
    messages >> Int(clamping: min(62, max(0, (now - counted) / Connection.second)))
  }

  /// Whether it calls more often than a program does that waits for answers.
  func isBusy(at now: Int64) -> Bool { calls(at: now) > Connection.busyLimit }

  /// Whether everything has been sent to the kernel.
  var isFlushed: Bool { output.isEmpty }

  /// Adds bytes to be sent; false if the other side has left too much unread.
  func queue(_ bytes: [UInt8], at now: Int64) -> Bool { output.add(bytes, at: now) }

  /// Adds a reply with a signature. `awaiting`: its id, if the reply must be known to be read.
  func queue(_ reply: SignatureReply, awaiting: String?, at now: Int64) {
    for piece in reply.pieces { output.add(shared: piece, at: now) }
    if let awaiting { unread.append((awaiting, now + OutputQueue.replyLimit)) }
  }

  /// Sends what the other side takes now; false if it is gone. `isRead`: the kernel says that there is room again.
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

  /// The signatures that the other side has read since last asked, or that nothing will be known of any more.
  func takeRead(at now: Int64) -> [String] {
    if unread.isEmpty { return [] }
    var all = false
    if isFlushed && !isBroken {
      do throws(Errno) { all = try socket.hasPeerReadAll() } catch { isBroken = true }
    }
    let read = unread.filter { all || !isBroken && $0.until <= now }.map { $0.id }
    if all { unread = [] } else { unread.removeAll { read.contains($0.id) } }
    return read
  }

  /// Reads once; false if the connection is broken.
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

  /// Reads the rest of an overlong message for nothing.
  func discard() {
    incoming = MessageBuffer()
    discardable = Connection.discardLimit
  }

  /// Whether there is more of an overlong message that its sender should be able to send.
  var isDiscarding: Bool { !hasEnded && (discardable ?? 0) > 0 }
}
