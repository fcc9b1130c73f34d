/// The earlier of two moments, where there are any.
func earlier(_ a: Int64?, _ b: Int64?) -> Int64? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}
