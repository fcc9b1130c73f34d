/// Lets something happen a number of times in each span of time.
struct RateLimit {
  private let count: Int
  private let span: Int64
  private var begin: Int64?
  private var used = 0

  /// `count` times in every `span` nanoseconds.
  init(count: Int, every span: Int64) {
    self.count = count
    self.span = span
  }

  /// Whether it may happen now; then it has.
  mutating func allows(at now: Int64) -> Bool {
    if let begin, now &- begin < span {
      used += 1
      return used <= count
    }
    begin = now
    used = 1
    return count > 0
  }
}
