/// What the filters remember of one slot.
struct SlotFilter: BitwiseCopyable {
  private enum Touch: BitwiseCopyable {
    /// Nothing touches, as far as the filters are concerned.
    case none
    /// Reports are passed over until the contact is gone.
    case bounce
    /// It touches; so many reports are still skipped, and `down` was passed on or not.
    case touching(skip: Int, isDown: Bool)
  }

  private var touch = Touch.none
  private var lastEnd: Int64?
  /// Places for the median: the next one replaces the oldest.
  private var places: [9 of RawPosition] = .init(repeating: RawPosition(x: 0, y: 0))
  private var placeCount = 0
  private var oldest = 0
  /// Reports that wait because they may be the last ones.
  private var waiting: [9 of ContactEvent] = .init(repeating: .nothing)
  private var waitingCount = 0
  private var passed = ContactEvent.nothing
  /// When the touch began, by the kernel's clock and the device's.
  private var began: (time: Int64, measured: Int64) = (0, 0)
  private var isAfterGap = false

  /// What a frame says of the slot's contact; `pass` is called with what is left of it.
  mutating func take(
    _ event: ContactEvent, _ options: ContactFilters.Options, pass: (ContactEvent) -> Void
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
      (placeCount, oldest, waitingCount) = (0, 0, 0)
      passed = .nothing
      began = (event.time, event.measured)
    }
    skip(event, options, pass)
  }

  private mutating func skip(
    _ event: ContactEvent, _ options: ContactFilters.Options, _ pass: (ContactEvent) -> Void
  ) {
    guard case .touching(let left, let isDown) = touch, let place = event.position else { return }
    if left > 0 {
      touch = .touching(skip: left - 1, isDown: isDown)
      passed = event
      return
    }
    var event = event
    event.position = median(with: place, depth: options.medianDepth)
    waiting[waitingCount] = event
    waitingCount += 1
    if waitingCount > options.skipTail { passOldest(pass) }
  }

  private mutating func passOldest(_ pass: (ContactEvent) -> Void) {
    guard case .touching(_, let isDown) = touch else { return }
    let event = waiting[0]
    for index in 1..<waiting.count { waiting[index - 1] = waiting[index] }
    waitingCount -= 1
    hand(event, isDown ? .move : .down, pass)
    touch = .touching(skip: 0, isDown: true)
  }

  private mutating func hand(
    _ event: ContactEvent, _ phase: ContactEvent.Phase, _ pass: (ContactEvent) -> Void
  ) {
    var event = event
    event.isStale = event.isStale && event.phase == .down && phase == .down
    event.phase = phase
    event.isAfterGap = isAfterGap
    isAfterGap = false
    passed = event
    pass(event)
  }

  /// The contact is gone, or too light: what waits was its end.
  private mutating func end(_ event: ContactEvent, _ pass: (ContactEvent) -> Void) {
    guard case .touching(_, let isDown) = touch else { return }
    if !isDown {
      // Too short to be skipped: a tap at its last place.
      var last = waitingCount > 0 ? waiting[waitingCount - 1] : passed
      guard last.position != nil else { return }
      // It lasted as long as it did: a shorter one would be a ghost.
      (last.time, last.measured) = began
      hand(last, .down, pass)
    }
    var end = event
    end.phase = event.phase == .cancel ? .cancel : .up
    end.position = passed.position
    end.isAfterGap = isAfterGap
    isAfterGap = false
    pass(end)
  }

  /// The median of the last places, axis by axis; before there are so many, the first one stands for those
  /// that are missing.
  private mutating func median(with place: RawPosition, depth: Int) -> RawPosition {
    if depth == 1 { return place }
    if placeCount == 0 {
      for index in 0..<depth { places[index] = place }
      placeCount = depth
    }
    places[oldest] = place
    oldest = (oldest + 1) % depth
    return RawPosition(
      x: middle(depth) { $0.x }, y: middle(depth) { $0.y })
  }

  private func middle(_ depth: Int, _ axis: (RawPosition) -> Int32) -> Int32 {
    // The value that as many are below as above; the places are few, and nothing has to be sorted.
    for index in 0..<depth {
      let value = axis(places[index])
      var (below, equal) = (0, 0)
      for other in 0..<depth {
        below += axis(places[other]) < value ? 1 : 0
        equal += axis(places[other]) == value ? 1 : 0
      }
      if below <= depth / 2 && below + equal > depth / 2 { return value }
    }
    return axis(places[0])
  }
}

extension ContactEvent {
  /// Stands where there is no report.
  fileprivate static var nothing: ContactEvent {
    ContactEvent(
      phase: .up, tool: .finger, contact: -1, slot: 0, time: 0, measured: 0, position: nil,
      pressure: nil)
  }
}
