internal import Ink

/// Selects the contacts that draw, and rejects palms, hovering fingers, ghosts, and touch near a pen.
///
/// A contact that draws and turns out to be one of these is retracted by `cancel` with `isMistake`. One arbitration
/// may serve several devices over one panel, such as a pen and a touchscreen. Pure; allocates only in `init`.
public struct TouchArbitration: ~Copyable {
  /// Which contacts draw.
  public enum Policy: Sendable, Equatable {
    /// The first one; others are palms until they are lifted.
    case first
    /// All, one stroke each.
    case all
  }

  /// Touch is ignored for this time after a pen has left, in nanoseconds (libinput's arbitration).
  static let penDelay: Int64 = 90_000_000
  /// A hovering pen without a report for this time has left: some pens do not report that they
  /// leave.
  static let penTimeout: Int64 = 2_000_000_000
  /// A finger contact of a single report that is shorter than this is noise: one frame at 60 Hz.
  ///
  /// The shortest recorded tap of a single report lasts 24 ms. A pen's tip is a switch: its dots last 7 ms in
  /// recordings, and none is noise.
  static let ghostLimit: Int64 = 20_000_000
  /// The limit for a contact without a position of its own: a flickering tracking id.
  static let staleGhostLimit: Int64 = 30_000_000
  /// The limit of contacts, above that of all devices of a pad; others are ignored.
  static let limit = 256

  private let policy: Policy
  private var tracked = RigidArray<TrackedContact>(capacity: TouchArbitration.limit)
  private var output = RigidArray<GlassContact>(capacity: 2 * TouchArbitration.limit)
  private var nextNumber: Int32 = 0
  /// The device whose pen is near.
  private var penDevice: Int32?
  private var penReported: Int64 = .min
  private var penLeft: Int64 = .min

  /// An arbitration without contacts.
  public init(_ policy: Policy = .first) { self.policy = policy }

  /// The events of contacts that draw, after the last frame.
  public var contacts: Span<GlassContact> {
    @_lifetime(borrow self)
    borrowing get { output.span }
  }

  /// Whether a contact draws.
  var isDrawing: Bool {
    for index in 0..<tracked.count where tracked[index].isChosen { return true }
    return false
  }

  /// Processes a frame of a device; `contacts` has the result.
  ///
  /// - Parameters:
  ///   - device: Distinguishes the contacts of several devices.
  ///   - isPenNear: A pen of this device is near the glass.
  ///   - isPenReporting: The frame is the pen's.
  public mutating func process(
    _ frame: Span<ContactEvent>, device: Int32 = 0, geometry: GlassGeometry,
    isPenNear: Bool = false, isPenReporting: Bool = true, at time: Int64
  ) {
    output.removeAll()
    updatePen(isNear: isPenNear, isReporting: isPenReporting, device, at: time)
    // Ends first: they make room for new contacts, whatever the order of slots.
    for index in frame.indices where frame[index].isEnd { process(frame[index], device, geometry) }
    // Includes the ends again: a tap that filters delayed begins and ends in one frame. The end of
    // an untracked contact has no effect.
    for index in frame.indices { process(frame[index], device, geometry) }
  }

  private mutating func process(
    _ event: ContactEvent, _ device: Int32, _ geometry: GlassGeometry
  ) {
    let sample = event.position.map { position in
      Sample(
        time: event.measured, position: geometry.position(of: position, isPoint: event.isPoint),
        pressure: geometry.pressure(
          of: event.pressure, above: event.restPressure, isPoint: event.isPoint))
    }
    updatePen(event)
    let index = index(of: event.contact, device)
    switch event.phase {
    case .down, .move:
      guard let sample else { return }
      if let index {
        update(index, event, sample, nearby: geometry.nearby)
      } else {
        track(event, sample, device)
      }
    case .up: if let index { lift(index, at: event.measured) }
    case .cancel: if let index { cancel(index) }
    }
  }

  private func index(of contact: Int32, _ device: Int32) -> Int? {
    for index in 0..<tracked.count
    where tracked[index].contact == contact && tracked[index].device == device { return index }
    return nil
  }

  // MARK: Pens

  /// Frames of fingers on the pen's node do not extend the pen's timeout.
  private mutating func updatePen(isNear: Bool, isReporting: Bool, _ device: Int32, at time: Int64)
  {
    guard isNear else {
      guard penDevice == device else { return }
      penDevice = nil
      penLeft = time
      return
    }
    guard isReporting || penDevice != device else { return }
    if !isPenNear(at: time) { retractFingers() }
    penDevice = device
    penReported = time
  }

  /// Treats a contact that the panel reports as a pen like a pen near the glass: fingers are
  /// suppressed.
  private mutating func updatePen(_ event: ContactEvent) {
    guard event.tool == .pen || event.tool == .eraser else { return }
    if event.phase == .down { retractFingers() }
    penLeft = event.time
  }

  private func isPenNear(at time: Int64) -> Bool {
    penDevice != nil && time &- penReported < TouchArbitration.penTimeout
  }

  private func fingersMayDraw(at time: Int64) -> Bool {
    if isPenNear(at: time) { return false }
    return penLeft == .min || time &- penLeft >= TouchArbitration.penDelay || time < penLeft
  }

  // MARK: The events of one contact

