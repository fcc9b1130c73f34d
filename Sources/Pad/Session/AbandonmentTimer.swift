/// Determines when ink or an invitation is abandoned: some time after the last touch of a visible pad.
struct AbandonmentTimer: Sendable {
  /// In nanoseconds; nil: never.
  private let limit: Int64?
  private var lastTouch: Int64 = 0
  /// When the pad was hidden; nil: it is visible.
  private var hiddenSince: Int64?

  init(limit: Int64?) { self.limit = limit }

  /// The pad was touched.
  mutating func touched(at time: Int64) { lastTouch = time }

  /// The pad is visible, or it is hidden. Hidden time does not count.
  mutating func setVisible(_ isVisible: Bool, at time: Int64) {
    if !isVisible {
      hiddenSince = hiddenSince ?? time
    } else if let since = hiddenSince {
      lastTouch += max(0, time - max(since, lastTouch))
      hiddenSince = nil
    }
  }

  /// When it is abandoned; nil: never, or not while the pad is hidden.
  var deadline: Int64? { hiddenSince == nil ? limit.map { lastTouch + $0 } : nil }
}
