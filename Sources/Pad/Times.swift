/// A duration as text.
struct TimeSpan {
  let nanoseconds: Int64

  /// In microseconds below a millisecond, in milliseconds with one decimal above.
  var text: String {
    let micros = (nanoseconds + 500) / 1000
    if micros < 1000 { return "\(micros) µs" }
    let tenths = (micros + 50) / 100
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}

/// The earlier of two deadlines; nil: there is none.
func earlier(_ a: Int64?, _ b: Int64?) -> Int64? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}
