/// When the render thread takes the screenshot of a client: not while a stroke is drawn, but within a second.
struct ScreenCapture {
  /// How long a stroke may delay a screenshot, in nanoseconds.
  static let limit: Int64 = 1_000_000_000

  private var allowsInk = false
  /// When the screenshot is taken even during a stroke; nil: no client wants one.
  private(set) var deadline: Int64?

  /// A client wants a screenshot. `allowsInk`: also while there is ink on the glass.
  mutating func request(allowsInk: Bool, at now: Int64) {
    (self.allowsInk, deadline) = (allowsInk, now + ScreenCapture.limit)
  }

  /// Whether to take the screenshot now; nil: not now. The value is that of `allowsInk`.
  mutating func take(isDrawing: Bool, at now: Int64) -> Bool? {
    guard let deadline, !isDrawing || now >= deadline else { return nil }
    self.deadline = nil
    return allowsInk
  }

  /// Drops the screenshot; returns whether a client wanted one.
  mutating func cancel() -> Bool {
    defer { deadline = nil }
    return deadline != nil
  }
}
