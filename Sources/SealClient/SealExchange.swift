internal import Linux
public import Seal

/// What is said to one process of paraph-seal about one signature: first to seal its files, then to sign its manifest.
///
/// The process starts when it is prepared, or else with the first request. At rest there is none.
public struct SealExchange: ~Copyable {
  private let program: SealProgram
  private var process: SealProcess?
  private var prepared: Int64 = 0

  /// How long a process may wait for its first request, in nanoseconds: somebody may never finish a signature.
  private static let waitLimit: Int64 = 300_000_000_000

  /// Starts nothing yet.
  public init(with program: SealProgram) { self.program = program }

  /// Whether there is a process.
  public var hasProcess: Bool { process != nil }

  /// When `end` must be called if nothing is asked, CLOCK_MONOTONIC; nil: never.
  public var deadline: Int64? { hasProcess ? prepared + Self.waitLimit : nil }

  /// Starts the process unless it runs, and has it load what the requests will need. Does not wait for it.
  ///
  /// What fails here fails again when it is asked, and is told then.
  public mutating func prepare(_ request: SealRequest) {
    if hasProcess { return }
    do throws(SealFailure) {
      var started = try program.start()
      started.tell(request)
      process = consume started
      prepared = MonotonicClock.now
    } catch {}
  }

  /// Waits for the reply, at most until the limit; nil: the time limit from now.
  ///
  /// - Parameter isLast: Whether no other request follows until `end`.
  public mutating func ask(
    _ request: SealRequest, until limit: Int64? = nil, isLast: Bool
  ) throws(SealFailure) -> SealReply {
    let limit = limit ?? program.limit
    var current = try ready()
    let reply = try current.ask(request, until: limit, isLast: isLast)
    process = consume current
    prepared = MonotonicClock.now
    return reply
  }

  /// The process, or another one if it has ended meanwhile. It is killed if a request fails.
  private mutating func ready() throws(SealFailure) -> SealProcess {
    if let process = process.take(), process.isReady { return process }
    return try program.start()
  }

  /// Has the process end.
  public mutating func end() {
    guard let process = process.take() else { return }
    process.end()
  }
}
