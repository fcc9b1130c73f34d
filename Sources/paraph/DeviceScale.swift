import CLinux
import Ink
import Touch

/// From the units of a recorded device to millimetres, without flip, trim or offset.
struct DeviceScale {
  private let x: Double, y: Double
  /// Whether neither the option nor the device says how many units are a millimetre.
  let isUnknown: Bool
  private let pressure: AxisRange?

  /// `units` goes for both axes; without it the device's resolution, and 1 where it has none.
  init(_ device: DeviceDescription, units: Double?) {
    func resolution(_ axes: Int32...) -> Double? {
      axes.lazy.compactMap { device.range(of: $0)?.resolution }.first { $0 > 0 }.map(Double.init)
    }
    let (ofX, ofY) = (
      resolution(ABS_MT_POSITION_X, ABS_X), resolution(ABS_MT_POSITION_Y, ABS_Y)
    )
    // Where one axis alone knows its size, square units are the likelier.
    x = units ?? ofX ?? ofY ?? 1
    y = units ?? ofY ?? ofX ?? 1
    isUnknown = units == nil && ofX == nil && ofY == nil
    pressure = device.range(of: ABS_MT_PRESSURE) ?? device.range(of: ABS_PRESSURE)
  }

  /// Nil of an event without a place.
  func sample(_ event: ContactEvent) -> Sample? {
    guard let place = event.position else { return nil }
    return Sample(
      time: event.time, position: Point(Float(Double(place.x) / x), Float(Double(place.y) / y)),
      pressure: event.tool == .pen ? share(event.pressure) : -1)
  }

  private func share(_ value: Int32?) -> Float {
    guard let value, let range = pressure, range.maximum > range.minimum else { return -1 }
    return Float(Int64(range.clamp(value)) - Int64(range.minimum)) / Float(range.span - 1)
  }
}
