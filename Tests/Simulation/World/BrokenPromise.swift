#if DEBUG
  /// A promise that does not hold.
  struct BrokenPromise: Error {
    let text: String

    init(_ text: String) { self.text = text }
  }
#endif
