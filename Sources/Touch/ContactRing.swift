public import Ink
public import Linux
internal import Synchronization

/// An event of a contact that may draw, in millimetres on the glass.
public struct GlassContact: BitwiseCopyable, Sendable, Equatable {
  /// The phase of a contact.
  public enum Phase: UInt8, BitwiseCopyable, Sendable {
    /// The contact began.
    case down
    /// The position or the pressure changed.
    case move
    /// The contact was lifted; the sample is the last one known.
    case up
    /// The contact ended without a lift, or should not have drawn.
    case cancel
  }

  /// The phase.
  public var phase: Phase
  /// Events were lost before this one: ink must not bridge the gap.
  public var isAfterGap: Bool
  /// Only for `cancel`: the contact should not have drawn, and its ink is removed.
  ///
  /// It was a palm, a ghost, or a finger beside a pen. Otherwise the ink stays: the screen was unplugged, for
  /// example.
  public var isMistake: Bool
  /// The number of the contact, from 0.
  public var contact: Int32
  /// The time, position and pressure.
  public var sample: Sample

  /// One event of one contact.
  public init(
    _ phase: Phase, _ sample: Sample, contact: Int32 = 0, isAfterGap: Bool = false,
    isMistake: Bool = false
  ) {
    self.phase = phase
    self.isMistake = isMistake
    self.isAfterGap = isAfterGap
    self.contact = contact
    self.sample = sample
  }

  /// Whether the contact ended.
  var isEnd: Bool { phase == .up || phase == .cancel }
}

/// A ring buffer from the input thread to the render thread: one producer, one consumer.
///
/// Neither side allocates, locks or waits for the other. A full ring drops and counts new events, and marks the
/// first one that has room again as following a gap. The last eighth is reserved for the ends of contacts: a lost
/// report does little harm, a contact that never ends does.
///
/// Sendable by contract: one thread pushes, one pops.
@safe public final class ContactRing: @unchecked Sendable {
  private let records: UnsafeMutablePointer<GlassContact>
  private let mask: Int
  private let cursors = Cursors()
  private let lost = Atomic<Int>(0)
  private let event: EventDescriptor

  /// The positions of reader and writer, on separate cache lines against false sharing.
  private struct Cursors: ~Copyable, Sendable {
    let head = Atomic<Int>(0)
    let headLine: InlineArray<7, Int> = .init(repeating: 0)
    let tail = Atomic<Int>(0)
    let tailLine: InlineArray<7, Int> = .init(repeating: 0)
    /// The producer's own: an event was dropped since the last successful push.
    let dropped = Atomic<Bool>(false)
  }

  /// A ring of 2 to the power of `capacityLog2` events.
  ///
  /// The default holds two seconds of ten contacts at 200 Hz.
  public init(capacityLog2: Int = 12) throws(Errno) {
    event = try EventDescriptor()
    mask = (1 << capacityLog2) - 1
    unsafe records = .allocate(capacity: 1 << capacityLog2)
    // Touches the pages so that the first pushes do not fault.
    unsafe UnsafeMutableRawPointer(records).initializeMemory(
      as: UInt8.self, repeating: 0, count: MemoryLayout<GlassContact>.stride << capacityLog2)
  }

  deinit { unsafe records.deallocate() }

  /// For poll(2): readable after `wake()` until `beginReading()`.
  public var number: Int32 { event.number }

  /// Producer: adds an event. Returns false, and counts it, if there is no room.
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

  /// Producer: wakes the consumer after the events of a frame.
  public func wake() { event.signal() }

  /// Consumer: rearms `wake()`; then `pop()` until nil.
  public func beginReading() { event.clear() }

  /// Consumer: the next event, or nil.
  public func pop() -> GlassContact? {
    let head = cursors.head.load(ordering: .relaxed)
    guard head != cursors.tail.load(ordering: .acquiring) else { return nil }
    let contact = unsafe records[head & mask]
    cursors.head.store(head &+ 1, ordering: .releasing)
    return contact
  }

  /// Returns the number of dropped events, and resets it to 0.
  public func drainLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
