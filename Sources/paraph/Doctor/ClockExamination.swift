import JSON
import Linux

/// Examines the clock, which only dates the manifests: order and delays do not depend on it.
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
          .clock, .wrong, "the clock says \(WallClock.text(now)): signatures would get that date",
          advice: "set the clock: timedatectl, a time server, or a battery for the RTC",
          details: details)
      } else if !isSynchronized {
        Finding(
          .clock, .note, "\(WallClock.text(now)), not synchronised; manifests record that",
          advice: "timedatectl set-ntp yes, if there is a network", details: details)
      } else {
        Finding(.clock, .right, "\(WallClock.text(now)), synchronised", details: details)
      }
    findings = [finding]
  }
}
