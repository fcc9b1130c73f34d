/// A touchscreen of this kernel that this program holds in being: gone with its owner.
protocol TouchDevice: ~Copyable {
  /// Where the kernel asks things, for poll(2); −1 if it never does.
  var questions: Int32 { get }

  /// Answers what the kernel has asked.
  mutating func answer() throws(Failure)

  /// Whether the driver has taken the device up.
  var isReady: Bool { get }

  /// Whether a finger that rests must be reported again and again: hid-multitouch takes a contact of
  /// which it hears nothing for 100 ms for one whose end got lost.
  var repeats: Bool { get }

  /// Sends one report: what has changed between `fingers.before` and `fingers.now`.
  mutating func report(_ fingers: borrowing Fingers) throws(Failure)
}

/// One line that says what went wrong.
struct Failure: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
