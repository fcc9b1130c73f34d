import JSON
import Linux

/// Whether the manifests get the right date. Nothing else depends on it: order and delays do not.
struct ClockExamination {
  let findings: [Finding]

  init() { self.init(now: WallClock.now, isSynchronized: WallClock.isSynchronized) }

  /// 2025-01-01: a board without a battery starts in 1970, or when its image was made.
  private static let plausible: Int64 = 1_735_689_600_000_000_000

  init(now: Int64, isSynchronized: Bool) {
    let details: [(String, JSONValue)] = [
      ("time", .text(WallClock.text(now))), ("synchronized", .flag(isSynchronized)),
    ]
    let finding: Finding =
      if now < Self.plausible {
        Finding(
          .clock, .wrong, "it is \(WallClock.text(now)) here: signatures would carry that date",
          advice: "set the clock: timedatectl, a time server, or a battery for the RTC",
          details: details)
      } else if !isSynchronized {
        Finding(
          .clock, .note, "\(WallClock.text(now)), set by nobody: manifests say so",
          advice: "timedatectl set-ntp yes, where there is a network", details: details)
      } else {
        Finding(.clock, .right, "\(WallClock.text(now)), synchronised", details: details)
      }
    findings = [finding]
  }
}
