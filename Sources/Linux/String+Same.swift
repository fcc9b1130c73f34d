extension String {
  /// Byte for byte: what the kernel names needs no canonical equivalence, whose tables a small board would have to
  /// carry.
  public func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
