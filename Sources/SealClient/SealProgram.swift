internal import CLinux
internal import Linux
public import Seal

/// Why paraph-seal has not done what was asked.
public enum SealFailure: Error, Equatable {
  /// A certificate cannot be used: its file, and why.
  case recipient(String, String)
  /// The pad's certificate or key cannot be used: the certificate's file, and why.
  case signer(String, String)
  /// The pad's key is in a token and has not signed: the certificate's file, and why.
  case token(String, String)
  /// paraph-seal does not do what it should. Whether it has used the key is not known.
  case program(String)
  /// paraph-seal cannot be reached: nothing was asked of it.
  case unreachable(String)
  /// This user may not connect to the socket at this path.
  case forbidden(String)

  /// One line for the log, which begins with its subject.
  public var text: String {
    switch self {
    case .recipient(let path, let reason): "config: [seal] recipients: \(path): \(reason)"
    case .signer(let path, let reason), .token(let path, let reason):
      "config: [sign] certificate: \(path): \(reason)"
    case .program(let reason), .unreachable(let reason): "paraph-seal: \(reason)"
    case .forbidden(let path): "paraph-seal: \(path): \(Errno(EACCES).text)"
    }
  }
}

/// Reaches paraph-seal, whose processes systemd or this program starts. None serves more than one signature.
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
  /// Half of that limit, for a prepared process: a new process gets the whole limit afterwards.
  var shortLimit: Int64 { MonotonicClock.now + Int64(timeLimit) * 500_000 }

  /// Waits for the reply of a process of its own, at most until the limit; nil: the time limit from now.
  public func ask(
    _ request: SealRequest, until limit: Int64? = nil
  ) throws(SealFailure) -> SealReply {
    var exchange = SealExchange(with: self)
    let reply = try exchange.ask(request, until: limit, isLast: true)
    exchange.end()
    return reply
  }

  /// Starts a process.
  func start() throws(SealFailure) -> SealProcess {
    try SealProcess(path, key: key, timeLimit: timeLimit)
  }
}
