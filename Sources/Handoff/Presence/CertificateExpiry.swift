internal import CLinux
internal import Linux
internal import Seal
internal import Synchronization

/// Determines when the first of several certificates expires, by running paraph-seal.
///
/// Checks every 6 hours, on a thread of its own, and sooner after a failure.
final class CertificateExpiry: Sendable {
  private let paths: [String]
  private let program: String
  /// In seconds since 1970; `unknown`: not known.
  private let time = Atomic<Int64>(unknown)
  /// Negative: not known.
  private let unreadable = Atomic<Int>(-1)
  private let nextCheck = Atomic<Int64>(.min)

  private static let unknown = Int64.max
  private static let interval: Int64 = 6 * 3_600_000_000_000
  /// The interval after a certificate could not be read.
  private static let retryInterval: Int64 = 300_000_000_000
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

  /// How many files cannot be read, or are no certificates; nil: not known yet.
  var unreadableCount: Int? {
    let count = unreadable.load(ordering: .relaxed)
    return count < 0 ? nil : count
  }

  /// Makes a check due, because the files may have changed.
  func requestCheck() { nextCheck.store(.min, ordering: .relaxed) }

  /// Starts a check if it is due.
  func work(at now: Int64) {
    guard now >= nextCheck.load(ordering: .relaxed) else { return }
    let next = now + Self.interval
    nextCheck.store(next, ordering: .relaxed)
    let thread = try? Thread(name: "certificates") {
      self.check()
      guard self.unreadableCount != 0 else { return }
      // Unless a check was requested meanwhile.
      _ = self.nextCheck.compareExchange(
        expected: next, desired: now + Self.retryInterval, ordering: .relaxed)
    }
    guard let thread else { return nextCheck.store(now + Self.retryInterval, ordering: .relaxed) }
    thread.detach()
  }

  /// Reads all certificates. One that cannot be read is counted, and the others' first expiry remains known.
  func check() {
    var earliest = Self.unknown
    var failures = 0
    for path in paths {
      if let end = expiry(of: path) { earliest = min(earliest, end) } else { failures += 1 }
    }
    time.store(earliest, ordering: .relaxed)
    unreadable.store(failures, ordering: .relaxed)
  }

  /// When the certificate expires, in seconds since 1970; nil: it cannot be read.
  private func expiry(of path: String) -> Int64? {
    guard let text = Folder.content(of: path, limit: SealRequest.certificateSizeLimit) else {
      return nil
    }
    // One of a recipient may forbid to sign, and one of a signer to seal.
    for request in [SealRequest.describe(text), .examine([text])] {
      guard let frame = try? ask(request), let content = SealFrame.content(of: frame),
        case .examined(let certificates)? = SealReply(content: content)
      else { continue }
      return certificates.first?.notAfter
    }
    return nil
  }

  /// The output of paraph-seal until its end.
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
