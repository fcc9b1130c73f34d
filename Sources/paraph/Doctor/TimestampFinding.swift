import JSON
import Spool

/// How the fetches of time stamps go, for `paraph doctor`. Contains no personal data.
enum TimestampFinding {
  /// The finding about the items in `new`.
  static func of(_ spool: borrowing Spool) throws(SpoolError) -> Finding {
    var (waiting, failing, attempts) = (0, 0, 0)
    var reason: String?
    for id in try Spool.ids(in: spool.new) {
      // `DeliveryCheck` reports what cannot be read.
      guard case .absent? = try? spool.timestamp(of: id) else { continue }
      waiting += 1
      guard let failure = try? spool.timestampFailure(of: id) else { continue }
      failing += 1
      if failure.attempts >= attempts { (attempts, reason) = (failure.attempts, failure.reason) }
    }
    let details: [(String, JSONValue)] = [
      ("timestamps_waiting", .integer(waiting)), ("failing", .integer(failing)),
      ("attempts", .integer(attempts)), ("reason", .text(reason)),
    ]
    if failing > 0 {
      return Finding(
        .delivery, .wrong,
        "time stamps: \(failing) of \(waiting) signatures failed, \(attempts) times: "
          + (reason ?? "no reason recorded"),
        advice: "they are retried; check [timestamp] of paraph-handoff.conf", details: details)
    }
    return Finding(
      .delivery, .right,
      waiting == 0 ? "time stamps: none missing" : "time stamps: \(waiting) waiting",
      details: details)
  }
}
