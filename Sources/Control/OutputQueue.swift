/// Bytes that wait to be sent to one client. Pieces of a signature are shared with the cache and with other
/// clients' replies: queueing one copies nothing.
struct OutputQueue: Sendable {
  /// In bytes, for what is not shared: about five seconds of ink for a client that watches.
  static let ownLimit = 256 << 10
  /// After this time without a byte that the client has taken, in nanoseconds, its connection is closed.
  static let stallLimit: Int64 = 10_000_000_000
  /// After this time its connection is closed however slowly it reads: a signature is kept for as long.
  static let replyLimit: Int64 = 60_000_000_000

  private struct Piece {
    let bytes: [UInt8]
    let isShared: Bool
    let queued: Int64
  }

  private var pieces: [Piece] = []
  /// How many bytes of the first piece have been sent.
  private var sent = 0
  /// Bytes that wait and belong to this queue alone.
  private(set) var own = 0
  /// When bytes were sent last, or queued after everything had been.
  private(set) var progress: Int64 = 0
  /// Whether the client has read some of what waits. What the kernel takes at first shows nothing of that.
  private(set) var isBeingRead = false

  /// Whether everything has been sent.
  var isEmpty: Bool { pieces.isEmpty }

  /// When the client must have taken more; nil: nothing waits.
  var deadline: Int64? {
    pieces.first.map { min(progress + OutputQueue.stallLimit, $0.queued + OutputQueue.replyLimit) }
  }

  /// Adds bytes; false if too many wait. One reply always has room.
  mutating func add(_ bytes: [UInt8], at now: Int64) -> Bool {
    if own > 0 && own + bytes.count > OutputQueue.ownLimit { return false }
    add(Piece(bytes: bytes, isShared: false, queued: now), at: now)
    own += bytes.count
    return true
  }

  /// Adds bytes that others keep anyway.
  mutating func add(shared bytes: [UInt8], at now: Int64) {
    add(Piece(bytes: bytes, isShared: true, queued: now), at: now)
  }

  private mutating func add(_ piece: Piece, at now: Int64) {
    if piece.bytes.isEmpty { return }
    if isEmpty { (progress, isBeingRead) = (now, false) }
    pieces.append(piece)
  }

  /// What is to be sent next: empty if nothing waits.
  var next: ArraySlice<UInt8> { pieces.first.map { $0.bytes[sent...] } ?? [] }

  /// The first `count` bytes of `next` have been sent. `isRead`: because the client has made room for them.
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
