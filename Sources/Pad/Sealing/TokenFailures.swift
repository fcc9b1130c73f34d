internal import Linux

/// The failures of a token since the last success or reload, also over restarts, because the token counts them too.
struct TokenFailures: Sendable {
  private(set) var count: Int
  /// Nil: they are not counted over restarts.
  private var file: CrashCounter?

  /// - Parameter folder: The runtime directory, which lasts until the pad is stopped; nil: there is none.
  init(in folder: String?) {
    file = folder.map { CrashCounter(in: $0, "token-failures") }
    count = file?.count ?? 0
  }

  mutating func add() {
    count = min(count + 1, CrashCounter.limit)
    file?.begin()
  }

  mutating func clear() {
    if count == 0 { return }
    count = 0
    file?.clear()
  }
}
