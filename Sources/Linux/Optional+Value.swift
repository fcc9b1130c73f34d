extension Optional {
  /// Whether there is a value.
  ///
  /// For `!= nil` of a large `Equatable` struct, the compiler copies the value and links the struct's `==`: together 10 kB of
  /// paraphd.
  public var hasValue: Bool { if case .some = self { true } else { false } }
}
