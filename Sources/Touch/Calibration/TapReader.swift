internal import CLinux

/// Finds taps: a single finger that comes down, stays in place, and leaves.
public struct TapReader: Sendable {
  /// The meaning of a report.
  public enum Signal: Sendable, Equatable {
    /// A finger came down.
    case pressed
    /// A tap at a position from 0 to 1 of the axes, without calibration.
    case tapped(SIMD2<Double>)
    /// The finger slid or was not alone.
    case refused
  }

  private enum Touch: Sendable {
    case none
    /// One finger: the contact's number, its positions so far, its start.
    case finger(Int32, positions: [SIMD2<Double>], since: Int64)
    /// Not a tap; lasts until nothing touches.
    case rejected
  }

  /// The largest slide of a tap, as a part of a side.
  private static let slide = 0.04
  /// The limit of positions kept of a resting finger.
  private static let limit = 500

  private let device: DeviceDescription
  private var touch = Touch.none
  private var down: [Int32] = []

  /// A reader for a device.
  public init(_ device: DeviceDescription) { self.device = device }

  /// Processes an event; nil if it means nothing.
  public mutating func process(_ event: ContactEvent) -> Signal? {
    if event.isEnd { return end(event) }
    guard !event.isHovering, !event.isResting, let position = event.position else { return nil }
    if !down.contains(event.contact) { down.append(event.contact) }
    let relative = device.relativePosition(of: position, isPoint: event.isPoint)
    switch touch {
    case .none where event.tool == .finger || event.tool == .pen:
      touch = .finger(event.contact, positions: event.isStale ? [] : [relative], since: event.time)
      return .pressed
    case .finger(let contact, var positions, let since)
    where contact == event.contact && (event.tool == .finger || event.tool == .pen):
      if positions.count < TapReader.limit { positions.append(relative) }
      touch = .finger(contact, positions: positions, since: since)
      return nil
    case .none, .finger:
      touch = .rejected
      return .pressed
    case .rejected: return nil
    }
  }

  private mutating func end(_ event: ContactEvent) -> Signal? {
    guard let index = down.firstIndex(of: event.contact) else { return nil }
    down.remove(at: index)
    guard down.isEmpty else { return nil }
    defer { touch = .none }
    guard event.phase == .up, case .finger(_, var positions, let since) = touch else {
      return .refused
    }
    if positions.isEmpty, let position = event.position {
      positions = [device.relativePosition(of: position, isPoint: event.isPoint)]
    }
    let duration = event.time &- since
    let isGhost = positions.count == 1 && (0..<TouchArbitration.ghostLimit).contains(duration)
    guard !isGhost, let middle = TapReader.middle(of: positions) else { return .refused }
    return .tapped(middle)
  }

  /// The median per axis, which ignores a bad first or last report; nil for a slide.
  private static func middle(of positions: [SIMD2<Double>]) -> SIMD2<Double>? {
    guard !positions.isEmpty else { return nil }
    func median(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    let middle = SIMD2(median(positions.map { $0.x }), median(positions.map { $0.y }))
    // Half of the positions may lie anywhere, as at the edges of a resistive panel's touches.
    let distances = positions.map { max(abs($0.x - middle.x), abs($0.y - middle.y)) }
    return median(distances) <= slide / 2 ? middle : nil
  }
}

extension DeviceDescription {
  /// A position from 0 to 1 of the axes, without calibration.
  ///
  /// - Parameter isPoint: See `ContactEvent.isPoint`.
  public func relativePosition(of position: RawPosition, isPoint: Bool = false) -> SIMD2<Double> {
    let reported = DeviceProtocol(self)
    let (axisX, axisY) = isPoint ? (ABS_X, ABS_Y) : (reported.axisX, reported.axisY)
    func relative(_ value: Int32, _ axis: Int32) -> Double {
      guard let range = range(of: axis) else { return 0 }
      return (Double(value) - Double(range.minimum)) / Double(range.span)
    }
    return SIMD2(relative(position.x, axisX), relative(position.y, axisY))
  }
}
