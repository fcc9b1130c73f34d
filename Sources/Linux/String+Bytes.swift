extension String {
  /// Whether both texts have the same bytes. Names of the kernel have no canonical equivalence.
  public func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Decodes UTF-8 and repairs invalid sequences.
  public init(decoding bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

/// What the standard library's generic functions do, without their path for strings that are not UTF-8, which no program
/// of ours has. Each of their copies takes 0.8 to 2 kB.
extension String.UTF8View {
  /// Whether all bytes satisfy a condition.
  public func allSatisfy(_ condition: (UInt8) -> Bool) -> Bool {
    let bytes = span
    for index in bytes.indices where !condition(bytes[index]) { return false }
    return true
  }

  /// Whether the text begins with these bytes.
  public func starts(with prefix: String.UTF8View) -> Bool {
    let (bytes, first) = (span, prefix.span)
    guard bytes.count >= first.count else { return false }
    for index in first.indices where bytes[index] != first[index] { return false }
    return true
  }

  /// Whether both texts have the same bytes.
  public func elementsEqual(_ other: String.UTF8View) -> Bool {
    count == other.count && starts(with: other)
  }

  /// Whether the text ends with these bytes.
  public func ends(with suffix: String.UTF8View) -> Bool {
    let (bytes, last) = (span, suffix.span)
    let start = bytes.count - last.count
    guard start >= 0 else { return false }
    for index in last.indices where bytes[start + index] != last[index] { return false }
    return true
  }

  /// Whether the text sorts before another one, byte by byte.
  public func lexicographicallyPrecedes(_ other: String.UTF8View) -> Bool {
    let (bytes, others) = (span, other.span)
    for index in 0..<Swift.min(bytes.count, others.count) where bytes[index] != others[index] {
      return bytes[index] < others[index]
    }
    return bytes.count < others.count
  }
}
