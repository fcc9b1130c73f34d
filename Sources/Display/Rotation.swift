/// By how much the upright picture is turned, clockwise, to lie in the panel's scan-out.
public enum Rotation: UInt16, Sendable, Equatable, CaseIterable {
  /// The panel is upright.
  case none = 0
  /// The picture's top lies along the panel's right edge.
  case clockwise90 = 90
  /// The picture stands on its head.
  case half = 180
  /// The picture's top lies along the panel's left edge.
  case clockwise270 = 270

  /// Whether columns become rows.
  public var swapsAxes: Bool { self == .clockwise90 || self == .clockwise270 }
}

/// The connector property `panel orientation`: which edge of the panel is at the top of the device
/// (kernel: drm-kms, "Standard Connector Properties").
public enum PanelOrientation: String, Sendable, Equatable {
  /// The panel's own top.
  case normal = "Normal"
  /// Its bottom.
  case upsideDown = "Upside Down"
  /// Its left edge.
  case leftSideUp = "Left Side Up"
  /// Its right edge.
  case rightSideUp = "Right Side Up"

  /// How the picture must lie in the scan-out to be upright for whoever stands before the device.
  public var rotation: Rotation {
    switch self {
    case .normal: .none
    case .upsideDown: .half
    case .leftSideUp: .clockwise270
    case .rightSideUp: .clockwise90
    }
  }
}
