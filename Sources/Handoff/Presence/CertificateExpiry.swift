internal import CLinux
internal import Linux
internal import Seal
internal import Synchronization

/// When the first of some certificates expires, as paraph-seal reads them: every 6 hours, on a thread of its own.
final class CertificateExpiry: Sendable {
  private let paths: [String]
  private let program: String
  /// In seconds since 1970; `unknown`: not known.
  private let time = Atomic<Int64>(unknown)
  private let nextCheck = Atomic<Int64>(.min)

  private static let unknown = Int64.max
  private static let interval: Int64 = 6 * 3_600_000_000_000
  private static let timeLimit: Int64 = 8_000_000_000

  /// `program`: the path of paraph-seal.
  init(_ paths: [String], program: String = Process.path(besideThis: "paraph-seal")) {
    self.paths = paths
    self.program = program
  }

  /// In seconds since 1970; nil: unknown.
  var earliest: Int64? {
    let time = time.load(ordering: .relaxed)
    return time == Self.unknown ? nil : time
  }

  /// Starts a check if it is due.
  func work(at now: Int64) {
    guard now >= nextCheck.load(ordering: .relaxed) else { return }
    nextCheck.store(now + Self.interval, ordering: .relaxed)
    guard let thread = try? Thread(name: "certificates", run: { self.check() }) else { return }
    thread.detach()
  }

  /// Reads all certificates. One that cannot be read leaves the time unknown: an alert fires for that.
  func check() {
    var earliest = Self.unknown
    for path in paths {
      guard let text = Folder.content(of: path, limit: SealRequest.certificateSizeLimit),
        let frame = try? ask(.describe(text)), let content = SealFrame.content(of: frame),
        case .examined(let certificates)? = SealReply(content: content),
        let end = certificates.map({ $0.notAfter }).min()
      else {
        earliest = Self.unknown
        break
      }
      earliest = min(earliest, end)
    }
    time.store(earliest, ordering: .relaxed)
  }

  /// What paraph-seal writes until it ends.
  private func ask(_ request: SealRequest) throws(Errno) -> [UInt8] {
    guard let bytes = request.bytes else { throw Errno(EMSGSIZE) }
    let pair = try SocketPair()
    // Killed when this function returns, if it still runs.
    let child = try ChildProcess(
      program, [], inherits: false, input: pair.other.number, output: pair.other.number)
    _ = child.pid
    let socket = pair.closingOther()
    let limit = MonotonicClock.now + Self.timeLimit
    var poll = Poll()
    let place = poll.add(socket.number, output: true)
    var (sent, reply) = (0, [UInt8]())
    var chunk = [UInt8](repeating: 0, count: 4096)
    while MonotonicClock.now < limit, reply.count <= SealRequest.certificateSizeLimit {
      guard try poll.wait(milliseconds: 1000) else { continue }
      if sent < bytes.count, poll.isWritable(place) {
        sent += try unsafe socket.send(bytes.span.bytes.extracting(droppingFirst: sent))
        if sent == bytes.count {
          socket.endSending()
          poll.replace(place, with: socket.number)
        }
      }
      guard poll.isReadable(place) || poll.isGone(place) else { continue }
      do throws(Errno) {
        var span = chunk.mutableSpan
        var part = unsafe span.mutableBytes
        let count = try socket.read(into: &part)
        if count == 0 { return reply }
        reply += chunk[..<count]
      } catch { if error.rawValue != EAGAIN { throw error } }
    }
    throw Errno(ETIMEDOUT)
  }
}
