internal import Ink

/// Decides which contacts draw, and when: palms, hovering fingers, ghosts and whatever touches while a
/// pen is near do not. Pure; nothing is allocated per event. It may serve several devices at once: a pen
/// and a touchscreen over one panel.
///
/// What it has let draw and then finds to be no hand that writes, it takes back: `cancel` with
/// `isMistake`.
public struct TouchArbitration: ~Copyable {
  /// Which contacts draw.
  public enum Policy: Sendable, Equatable {
    /// The one that was there first; others are palms until they are lifted.
    case first
    /// All, one stroke each.
    case all
  }

  /// Touch is ignored for so long after a pen has left, in nanoseconds (libinput's arbitration).
  static let afterPen: Int64 = 90_000_000
  /// A pen that hovers without a report for so long has left: some never say so.
  static let silentPen: Int64 = 2_000_000_000
  /// A finger of a single report that was there for less is noise: a frame of panels that scan 60 times
  /// a second. The shortest tap in recordings of a single report lasts 24 ms. A pen's tip is a switch: its
  /// dots last 7 ms in recordings, and none is noise.
  static let ghost: Int64 = 20_000_000
  /// The same where no report of it stated a place: tracking ids that flicker.
  static let placeless: Int64 = 30_000_000
  /// More contacts than all devices of a pad have; those beyond are ignored.
  static let limit = 256

  private let policy: Policy
  private var table = RigidArray<TrackedContact>(capacity: TouchArbitration.limit)
  private var output = RigidArray<GlassContact>(capacity: 2 * TouchArbitration.limit)
  private var nextNumber: Int32 = 0
  /// The device whose pen is near.
  private var penDevice: Int32?
  private var penSeen: Int64 = .min
  private var penLeft: Int64 = .min

  /// Nothing touches yet.
  public init(_ policy: Policy = .first) { self.policy = policy }

  /// What is to be drawn after the last frame.
  public var contacts: Span<GlassContact> {
    @_lifetime(borrow self)
    borrowing get { output.span }
  }

  /// Takes in what a frame said, and where that is on the glass. `device` tells the contacts of several
  /// devices apart; `isPenNear` says whether a pen of that device is near the glass, `isPenReporting` whether
  /// the frame is the pen's.
  public mutating func take(
    _ frame: Span<ContactEvent>, device: Int32 = 0, geometry: GlassGeometry,
    isPenNear: Bool = false, isPenReporting: Bool = true, at time: Int64
  ) {
    output.removeAll()
    takePen(isNear: isPenNear, isReporting: isPenReporting, device, at: time)
    // Who leaves makes room for who comes, whatever their slots are.
    for index in frame.indices where frame[index].isEnd { take(frame[index], device, geometry) }
    // The ends again: a tap that filters held back begins and ends in one frame. Those of contacts that
    // have left say nothing any more.
    for index in frame.indices { take(frame[index], device, geometry) }
  }

  private mutating func take(_ event: ContactEvent, _ device: Int32, _ geometry: GlassGeometry) {
    let sample = event.position.map { position in
      Sample(
        time: event.measured, position: geometry.place(of: position, isPoint: event.isPoint),
        pressure: geometry.pressure(
          of: event.pressure, above: event.restPressure, isPoint: event.isPoint))
    }
    notePen(event)
    let index = index(of: event.contact, device)
    switch event.phase {
    case .down, .move:
      guard let sample else { return }
      if let index {
        go(on: index, event, sample, nearby: geometry.nearby)
      } else {
        admit(event, sample, device)
      }
    case .up: if let index { lift(index, at: event.measured) }
    case .cancel: if let index { lose(index) }
    }
  }

  /// Frames of fingers on the same node do not renew a pen that has fallen silent.
  private mutating func takePen(isNear: Bool, isReporting: Bool, _ device: Int32, at time: Int64) {
    guard isNear else {
      guard penDevice == device else { return }
      penDevice = nil
      penLeft = time
      return
    }
    guard isReporting || penDevice != device else { return }
    if !isPenNear(at: time) { takeBackFingers() }
    penDevice = device
    penSeen = time
  }

  /// Whether a pen is near that has not been silent for too long.
  private func isPenNear(at time: Int64) -> Bool {
    penDevice != nil && time &- penSeen < TouchArbitration.silentPen
  }

  /// A contact that a panel calls a pen keeps fingers away like one that is near.
  private mutating func notePen(_ event: ContactEvent) {
    guard event.tool == .pen || event.tool == .eraser else { return }
    if event.phase == .down { takeBackFingers() }
    penLeft = event.time
  }

  private func fingersMayDraw(at time: Int64) -> Bool {
    if isPenNear(at: time) { return false }
    return penLeft == .min || time &- penLeft >= TouchArbitration.afterPen || time < penLeft
  }

