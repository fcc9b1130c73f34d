internal import CLinux

/// Finds taps in what a device reports: one finger that comes down alone, stays where it is, and leaves.
public struct TapReader: Sendable {
  /// What a report of the device means.
  public enum Signal: Sendable, Equatable {
    /// A finger is there.
    case pressed
    /// It left, and was here: from 0 to 1 of the axes, without any calibration.
    case tapped(SIMD2<Double>)
    /// It left, and was no tap: it slid, or was not alone.
    case refused
  }

  private enum Touch: Sendable {
    case none
    /// One finger: the contact's number, its places so far, when it came.
    case finger(Int32, places: [SIMD2<Double>], since: Int64)
    /// Something that is no tap, until nothing touches.
    case hand
  }

  /// Who slides further than this part of a side is no tap.
  private static let slide = 0.04
  /// The places of a finger that rests: more are not kept.
  private static let limit = 500

  private let device: DeviceDescription
  private var touch = Touch.none
  private var down: [Int32] = []

  /// Taps on a device.
  public init(_ device: DeviceDescription) { self.device = device }

  /// Takes in what a frame says of a contact; nil where that means nothing.
  public mutating func take(_ event: ContactEvent) -> Signal? {
    if event.isEnd { return end(event) }
    guard !event.isHovering, !event.isResting, let position = event.position else { return nil }
    if !down.contains(event.contact) { down.append(event.contact) }
    let place = device.share(of: position, isPoint: event.isPoint)
    switch touch {
    case .none where event.tool == .finger || event.tool == .pen:
      touch = .finger(event.contact, places: event.isStale ? [] : [place], since: event.time)
      return .pressed
    case .finger(let contact, var places, let since)
    where contact == event.contact && (event.tool == .finger || event.tool == .pen):
      if places.count < TapReader.limit { places.append(place) }
      touch = .finger(contact, places: places, since: since)
      return nil
    case .none, .finger:
      touch = .hand
      return .pressed
    case .hand: return nil
    }
  }

  private mutating func end(_ event: ContactEvent) -> Signal? {
    guard let index = down.firstIndex(of: event.contact) else { return nil }
    down.remove(at: index)
    guard down.isEmpty else { return nil }
    defer { touch = .none }
    guard event.phase == .up, case .finger(_, var places, let since) = touch else {
      return .refused
    }
    if places.isEmpty, let position = event.position {
      places = [device.share(of: position, isPoint: event.isPoint)]
    }
    let lasted = event.time &- since
    let isGhost = places.count == 1 && (0..<TouchArbitration.ghost).contains(lasted)
    guard !isGhost, let place = TapReader.middle(of: places) else { return .refused }
    return .tapped(place)
  }

  /// The median along each axis, which a bad first or last report does not move; nil of a slide.
  private static func middle(of places: [SIMD2<Double>]) -> SIMD2<Double>? {
    guard !places.isEmpty else { return nil }
    func median(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    let middle = SIMD2(median(places.map { $0.x }), median(places.map { $0.y }))
    // Half of all may lie anywhere: the edges of a resistive panel's touches do.
    let ways = places.map { max(abs($0.x - middle.x), abs($0.y - middle.y)) }
    return median(ways) <= slide / 2 ? middle : nil
  }
}

extension DeviceDescription {
  /// Where a place lies on the axes, from 0 to 1: without any calibration. `isPoint` as in `GlassGeometry`.
  public func share(of place: RawPosition, isPoint: Bool = false) -> SIMD2<Double> {
    let plan = DeviceProtocol(self)
    let (axisX, axisY) = isPoint ? (ABS_X, ABS_Y) : (plan.axisX, plan.axisY)
    func share(_ value: Int32, _ axis: Int32) -> Double {
      guard let range = range(of: axis) else { return 0 }
      return (Double(value) - Double(range.minimum)) / Double(range.span)
    }
    return SIMD2(share(place.x, axisX), share(place.y, axisY))
  }
}
