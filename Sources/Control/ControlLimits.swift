/// What programs may send, as config/org.paraph.Pad.varlink promises it; a test compares them.
enum ControlLimits {
  /// A message with the NUL that ends it, in bytes. A request with the longest texts has 29 kB if every
  /// letter is written as an escape of six bytes.
  static let message = 32 << 10
  /// A reference, in bytes of UTF-8.
  static let reference = 1 << 10
  /// A title, a prompt or a text, in bytes of UTF-8.
  static let text = 2400
}
