extension RigidArray {
  /// Has the kernel give the memory for the next element and for the one `ahead` of it: who does so in time
  /// never waits for a page when he appends.
  public func prefault(ahead: Int) {
    prefaultElement(0)
    prefaultElement(ahead)
  }

  /// The free element that is `ahead` of the next one; elements in use are left alone.
  private func prefaultElement(_ ahead: Int) {
    guard ahead >= 0, ahead < capacity - count else { return }
    unsafe UnsafeMutableRawPointer(storage + count + ahead).storeBytes(of: 0, as: UInt8.self)
  }
}
