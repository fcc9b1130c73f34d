internal import CLinux
internal import Linux
public import Seal

/// Why paraph-seal has not done what was asked.
public enum SealFailure: Error, Equatable {
  /// A certificate cannot be used: its file, and why.
  case recipient(String, String)
  /// The pad's certificate or key cannot be used: the certificate's file, and why.
  case signer(String, String)
  /// paraph-seal cannot be reached, or does not do what it should.
  case program(String)

  /// This user may not connect to the socket at this path.
  case forbidden(String)

  /// One line for the log, which begins with its subject.
  public var text: String {
    switch self {
    case .recipient(let path, let reason): "config: [seal] recipients: \(path): \(reason)"
    case .signer(let path, let reason): "config: [sign] certificate: \(path): \(reason)"
    case .program(let reason): "paraph-seal: \(reason)"
    case .forbidden(let path): "paraph-seal: \(path): \(Errno(EACCES).text)"
    }
  }
}

/// Asks paraph-seal. Each request has a process of its own, which systemd or this program starts.
public struct SealProgram: Sendable {
  /// systemd's socket, which starts an instance of the service for each connection.
  public static let socketPath = "/run/paraph-seal.sock"

  /// The path of a socket or a program; nil: chosen for each request.
  private let chosen: String?
  /// The file with the pad's key, for a program that this one starts.
  private let key: String?
  /// How long a request may take, in milliseconds. systemd kills a service that has not stopped after 10 s.
  private let timeLimit: Int

  /// - Parameters:
  ///   - path: The path of a socket or a program; nil: systemd's socket if it exists, else the program beside
  ///   this one.
  ///   - key: The file with the pad's key, if this one starts the program.
  ///   - timeLimit: How long a request may take, in milliseconds.
  public init(_ path: String?, key: String? = nil, timeLimit: Int = 8000) {
    self.key = key
    self.timeLimit = timeLimit
    chosen = path
  }

  private var path: String {
    if let chosen { return chosen }
    // The operator may enable or disable the socket at any time.
    if (try? FileStatus(of: Self.socketPath)) != nil { return Self.socketPath }
    return Process.path(besideThis: "paraph-seal")
  }

  /// When a request that begins now must have its reply, CLOCK_MONOTONIC.
  public var limit: Int64 { MonotonicClock.now + Int64(timeLimit) * 1_000_000 }

  /// Waits for the reply, at most until the limit; nil: the time limit from now.
  public func ask(
    _ request: SealRequest, until limit: Int64? = nil
  ) throws(SealFailure) -> SealReply {
    let path = self.path
    guard let bytes = request.bytes else {
      throw SealFailure.program("the files are too large to be sealed")
    }
    let limit = limit ?? self.limit
    let isSocket: Bool
    do throws(SystemError) {
      isSocket = try FileStatus(of: path).kind == .other
    } catch { throw Self.unreachable(path, error.errno) }
    return isSocket
      ? try connect(to: path, sending: bytes, until: limit)
      : try start(path, sending: bytes, until: limit)
  }

  private static func unreachable(_ path: String, _ error: Errno) -> SealFailure {
    SealFailure.program("\(path): \(error.text)")
  }

  private func connect(
    to path: String, sending bytes: [UInt8], until limit: Int64
  ) throws(SealFailure) -> SealReply {
    let end: End
    do throws(Errno) {
      end = try exchange(bytes, over: try FileDescriptor(connectingTo: path), until: limit)
    } catch {
      if error.rawValue == EACCES { throw .forbidden(path) }
      throw Self.unreachable(path, error)
    }
    return try reply(end, cause: "")
  }

  private func start(
    _ path: String, sending bytes: [UInt8], until limit: Int64
  ) throws(SealFailure) -> SealReply {
    let end: End
    var cause = ""
    do throws(Errno) {
      let pair = try SocketPair()
      // Killed when this function returns, if it still runs.
      var child = try ChildProcess(
        path, key.map { ["--sign-key=\($0)"] } ?? [], inherits: false,
        input: pair.other.number, output: pair.other.number)
      end = try exchange(bytes, over: pair.closingOther(), until: limit)
      if case .received(let frame) = end, frame.isEmpty {
        switch try child.wait(milliseconds: 1000) {
        case .exit(let code)?: cause = " (exit code \(code))"
        case .signal(let number)?: cause = " (signal \(number))"
        case nil: break
        }
      }
    } catch { throw Self.unreachable(path, error) }
    return try reply(end, cause: cause)
  }

  // MARK: - The connection

  private enum End {
    /// paraph-seal closed the connection after these bytes.
    case received([UInt8])
    case tooLong
    case late
  }

  private func reply(_ end: End, cause: String) throws(SealFailure) -> SealReply {
    switch end {
    case .received(let frame):
      if frame.isEmpty { throw SealFailure.program("ended without a reply\(cause)") }
      if let content = SealFrame.content(of: frame), let reply = SealReply(content: content) {
        return reply
      }
      throw SealFailure.program("its reply is invalid or cut")
    case .tooLong: throw SealFailure.program("its reply is too long")
    case .late:
      throw SealFailure.program("no reply within \(timeLimit) ms")
    }
  }

  /// Sends the request and reads to the end, both at once: a program that does not listen must not block this one.
  private func exchange(
    _ bytes: [UInt8], over socket: consuming FileDescriptor, until limit: Int64
  ) throws(Errno) -> End {
    var poll = Poll()
    let place = poll.add(socket.number, output: true)
    var sent = 0
    var frame: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let left = limit - MonotonicClock.now
      if left <= 0 { return .late }
      guard try poll.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1)) else { continue }
      if sent < bytes.count, poll.isWritable(place) {
        do throws(Errno) {
          sent += try unsafe socket.send(bytes.span.bytes.extracting(droppingFirst: sent))
        } catch {
          // It may have replied before it closed the connection.
          if error.rawValue != EPIPE && error.rawValue != ECONNRESET { throw error }
          sent = bytes.count
        }
        if sent == bytes.count {
          socket.endSending()
          poll.replace(place, with: socket.number)
          continue
        }
      }
      guard poll.isReadable(place) || poll.isGone(place) else { continue }
      let count: Int
      do throws(Errno) {
        var span = chunk.mutableSpan
        var part = unsafe span.mutableBytes
        count = try socket.read(into: &part)
      } catch {
        if error.rawValue == EAGAIN { continue }
        if error.rawValue != ECONNRESET { throw error }
        return .received(frame)
      }
      if count == 0 { return .received(frame) }
      if frame.count + count > SealFrame.sizeLimit { return .tooLong }
      frame += chunk[..<count]
    }
  }
}
