extension String {
  /// Whether both texts have the same bytes. Names of the kernel have no canonical equivalence.
  public func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Decodes UTF-8 and repairs invalid sequences.
  public init(decoding bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
