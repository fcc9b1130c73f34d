internal import Linux
public import Seal

/// The conversation with one process of paraph-seal about one signature: it seals the files, then signs the manifest.
///
/// The process starts when it is prepared, or else with the first request. Between signatures no process runs.
public struct SealExchange: ~Copyable {
  private let program: SealProgram
  private var process: SealProcess?
  private var idleSince: Int64 = 0
  /// The process has answered nothing yet.
  private var isUntried = false
  /// A process that was released, and when it is killed.
  private var ending: SealProcess?
  private var killTime: Int64 = 0

  /// How long a process may wait for its first request, in nanoseconds: the person may leave without *Done*.
  private static let waitLimit: Int64 = 300_000_000_000
  /// How long a process may take to end, in nanoseconds.
  private static let endLimit: Int64 = 1_000_000_000

  /// Starts nothing yet.
  public init(with program: SealProgram) { self.program = program }

  private var hasProcess: Bool { process != nil }

  /// When `expire(at:)` must be called, CLOCK_MONOTONIC; nil: never.
  public var deadline: Int64? {
    let ends = [
      hasProcess ? idleSince + Self.waitLimit : nil, ending != nil ? killTime : nil,
    ]
    return ends.compactMap { $0 }.min()
  }

  /// Releases a process that has waited too long for a request, and kills one that does not end.
  public mutating func expire(at now: Int64) {
    if hasProcess, now >= idleSince + Self.waitLimit { release(at: now) }
    guard let process = ending.take() else { return }
    if !process.hasEnded, now < killTime { ending = consume process }
  }

  /// Starts the process unless it runs, and has it load what the requests will need. Does not wait for it.
  ///
  /// A failure is reported by the request that needs what could not be loaded.
  public mutating func prepare(_ request: SealRequest) {
    if hasProcess { return }
    do throws(SealFailure) {
      var started = try program.start()
      // If the process has not taken the whole request, it would wait for the rest.
      guard started.tell(request) else { return }
      process = consume started
      (idleSince, isUntried) = (MonotonicClock.now, true)
    } catch {}
  }

  /// Waits for the reply, at most until the limit; nil: the time limit from now.
  ///
  /// - Parameter isLast: Whether this is the last request: the sending side of the connection is then closed.
  public mutating func ask(
    _ request: SealRequest, until limit: Int64? = nil, isLast: Bool
  ) throws(SealFailure) -> SealReply {
    if let current = process.take(), current.isReady {
      // A prepared process may have stopped, or hang. It gets half of the limit, and a new process
      // all of it.
      let mayHang = isUntried && limit == nil
      do throws(SealFailure) {
        return try ask(
          request, of: current, until: mayHang ? program.shortLimit : limit, isLast: isLast)
      } catch { if !mayHang { throw error } }
    }
    return try ask(request, of: try program.start(), until: limit, isLast: isLast)
  }

  /// Asks a process, which is killed if the request fails.
  private mutating func ask(
    _ request: SealRequest, of process: consuming SealProcess, until limit: Int64?, isLast: Bool
  ) throws(SealFailure) -> SealReply {
    var current = process
    let reply = try current.ask(request, until: limit ?? program.limit, isLast: isLast)
    self.process = consume current
    (idleSince, isUntried) = (MonotonicClock.now, false)
    return reply
  }

  /// Lets the process end, without waiting for it.
  public mutating func release() { release(at: MonotonicClock.now) }

  private mutating func release(at now: Int64) {
    guard let process = process.take() else { return }
    process.finish()
    // An earlier one that has not ended yet is killed here.
    ending = consume process
    killTime = now + Self.endLimit
  }

  /// Lets the process end, and waits for it: it may have the only access to a TPM.
  public mutating func end() {
    release()
    guard var process = ending.take() else { return }
    process.waitForEnd()
  }
}
