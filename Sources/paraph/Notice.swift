import Linux

/// A sentence on standard error about what a command took upon itself.
enum Notice {
  static func write(_ line: String) { StandardError.write("paraph: \(line.printable)\n") }
}
