/// When the render thread checks its panel: after a heartbeat or a notice of the kernel asked for it, but not in the
/// middle of a signature. A check is dozens of ioctls, and may read a monitor's EDID over I²C. Pure.
struct PanelCheck {
  /// When it was asked for first.
  private var asked: Int64?
  private var lastSample: Int64 = .min / 2

  /// A check waits until this long after the latest sample, in nanoseconds: between two strokes of a signature the
  /// hand is in the air for less. A thing that lies still on the glass puts no check off.
  static let pause: Int64 = 2_000_000_000
  /// A check that was asked for this long ago is made as soon as nothing draws, in nanoseconds.
  static let limit: Int64 = 30_000_000_000

  init() {}

  /// Whether a check is to be made.
  var isAsked: Bool { asked != nil }

  /// Asks for a check.
  mutating func ask(at now: Int64) { asked = asked ?? now }

  /// A sample was read, with the kernel's stamp.
  mutating func sampled(at time: Int64) { lastSample = max(lastSample, min(time, .max / 2)) }

  /// Whether a check may be made at `now`.
  func isAllowed(isDrawing: Bool, at now: Int64) -> Bool {
    if now &- lastSample >= PanelCheck.pause { return true }
    return !isDrawing && asked.map { now &- $0 >= PanelCheck.limit } ?? false
  }

  /// When the check that was asked for may be made, if nothing is drawn until then; nil if none was.
  func deadline(isDrawing: Bool) -> Int64? {
    guard let asked else { return nil }
    let quiet = lastSample &+ PanelCheck.pause
    return isDrawing ? quiet : min(quiet, asked &+ PanelCheck.limit)
  }

  /// Whether to check now; true once for each time that it was asked for.
  mutating func take(isDrawing: Bool, at now: Int64) -> Bool {
    guard isAsked, isAllowed(isDrawing: isDrawing, at: now) else { return false }
    asked = nil
    return true
  }
}
