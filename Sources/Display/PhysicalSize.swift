public import Raster

/// The visible area of a panel in millimetres, in its own scan-out orientation.
public struct PhysicalSize: Sendable, Equatable {
  /// Millimetres.
  public var width: Float, height: Float

  /// Millimetres by millimetres.
  public init(width: Float, height: Float) {
    self.width = width
    self.height = height
  }

  /// Not a size but an aspect ratio: televisions write 16 × 9 where centimetres belong, and the
  /// kernel passes 160 mm × 90 mm on.
  var isAspectRatio: Bool {
    let shapes: [(Float, Float)] = [(160, 90), (160, 100), (16, 9), (16, 10)]
    return shapes.contains { $0.0 == width && $0.1 == height }
  }

  /// Whether it can be the size of the same panel. The kernel may still tell the whole centimetres of an EDID
  /// (`mm_width`) when the EDID itself is not there any more: virtio-gpu's after a status that was forced.
  func isSameToTheCentimetre(as other: PhysicalSize) -> Bool {
    abs(width - other.width) <= 10 && abs(height - other.height) <= 10
  }
}

extension PanelGeometry {
  /// Pixels per millimetre of the upright canvas: from the configured size, else from what the panel
  /// tells, if that is believed, else 96 dpi.
  public func scale(configured: PhysicalSize?, told: PhysicalSize?) -> Scale {
    if let configured { return scale(configured) }
    if let told, believes(told) { return scale(told) }
    return Scale(dpi: 96)
  }

  /// Whether what a panel tells can be its size: both axes have a density that exists.
  public func believes(_ told: PhysicalSize) -> Bool {
    guard told.width > 0, told.height > 0, !told.isAspectRatio else { return false }
    let scale = scale(told)
    // 0.6 px/mm is a wall of 15 dpi, 40 px/mm a telephone of 1000.
    return (0.6...40).contains(scale.x) && (0.6...40).contains(scale.y)
  }

  private func scale(_ size: PhysicalSize) -> Scale {
    let x = Float(panelWidth) / size.width
    let y = Float(panelHeight) / size.height
    return rotation.swapsAxes ? Scale(x: y, y: x) : Scale(x: x, y: y)
  }
}
