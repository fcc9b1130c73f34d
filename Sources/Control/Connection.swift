internal import CLinux
internal import Linux

/// One connection: what has come and is not yet a message, and what is still to be sent.
final class Connection {
  /// What may wait for a connection that does not read, besides the reply that is being sent.
  static let outgoingLimit = 1 << 20

  /// Bytes that are read at once.
  private static let chunk = 8 << 10

  let id: Int
  let peer: Peer
  let socket: FileDescriptor
  var incoming = MessageBuffer()
  /// When it last sent a message.
  var lastMessage: Int64
  /// The other side sends no more.
  var hasEnded = false
  /// To be closed once everything is sent.
  var isClosing = false
  /// Its messages are being answered: what it waits for is settled afterwards.
  var isAnswering = false
  var interest = EventPoll.Interest(input: true, output: false)

  private var outgoing: [UInt8] = []
  /// How many of them have been sent.
  private var sent = 0

  init(_ id: Int, _ socket: consuming FileDescriptor, _ peer: Peer, at now: Int64) {
    self.id = id
    self.socket = socket
    self.peer = peer
    lastMessage = now
  }

  /// Whether everything has been sent.
  var isFlushed: Bool { outgoing.isEmpty }

  /// Adds bytes to be sent; false if the other side has left too much unread.
  func queue(_ bytes: [UInt8]) -> Bool {
    let waiting = outgoing.count - sent
    if waiting > 0 && waiting + bytes.count > Connection.outgoingLimit { return false }
    outgoing.removeFirst(sent)
    sent = 0
    outgoing += bytes
    return true
  }

  /// Sends what the other side takes now; false if it is gone.
  func flush() -> Bool {
    while sent < outgoing.count {
      do throws(Errno) {
        let rest = outgoing[sent...]
        let count = try unsafe socket.send(rest.span.bytes)
        if count == 0 { return true }
        sent += count
      } catch { return false }
    }
    outgoing = []
    sent = 0
    return true
  }

  /// Reads once; false if the connection is broken.
  func read() -> Bool {
    guard incoming.room > 0, !hasEnded else { return true }
    var chunk = [UInt8](repeating: 0, count: min(incoming.room, Connection.chunk))
    do throws(Errno) {
      var span = chunk.mutableSpan
      var bytes = unsafe span.mutableBytes
      let count = try socket.read(into: &bytes)
      if count == 0 { hasEnded = true }
      incoming.append(chunk[..<count])
      return true
    } catch {
      return error.rawValue == EAGAIN
    }
  }
}
