/// An array of fixed capacity that never allocates after its creation.
///
/// Appending to a full array fails, so that the caller decides what an overflow means.
@safe public struct RigidArray<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline let storage: UnsafeMutablePointer<Element>
  /// The number of elements that fit.
  public let capacity: Int
  /// The number of elements.
  public private(set) var count = 0

  /// Allocates memory for `capacity` elements, which must be positive.
  public init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
    unsafe storage = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
  }

  deinit { unsafe storage.deallocate() }

  /// Appends an element; returns false if the array is full.
  ///
  /// Inlined, so that the element is built in its place and not copied there.
  @discardableResult @inline(__always)
  public mutating func append(_ element: Element) -> Bool {
    guard count < capacity else { return false }
    unsafe storage[count] = element
    count &+= 1
    return true
  }

  /// Appends a tuple of elements, all or none; returns false if they do not fit.
  @discardableResult @inline(__always)
  mutating func append<Elements: BitwiseCopyable>(contentsOf elements: Elements) -> Bool {
    let added = MemoryLayout<Elements>.size / MemoryLayout<Element>.stride
    guard count <= capacity &- added else { return false }
    appendFitting(elements)
    return true
  }

  /// Appends a tuple of elements for which there is memory.
  @inline(__always)
  mutating func appendFitting<Elements: BitwiseCopyable>(_ elements: Elements) {
    let added = MemoryLayout<Elements>.size / MemoryLayout<Element>.stride
    assert(count <= capacity &- added)
    // A homogeneous tuple has the layout of an array.
    let end = unsafe UnsafeMutableRawPointer(storage + count)
    unsafe end.assumingMemoryBound(to: Elements.self).initialize(to: elements)
    count &+= added
  }

  /// Removes the last element of an array that is not empty.
  public mutating func removeLast() {
    precondition(count > 0)
    count -= 1
  }

  /// Removes all elements and keeps the capacity.
  public mutating func removeAll() { count = 0 }

  /// Keeps the first `count` elements.
  public mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count)
    self.count = count
  }

  /// Reads or replaces one element.
  public subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      return unsafe storage[index]
    }
    set {
      precondition(index >= 0 && index < count)
      unsafe storage[index] = newValue
    }
  }

  /// The elements, in order.
  public var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe Span(_unsafeStart: storage, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Touches the pages of the next free element and of the one `lookahead` further.
  ///
  /// Later appends then do not fault.
  public func prefault(lookahead: Int) {
    prefaultElement(0)
    prefaultElement(lookahead)
  }

  /// Touches a free element, counted from the next one; leaves elements in use alone.
  private func prefaultElement(_ offset: Int) {
    guard offset >= 0, offset < capacity - count else { return }
    unsafe UnsafeMutableRawPointer(storage + count + offset).storeBytes(of: 0, as: UInt8.self)
  }
}

/// The array is the only owner of its memory.
extension RigidArray: @unchecked Sendable where Element: Sendable {}
