internal import CLinux
internal import Client
internal import JSON
internal import Linux
internal import Retry

/// Learns the pad's status as a client of its Varlink service.
///
/// One connection is for Watch, and one a minute for GetInfo.
/// Never waits. A pad that is absent, refuses, is silent or sends nonsense is tried again after a random pause of up
/// to a minute, and its state is unknown meanwhile.
final class PadLink {
  /// The status now.
  private(set) var status = PadStatus()
  /// When `work` must be called.
  private(set) var due: Int64 = 0

  /// For poll(2); −1: none.
  private(set) var watchNumber: Int32 = -1
  private(set) var infoNumber: Int32 = -1

  private let path: String
  private var watch: VarlinkConnection?
  private var info: VarlinkConnection?
  private var infoBegun: Int64 = 0
  private var infoDue: Int64 = 0
  /// The state that Watch reported last.
  private var watched = PadStatus.unknownState
  private var retryDue: Int64 = 0
  private var failures = 0
  private var random: SplitMix64

  private static let backoff = Backoff(first: 1_000_000_000, longest: 60_000_000_000)
  private static let infoInterval: Int64 = 60_000_000_000
  private static let infoTimeLimit: Int64 = 10_000_000_000
  private static let replyLimit = 256 << 10
  /// Of a peer that sends without pause.
  private static let readLimit = 16

  /// `path`: of the pad's socket.
  init(_ path: String, seed: UInt64) {
    self.path = path
    random = SplitMix64(seed: seed)
  }

  /// Connects, asks and reads, as far as due.
  func work(at now: Int64) {
    if watchNumber < 0 && now >= retryDue { connect(at: now) }
    readWatch(at: now)
    if infoNumber < 0 && watchNumber >= 0 && now >= infoDue { ask(at: now) }
    readInfo(at: now)
    if infoNumber >= 0 && now >= infoBegun + Self.infoTimeLimit { endInfo(at: now, isKnown: false) }
    due =
      watchNumber < 0 ? retryDue : infoNumber < 0 ? infoDue : infoBegun + Self.infoTimeLimit
  }

  private func connect(at now: Int64) {
    do throws(Errno) {
      let connection = try VarlinkConnection(path, replyLimit: Self.replyLimit)
      watchNumber = connection.number
      watch = consume connection
      do throws(VarlinkConnection.Failure) {
        try watch?.call("org.paraph.Pad.Watch", [], more: true)
        infoDue = now
      } catch { lose(at: now) }
    } catch { lose(at: now) }
  }

  private func lose(at now: Int64) {
    watch = nil
    info = nil
    (watchNumber, infoNumber) = (-1, -1)
    status = PadStatus()
    watched = PadStatus.unknownState
    failures = min(failures + 1, 64)
    retryDue = now + Self.backoff.delay(after: failures, random: &random)
  }

  private func readWatch(at now: Int64) {
    do throws(VarlinkConnection.Failure) {
      for _ in 0..<Self.readLimit {
        guard try watch?.receive() == true else { break }
        while let reply = try watch?.next() {
          guard case .result(let parameters, true) = reply,
            let state = PadStatus.state(in: parameters)
          else { return lose(at: now) }
          failures = 0
          // A pad that is out of service may have lost its panel or its touchscreen.
          if state != status.state { infoDue = min(infoDue, now) }
          (watched, status.state) = (state, state)
        }
      }
    } catch { lose(at: now) }
  }

  private func ask(at now: Int64) {
    infoBegun = now
    do throws(Errno) {
      let connection = try VarlinkConnection(path, replyLimit: Self.replyLimit)
      infoNumber = connection.number
      info = consume connection
      do throws(VarlinkConnection.Failure) {
        try info?.call("org.paraph.Pad.GetInfo", [])
      } catch { endInfo(at: now, isKnown: false) }
    } catch { endInfo(at: now, isKnown: false) }
  }

  private func readInfo(at now: Int64) {
    do throws(VarlinkConnection.Failure) {
      for _ in 0..<Self.readLimit {
        guard try info?.receive() == true else { break }
        guard let reply = try info?.next() else { continue }
        guard case .result(let parameters, _) = reply else {
          return endInfo(at: now, isKnown: false)
        }
        status.read(info: parameters)
        status.state = watched
        return endInfo(at: now, isKnown: true)
      }
    } catch { endInfo(at: now, isKnown: false) }
  }

  private func endInfo(at now: Int64, isKnown: Bool) {
    info = nil
    infoNumber = -1
    infoDue = now + Self.infoInterval
    // A pad that hangs keeps its connections, and Watch says nothing of it.
    if !isKnown { status = PadStatus() }
  }
}
