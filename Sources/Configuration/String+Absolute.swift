extension String {
  /// Whether it is a path from the root.
  var isAbsolute: Bool { Array(utf8).first == UInt8(ascii: "/") }
}
