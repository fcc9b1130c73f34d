public import Linux
internal import Synchronization

/// The way from the input thread to the render thread: one producer, one consumer, fixed room. Neither
/// side allocates, locks or waits for the other.
///
/// When it is full, what comes is dropped and counted, and the first that finds room again is marked
/// as coming after a gap. The last eighth is for the ends of contacts: that a report is lost does little
/// harm, that a finger stays down for ever does much.
///
/// Sendable by contract: one thread pushes, one pops.
@safe public final class ContactRing: @unchecked Sendable {
  private let records: UnsafeMutablePointer<GlassContact>
  private let mask: Int
  private let cursors = Cursors()
  private let lost = Atomic<Int>(0)
  private let event: EventDescriptor

  /// Next to read and next to write, on cache lines of their own: the two threads must not take them
  /// from one another.
  private struct Cursors: ~Copyable, Sendable {
    let head = Atomic<Int>(0)
    let headLine: InlineArray<7, Int> = .init(repeating: 0)
    let tail = Atomic<Int>(0)
    let tailLine: InlineArray<7, Int> = .init(repeating: 0)
    /// Producer's own: something was dropped since the last push that found room.
    let dropped = Atomic<Bool>(false)
  }

  /// Room for 2 to the power of `capacityLog2` events; by default for ten contacts at 200 Hz while
  /// nobody reads for two seconds.
  public init(capacityLog2: Int = 12) throws(Errno) {
    event = try EventDescriptor()
    mask = (1 << capacityLog2) - 1
    unsafe records = .allocate(capacity: 1 << capacityLog2)
    // The kernel is to give the memory now: the thread that pushes first must not wait for it.
    unsafe UnsafeMutableRawPointer(records).initializeMemory(
      as: UInt8.self, repeating: 0, count: MemoryLayout<GlassContact>.stride << capacityLog2)
  }

  deinit { unsafe records.deallocate() }

  /// For poll(2): readable after `wake()` until `beginReading()`.
  public var number: Int32 { event.number }

  /// Producer: adds an event; false, and counted, if there is no room.
  @discardableResult
  public func push(_ contact: GlassContact) -> Bool {
    let tail = cursors.tail.load(ordering: .relaxed)
    let room = contact.isEnd ? mask + 1 : mask + 1 - (mask + 1) / 8
    guard tail &- cursors.head.load(ordering: .acquiring) < room else {
      lost.wrappingAdd(1, ordering: .relaxed)
      cursors.dropped.store(true, ordering: .relaxed)
      return false
    }
    var contact = contact
    if cursors.dropped.load(ordering: .relaxed) {
      contact.isAfterGap = true
      cursors.dropped.store(false, ordering: .relaxed)
    }
    unsafe records[tail & mask] = contact
    cursors.tail.store(tail &+ 1, ordering: .releasing)
    return true
  }

  /// Producer: after the events of a frame, wakes the consumer.
  public func wake() { event.signal() }

  /// Consumer: what comes from now on wakes again; then `pop()` until nil.
  public func beginReading() { event.clear() }

  /// Consumer: the next event, or nil.
  public func pop() -> GlassContact? {
    let head = cursors.head.load(ordering: .relaxed)
    guard head != cursors.tail.load(ordering: .acquiring) else { return nil }
    let contact = unsafe records[head & mask]
    cursors.head.store(head &+ 1, ordering: .releasing)
    return contact
  }

  /// How many events were dropped since this was last asked.
  public func drainLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
