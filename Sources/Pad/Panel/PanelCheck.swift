/// When the render thread checks its panel: on request, but not during a signature.
///
/// Heartbeats and hotplug notices request checks. A check takes dozens of ioctls, and may read a monitor's EDID over
/// I²C.
struct PanelCheck {
  /// The time of the first request.
  private var requested: Int64?
  private var lastSample: Int64 = .min / 2

  /// A check waits until this many nanoseconds after the last sample, longer than the hand is lifted between two
  /// strokes. Motionless contacts have no samples.
  static let quietTime: Int64 = 2_000_000_000
  /// A check waits at most this many nanoseconds if nothing is being drawn.
  static let limit: Int64 = 30_000_000_000

  /// No request.
  init() {}

  /// Whether a check is requested.
  var isRequested: Bool { requested != nil }

  /// Requests a check.
  mutating func request(at now: Int64) { requested = requested ?? now }

  /// A sample with the kernel's time stamp was read.
  mutating func sampled(at time: Int64) { lastSample = max(lastSample, min(time, .max / 2)) }

  /// Whether a check may be made at `now`.
  func isAllowed(isDrawing: Bool, at now: Int64) -> Bool {
    if now &- lastSample >= Self.quietTime { return true }
    return !isDrawing && requested.map { now &- $0 >= Self.limit } ?? false
  }

  /// The time of the requested check if nothing is drawn until then; nil without a request.
  func deadline(isDrawing: Bool) -> Int64? {
    guard let requested else { return nil }
    let quiet = lastSample &+ Self.quietTime
    return isDrawing ? quiet : min(quiet, requested &+ Self.limit)
  }

  /// Whether to check now; ends the request if so.
  mutating func begin(isDrawing: Bool, at now: Int64) -> Bool {
    guard isRequested, isAllowed(isDrawing: isDrawing, at: now) else { return false }
    requested = nil
    return true
  }
}
