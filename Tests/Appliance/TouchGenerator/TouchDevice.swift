/// A virtual touchscreen of this kernel; destroyed with its owner.
protocol TouchDevice: ~Copyable {
  /// The descriptor of the kernel's requests, for poll(2); −1 without any.
  var requests: Int32 { get }

  /// Answers a request of the kernel.
  mutating func answer() throws(Failure)

  /// Whether a driver has bound to the device.
  var isReady: Bool { get }

  /// Whether a resting finger must be reported repeatedly.
  ///
  /// hid-multitouch ends a contact without a report for 100 ms.
  var repeats: Bool { get }

  /// Sends a report of the changes from `fingers.before` to `fingers.now`.
  mutating func report(_ fingers: borrowing Fingers) throws(Failure)
}

/// An error as a line.
struct Failure: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
