/// Room for a fixed number of elements, allocated once: appending never allocates.
///
/// Appending to a full array is refused, so that a caller decides what overflow means.
@safe public struct RigidArray<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline let storage: UnsafeMutablePointer<Element>
  /// How many elements fit.
  public let capacity: Int
  /// How many there are.
  public private(set) var count = 0

  /// Allocates room for `capacity` elements.
  public init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
    unsafe storage = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
  }

  deinit { unsafe storage.deallocate() }

  /// Adds an element at the end; false if there is no room.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    guard count < capacity else { return false }
    unsafe storage[count] = element
    count += 1
    return true
  }

  /// Forgets the last element; there has to be one.
  public mutating func removeLast() {
    precondition(count > 0)
    count -= 1
  }

  /// Adds several elements at the end, all or none; false if there is no room.
  @discardableResult @inline(__always)
  mutating func append<Elements: BitwiseCopyable>(contentsOf elements: Elements) -> Bool {
    let added = MemoryLayout<Elements>.size / MemoryLayout<Element>.stride
    guard count <= capacity - added else { return false }
    // A tuple of elements lies as they do.
    let place = unsafe UnsafeMutableRawPointer(storage + count)
    unsafe place.assumingMemoryBound(to: Elements.self).initialize(to: elements)
    count += added
    return true
  }

  /// Forgets all elements and keeps the room.
  public mutating func removeAll() { count = 0 }

  /// Forgets the elements from an index on.
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
}

/// The storage is owned alone.
extension RigidArray: @unchecked Sendable where Element: Sendable {}
