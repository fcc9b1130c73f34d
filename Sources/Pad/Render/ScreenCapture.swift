/// When the render thread takes the screenshot of a client: in a rest between strokes, but within a second.
///
/// It copies the canvas, which could delay the begin of a stroke.
struct ScreenCapture {
  /// How long a stroke may delay a screenshot, in nanoseconds.
  static let limit: Int64 = 1_000_000_000
  /// The time without a stroke after which the hand counts as resting, in nanoseconds.
  static let rest: Int64 = 300_000_000
  /// The least time between two screenshots, in nanoseconds.
  static let interval: Int64 = 1_000_000_000

  private var allowsInk = false
  /// The earliest time of the next screenshot during a rest.
  private var earliest = Int64.min
  /// When the screenshot is taken even during a stroke; nil: no client wants one.
  private(set) var deadline: Int64?

  /// A client wants a screenshot. `allowsInk`: also while there is ink on the glass.
  mutating func request(allowsInk: Bool, at now: Int64) {
    (self.allowsInk, deadline) = (allowsInk, now + ScreenCapture.limit)
  }

  /// Whether to take the screenshot now; nil: not now. The value is that of `allowsInk`.
  mutating func take(isDrawing: Bool, at now: Int64) -> Bool? {
    if isDrawing { earliest = max(earliest, now + ScreenCapture.rest) }
    guard let deadline, now >= min(earliest, deadline) else { return nil }
    self.deadline = nil
    earliest = now + ScreenCapture.interval
    return allowsInk
  }

  /// Drops the screenshot; returns whether a client wanted one.
  mutating func cancel() -> Bool {
    defer { deadline = nil }
    return deadline != nil
  }
}
