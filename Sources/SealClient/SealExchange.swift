internal import Linux
public import Seal

/// What is said to one process of paraph-seal about one signature: first to seal its files, then to sign its manifest.
///
/// The process starts when it is prepared, or else with the first request. At rest there is none.
public struct SealExchange: ~Copyable {
  private let program: SealProgram
  private var process: SealProcess?
  private var prepared: Int64 = 0
  /// The process has answered nothing yet.
  private var isUntried = false
  /// A process that was let go, and when it is killed.
  private var leaving: SealProcess?
  private var leavingLimit: Int64 = 0

  /// How long a process may wait for its first request, in nanoseconds: somebody may never finish a signature.
  private static let waitLimit: Int64 = 300_000_000_000
  /// How long a process may take to end, in nanoseconds.
  private static let endLimit: Int64 = 1_000_000_000

  /// Starts nothing yet.
  public init(with program: SealProgram) { self.program = program }

  /// Whether there is a process.
  public var hasProcess: Bool { process != nil }

  /// When `time(_:)` must be called, CLOCK_MONOTONIC; nil: never.
  public var deadline: Int64? {
    let ends = [
      hasProcess ? prepared + Self.waitLimit : nil, leaving != nil ? leavingLimit : nil,
    ]
    return ends.compactMap { $0 }.min()
  }

  /// Handles what was due at `now`: a process that nobody has asked is let go, and one that does not end is killed.
  public mutating func time(_ now: Int64) {
    if hasProcess, now >= prepared + Self.waitLimit { letGo() }
    guard let process = leaving.take() else { return }
    if !process.hasEnded, now < leavingLimit { leaving = consume process }
  }

  /// Starts the process unless it runs, and has it load what the requests will need. Does not wait for it.
  ///
  /// What fails here fails again when it is asked, and is told then.
  public mutating func prepare(_ request: SealRequest) {
    if hasProcess { return }
    do throws(SealFailure) {
      var started = try program.start()
      // One that does not take the whole request would wait for the rest of it.
      guard started.tell(request) else { return }
      process = consume started
      (prepared, isUntried) = (MonotonicClock.now, true)
    } catch {}
  }

  /// Waits for the reply, at most until the limit; nil: the time limit from now.
  ///
  /// - Parameter isLast: Whether no other request follows until `end`.
  public mutating func ask(
    _ request: SealRequest, until limit: Int64? = nil, isLast: Bool
  ) throws(SealFailure) -> SealReply {
    if let current = process.take(), current.isReady {
      // One that was prepared has waited: it may have been stopped, or hang in what it has loaded. Another one can still
      // succeed.
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
    (prepared, isUntried) = (MonotonicClock.now, false)
    return reply
  }

  /// Has the process end, and does not wait for that.
  public mutating func letGo() {
    guard let process = process.take() else { return }
    process.finish()
    // An earlier one that has not ended yet is killed here.
    leaving = consume process
    leavingLimit = MonotonicClock.now + Self.endLimit
  }

  /// Has the process end, and waits for that: it may have the only access to a TPM.
  public mutating func end() {
    letGo()
    guard var process = leaving.take() else { return }
    process.waitForEnd()
  }
}
