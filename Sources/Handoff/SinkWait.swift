/// What a sink waits for while there is nothing to deliver.
struct SinkWait {
  /// Readable, or writable where `output` is true; −1: nothing.
  var descriptor: Int32 = -1
  var output = false
  /// At most; nil: for ever.
  var nanoseconds: Int64?

  /// For poll(2), rounded up.
  var milliseconds: Int32 {
    guard let nanoseconds else { return -1 }
    return Int32(clamping: max(0, nanoseconds + 999_999) / 1_000_000)
  }
}
