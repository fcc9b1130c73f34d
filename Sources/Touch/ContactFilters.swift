internal import Ink

/// Filters for noisy panels, between the decoder and the arbitration. Allocates only in `init`.
///
/// A size limit rejects palms. The others are tslib's, with its names, meanings and usual order: debounce, pthres,
/// skip, median. Unlike in tslib, a contact too short for `skip` is a tap at its last position: the dots of a
/// signature are short.
public struct ContactFilters: ~Copyable {
  /// The filters' settings; by default nothing is filtered.
  public struct Options: Sendable, Equatable {
    /// The size above which a contact is a palm: ABS_MT_TOUCH_MAJOR in device units.
    ///
    /// For panels without palm detection (libinput's AttrPalmSizeThreshold).
    public var palmSize: Int32?
    /// `debounce drop_threshold`: drop contacts that begin within this time of another's end, in nanoseconds.
    public var dropThreshold: Int64 = 0
    /// `pthres pmin`: the least pressure of a touch, in device units.
    public var leastPressure: Int32?
    /// `pthres pmax`: reports with more pressure are dropped, in device units.
    public var greatestPressure: Int32?
    /// `skip nhead`: the number of reports to drop at the start of a contact, 0…8.
    public var skipHead = 0
    /// `skip ntail`: the number of reports to drop at the end, 0…8; it delays all reports by as many.
    public var skipTail = 0
    /// `median depth`: the number of positions to take the median of, per axis; odd, 1…9.
    public var medianDepth = 1

    /// No filters.
    public init() {}

    /// Whether nothing is filtered.
    public var isNone: Bool { self == Options() }

    fileprivate var clamped: Options {
      var options = self
      options.skipHead = min(max(skipHead, 0), ContactFilters.limit)
      options.skipTail = min(max(skipTail, 0), ContactFilters.limit)
      options.medianDepth = min(max(medianDepth, 1), ContactFilters.limit + 1) | 1
      return options
    }
  }

  /// The limit of `skipHead` and `skipTail`.
  static let limit = 8

  private let options: Options
  private var slots: RigidArray<SlotFilter>
  private var output: RigidArray<ContactEvent>

  /// Filters for a device.
  public init(_ options: Options, for device: DeviceDescription) {
    self.options = options.clamped
    // One more for the point.
    let count = DeviceProtocol(device).slotCount + 1
    slots = RigidArray(capacity: count)
    for _ in 0..<count { slots.append(SlotFilter()) }
    output = RigidArray(capacity: 2 * count + 64)
  }

  /// The filtered events of the last frame.
  public var frame: Span<ContactEvent> {
    @_lifetime(borrow self)
    borrowing get { output.span }
  }

  /// Filters the last frame of a decoder.
  mutating func apply(to decoder: borrowing ContactDecoder) { apply(to: decoder.frame) }

  /// Filters a frame.
  public mutating func apply(to frame: Span<ContactEvent>) {
    output.removeAll()
    for index in frame.indices {
      let slot = Int(frame[index].tableIndex)
      guard slot < slots.count else { continue }
      var filter = slots[slot]
      var event = frame[index]
      if let palm = options.palmSize, let size = event.size, size > palm { event.tool = .palm }
      filter.apply(to: event, options) { _ = output.append($0) }
      slots[slot] = filter
    }
  }
}

/// The filters' state for one slot.
///
/// Not private: see `SlotTable.Ended`.
struct SlotFilter: BitwiseCopyable {
  private enum Touch: BitwiseCopyable {
    /// No contact, as far as the filters are concerned.
    case none
    /// The contact bounces: reports are dropped until it ends.
    case bounce
    /// A contact, the number of reports still to skip, and whether `down` was passed on.
    case touching(skip: Int, isDown: Bool)
  }

  private var touch = Touch.none
  private var lastEnd: Int64?
  /// The positions for the median; the next one replaces the oldest.
  private var positions: [9 of RawPosition] = .init(repeating: RawPosition(x: 0, y: 0))
  private var positionCount = 0
  private var oldest = 0
  /// Reports that wait because they may be the last ones.
  private var waiting: [9 of ContactEvent] = .init(repeating: .placeholder)
  private var waitingCount = 0
  private var lastPassed = ContactEvent.placeholder
  /// When the touch began, by the kernel's clock and the device's.
  private var began: (time: Int64, measured: Int64) = (0, 0)
  /// Events were lost before a dropped report. The next report that is kept is marked.
  private var isAfterGap = false

