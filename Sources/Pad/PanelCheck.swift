/// When the render thread checks its panel: after a heartbeat asked for it, but not while a hand draws. A check
/// is dozens of ioctls, and may read a monitor's EDID over I²C. Pure.
struct PanelCheck {
  private(set) var isAsked = false
  private var lastSample: Int64 = .min / 2

  /// A hand that rests this long on the glass does not notice a check, in nanoseconds. Without such a limit, a
  /// thing that lies on the pad would put it off for good.
  static let stillness: Int64 = 1_000_000_000

  init() {}

  /// A heartbeat asks for a check.
  mutating func ask() { isAsked = true }

  /// A sample was read, with the kernel's stamp.
  mutating func sampled(at time: Int64) { lastSample = max(lastSample, time) }

  /// Whether a check may be made at `now`.
  func isAllowed(isDrawing: Bool, at now: Int64) -> Bool {
    !isDrawing || now - lastSample >= PanelCheck.stillness
  }

  /// Whether to check now; true once for each time that it was asked for.
  mutating func take(isDrawing: Bool, at now: Int64) -> Bool {
    guard isAsked, isAllowed(isDrawing: isDrawing, at: now) else { return false }
    isAsked = false
    return true
  }
}