  private func index(of contact: Int32, _ device: Int32) -> Int? {
    for index in 0..<table.count
    where table[index].contact == contact && table[index].device == device { return index }
    return nil
  }

  /// Whether a contact draws.
  var isDrawing: Bool {
    for index in 0..<table.count where table[index].isChosen { return true }
    return false
  }
}

// One method for each thing that can happen to a contact.
extension TouchArbitration {
  private mutating func admit(_ event: ContactEvent, _ sample: Sample, _ device: Int32) {
    var role = TrackedContact(device: device, contact: event.contact, tool: event.tool)
    if event.isResting || !role.isWriting {
      role.part = .ignored
    } else if event.isHovering {
      role.part = .hovering
    } else {
      role.part = mayBegin(role, at: sample.time) ? .held(sample) : .ignored
    }
    guard table.append(role) else { return }
    if case .held = role.part, !event.isStale { begin(table.count - 1, sample) }
  }

  private func mayBegin(_ role: TrackedContact, at time: Int64) -> Bool {
    (policy == .all || !isDrawing) && (role.tool == .pen || fingersMayDraw(at: time))
  }

  private mutating func go(
    on index: Int, _ event: ContactEvent, _ sample: Sample, nearby: Float
  ) {
    table[index].tool = event.tool
    guard table[index].isWriting else {
      takeBack(index)
      return
    }
    switch table[index].part {
    case .ignored: break
    case .hovering:
      guard !event.isHovering else { return }
      if mayBegin(table[index], at: sample.time) {
        begin(index, sample)
      } else {
        table[index].part = .ignored
      }
    case .held(let first):
      // The place is the contact's own after all if the next one is near it; else it begins here.
      if (sample.position - first.position).length <= nearby {
        begin(index, first)
        report(.move, sample, index, event)
      } else {
        begin(index, sample)
      }
    case .drawing:
      if event.isHovering {
        report(.up, sample, index, event)
        table[index].part = .hovering
      } else {
        report(.move, sample, index, event)
      }
    }
  }

  private mutating func begin(_ index: Int, _ sample: Sample) {
    table[index].part = .drawing(nextNumber, last: sample, since: sample.time, reports: 1)
    output.append(GlassContact(.down, sample, contact: nextNumber))
    nextNumber = nextNumber == .max ? 0 : nextNumber + 1
  }

  private mutating func report(
    _ phase: GlassContact.Phase, _ sample: Sample, _ index: Int, _ event: ContactEvent
  ) {
    guard case .drawing(let number, _, let since, let reports) = table[index].part else { return }
    table[index].part = .drawing(number, last: sample, since: since, reports: reports &+ 1)
    output.append(GlassContact(phase, sample, contact: number, isAfterGap: event.isAfterGap))
  }

  private mutating func lift(_ index: Int, at time: Int64) {
    switch table[index].part {
    case .ignored, .hovering: break
    case .held(let first):
      if !isNoise(index, TouchArbitration.placeless, from: first.time, to: time) {
        begin(index, first)
        finish(.up, index, at: time)
      }
    case .drawing(_, _, let since, let reports):
      if reports == 1 && isNoise(index, TouchArbitration.ghost, from: since, to: time) {
        takeBack(index)
      } else {
        finish(.up, index, at: time)
      }
    }
    remove(index)
  }

  /// Whether a contact is too short to be somebody. A clock that steps back says nothing.
  private func isNoise(_ index: Int, _ limit: Int64, from start: Int64, to end: Int64) -> Bool {
    table[index].tool == .finger && (0..<limit).contains(end &- start)
  }

  private mutating func lose(_ index: Int) {
    if case .drawing(_, let last, _, _) = table[index].part {
      finish(.cancel, index, at: last.time)
    }
    remove(index)
  }

  /// The last place known, at the time when the contact ended.
  private mutating func finish(_ phase: GlassContact.Phase, _ index: Int, at time: Int64) {
    guard case .drawing(let number, var last, _, _) = table[index].part else { return }
    last.time = time
    output.append(GlassContact(phase, last, contact: number))
  }

  /// It never was a hand that writes.
  private mutating func takeBack(_ index: Int) {
    if case .drawing(let number, let last, _, _) = table[index].part {
      output.append(GlassContact(.cancel, last, contact: number, isMistake: true))
    }
    table[index].part = .ignored
  }

  private mutating func takeBackFingers() {
    for index in 0..<table.count where table[index].tool == .finger { takeBack(index) }
  }

  private mutating func remove(_ index: Int) {
    table[index] = table[table.count - 1]
    table.removeLast()
  }
}