  /// Filters an event of the slot; calls `pass` with the results.
  mutating func apply(
    to event: ContactEvent, _ options: ContactFilters.Options, pass: (ContactEvent) -> Void
  ) {
    isAfterGap = isAfterGap || event.isAfterGap
    if event.isEnd {
      end(event, pass)
      touch = .none
      lastEnd = event.time
      return
    }
    if case .bounce = touch { return }
    if event.phase == .down, let lastEnd,
      (0..<options.dropThreshold).contains(event.time &- lastEnd)
    {
      touch = .bounce
      return
    }
    filterPressure(event, options, pass)
  }

  private mutating func filterPressure(
    _ event: ContactEvent, _ options: ContactFilters.Options, _ pass: (ContactEvent) -> Void
  ) {
    if let pressure = event.pressure {
      if let greatest = options.greatestPressure, pressure > greatest { return }
      if let least = options.leastPressure, pressure < least {
        end(event, pass)
        touch = .none
        return
      }
    }
    if case .none = touch {
      touch = .touching(skip: options.skipHead, isDown: false)
      (positionCount, oldest, waitingCount) = (0, 0, 0)
      lastPassed = .placeholder
      began = (event.time, event.measured)
    }
    skip(event, options, pass)
  }

  private mutating func skip(
    _ event: ContactEvent, _ options: ContactFilters.Options, _ pass: (ContactEvent) -> Void
  ) {
    guard case .touching(let left, let isDown) = touch, let position = event.position else {
      return
    }
    if left > 0 {
      touch = .touching(skip: left - 1, isDown: isDown)
      lastPassed = event
      return
    }
    var event = event
    event.isAfterGap = takeGap()
    // A median of positions on both sides of the gap would bridge it.
    if event.isAfterGap { (positionCount, oldest) = (0, 0) }
    event.position = median(with: position, depth: options.medianDepth)
    waiting[waitingCount] = event
    waitingCount += 1
    if waitingCount > options.skipTail { passOldest(pass) }
  }

  private mutating func passOldest(_ pass: (ContactEvent) -> Void) {
    guard case .touching(_, let isDown) = touch else { return }
    let event = waiting[0]
    for index in 1..<waiting.count { waiting[index - 1] = waiting[index] }
    waitingCount -= 1
    report(event, isDown ? .move : .down, pass)
    touch = .touching(skip: 0, isDown: true)
  }

  private mutating func report(
    _ event: ContactEvent, _ phase: ContactEvent.Phase, _ pass: (ContactEvent) -> Void
  ) {
    var event = event
    event.isStale = event.isStale && event.phase == .down && phase == .down
    event.phase = phase
    lastPassed = event
    pass(event)
  }

  /// The contact ended or became too light: the waiting reports were its tail.
  private mutating func end(_ event: ContactEvent, _ pass: (ContactEvent) -> Void) {
    guard case .touching(_, let isDown) = touch else { return }
    for index in 0..<waitingCount { isAfterGap = isAfterGap || waiting[index].isAfterGap }
    if !isDown {
      // Too short for `skip`: a tap at its last position.
      var last = waitingCount > 0 ? waiting[waitingCount - 1] : lastPassed
      guard last.position != nil else { return }
      // The tap keeps its duration: a shorter one would be a ghost.
      (last.time, last.measured) = began
      last.isAfterGap = takeGap()
      report(last, .down, pass)
    }
    var end = event
    end.phase = event.phase == .cancel ? .cancel : .up
    end.position = lastPassed.position
    end.isAfterGap = takeGap()
    pass(end)
  }

  /// Whether events were lost since the last report that is kept. Returns true once for each gap.
  private mutating func takeGap() -> Bool {
    defer { isAfterGap = false }
    return isAfterGap
  }

  /// The median of the last positions, per axis. Before there are enough, the first position is
  /// repeated.
  private mutating func median(with position: RawPosition, depth: Int) -> RawPosition {
    if depth == 1 { return position }
    if positionCount == 0 {
      for index in 0..<depth { positions[index] = position }
      positionCount = depth
    }
    positions[oldest] = position
    oldest = (oldest + 1) % depth
    return RawPosition(x: median(depth) { $0.x }, y: median(depth) { $0.y })
  }

  /// Selects without sorting: the value with at most half of the others on either side.
  private func median(_ depth: Int, _ axis: (RawPosition) -> Int32) -> Int32 {
    for index in 0..<depth {
      let value = axis(positions[index])
      var (below, equal) = (0, 0)
      for other in 0..<depth {
        below += axis(positions[other]) < value ? 1 : 0
        equal += axis(positions[other]) == value ? 1 : 0
      }
      if below <= depth / 2 && below + equal > depth / 2 { return value }
    }
    return axis(positions[0])
  }
}

extension ContactEvent {
  /// A placeholder where there is no report.
  fileprivate static var placeholder: ContactEvent {
    ContactEvent(
      phase: .up, tool: .finger, contact: -1, slot: 0, time: 0, measured: 0, position: nil,
      pressure: nil)
  }
}