  private mutating func track(_ event: ContactEvent, _ sample: Sample, _ device: Int32) {
    var contact = TrackedContact(device: device, contact: event.contact, tool: event.tool)
    if event.isResting || !contact.canWrite {
      contact.state = .ignored
    } else if event.isHovering {
      contact.state = .hovering
    } else {
      contact.state = mayBegin(contact, at: event.time) ? .pending(sample) : .ignored
    }
    guard tracked.append(contact) else { return }
    if case .pending = contact.state, !event.isStale { begin(tracked.count - 1, sample) }
  }

  private func mayBegin(_ contact: TrackedContact, at time: Int64) -> Bool {
    (policy == .all || !isDrawing) && (contact.tool == .pen || fingersMayDraw(at: time))
  }

  private mutating func update(
    _ index: Int, _ event: ContactEvent, _ sample: Sample, nearby: Float
  ) {
    tracked[index].tool = event.tool
    guard tracked[index].canWrite else {
      retract(index)
      return
    }
    switch tracked[index].state {
    case .ignored: break
    case .hovering:
      guard !event.isHovering else { return }
      if mayBegin(tracked[index], at: event.time) {
        begin(index, sample)
      } else {
        tracked[index].state = .ignored
      }
    case .pending(let first):
      // A near second position confirms the first one; else the contact begins here.
      if (sample.position - first.position).length <= nearby {
        begin(index, first)
        report(.move, sample, index, event)
      } else {
        begin(index, sample)
      }
    case .drawing:
      if event.isHovering {
        report(.up, sample, index, event)
        tracked[index].state = .hovering
      } else {
        report(.move, sample, index, event)
      }
    }
  }

  private mutating func begin(_ index: Int, _ sample: Sample) {
    tracked[index].state = .drawing(nextNumber, last: sample, since: sample.time, reports: 1)
    output.append(GlassContact(.down, sample, contact: nextNumber))
    nextNumber = nextNumber == .max ? 0 : nextNumber + 1
  }

  private mutating func report(
    _ phase: GlassContact.Phase, _ sample: Sample, _ index: Int, _ event: ContactEvent
  ) {
    guard case .drawing(let number, _, let since, let reports) = tracked[index].state else {
      return
    }
    tracked[index].state = .drawing(number, last: sample, since: since, reports: reports &+ 1)
    output.append(GlassContact(phase, sample, contact: number, isAfterGap: event.isAfterGap))
  }

  private mutating func lift(_ index: Int, at time: Int64) {
    switch tracked[index].state {
    case .ignored, .hovering: break
    case .pending(let first):
      if !isNoise(index, TouchArbitration.staleGhostLimit, from: first.time, to: time) {
        begin(index, first)
        finish(.up, index, at: time)
      }
    case .drawing(_, _, let since, let reports):
      if reports == 1 && isNoise(index, TouchArbitration.ghostLimit, from: since, to: time) {
        retract(index)
      } else {
        finish(.up, index, at: time)
      }
    }
    remove(index)
  }

  /// Whether a finger's contact is too short. If the clock stepped back, the duration is unknown.
  private func isNoise(_ index: Int, _ limit: Int64, from start: Int64, to end: Int64) -> Bool {
    tracked[index].tool == .finger && (0..<limit).contains(end &- start)
  }

  private mutating func cancel(_ index: Int) {
    if case .drawing(_, let last, _, _) = tracked[index].state {
      finish(.cancel, index, at: last.time)
    }
    remove(index)
  }

  /// Ends a stroke at the last position.
  private mutating func finish(_ phase: GlassContact.Phase, _ index: Int, at time: Int64) {
    guard case .drawing(let number, var last, _, _) = tracked[index].state else { return }
    last.time = time
    output.append(GlassContact(phase, last, contact: number))
  }

  /// Cancels the stroke as a mistake, and ignores the contact until it is lifted.
  private mutating func retract(_ index: Int) {
    if case .drawing(let number, let last, _, _) = tracked[index].state {
      output.append(GlassContact(.cancel, last, contact: number, isMistake: true))
    }
    tracked[index].state = .ignored
  }

  private mutating func retractFingers() {
    for index in 0..<tracked.count where tracked[index].tool == .finger { retract(index) }
  }

  private mutating func remove(_ index: Int) {
    tracked[index] = tracked[tracked.count - 1]
    tracked.removeLast()
  }
}

/// A contact on the glass, and whether it draws.
///
/// Not private: see `SlotTable.Ended`.
struct TrackedContact: BitwiseCopyable, Sendable {
  enum State: BitwiseCopyable, Sendable {
    /// Does not draw until it is lifted.
    case ignored
    /// Draws once it touches.
    case hovering
    /// Began without a position of its own: the sample is the previous contact's.
    case pending(Sample)
    /// Draws: its number on the glass, last sample, start time and number of reports.
    case drawing(Int32, last: Sample, since: Int64, reports: Int32)
  }

  let device: Int32
  let contact: Int32
  var tool: ContactEvent.Tool
  var state = State.ignored

  init(device: Int32, contact: Int32, tool: ContactEvent.Tool) {
    self.device = device
    self.contact = contact
    self.tool = tool
  }

  /// Whether the tool can write.
  var canWrite: Bool { tool == .finger || tool == .pen }

  /// Whether the contact draws or is about to.
  var isChosen: Bool {
    switch state {
    case .ignored, .hovering: false
    case .pending, .drawing: true
    }
  }
}
