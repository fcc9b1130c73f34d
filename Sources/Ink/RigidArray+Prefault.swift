extension RigidArray {
  /// Has the kernel give the memory for the next element and for the one `ahead` of it: who does so in time
  /// never waits for a page when he appends.
  public func prefault(ahead: Int) {
    prefault(at: count)
    prefault(at: count + ahead)
  }

  private func prefault(at index: Int) {
    guard index < capacity else { return }
    unsafe UnsafeMutableRawPointer(storage + index).storeBytes(of: 0, as: UInt8.self)
  }
}
