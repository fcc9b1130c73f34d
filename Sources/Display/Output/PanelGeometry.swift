public import Raster

/// The mapping of the upright canvas to the panel's pixels.
public struct PanelGeometry: Sendable, Equatable {
  /// The scan-out's size in pixels.
  public let panelWidth: Int, panelHeight: Int
  /// The rotation of the canvas in the scan-out.
  public let rotation: Rotation

  /// A canvas that fills a panel of the given size.
  public init(panelWidth: Int, panelHeight: Int, rotation: Rotation) {
    self.panelWidth = panelWidth
    self.panelHeight = panelHeight
    self.rotation = rotation
  }

  /// Columns of the upright canvas.
  public var width: Int { rotation.swapsAxes ? panelHeight : panelWidth }
  /// Rows of the upright canvas.
  public var height: Int { rotation.swapsAxes ? panelWidth : panelHeight }

  /// The panel's pixels that show a rectangle of the canvas, clipped to the panel.
  public func panelRect(_ rect: PixelRect) -> PixelRect {
    let rect = rect.intersection(PixelRect(width: width, height: height))
    let (w, h) = (Int32(width), Int32(height))
    if rect.isEmpty { return .empty }
    return switch rotation {
    case .none: rect
    case .clockwise90: PixelRect(h - rect.y1, rect.x0, h - rect.y0, rect.x1)
    case .half: PixelRect(w - rect.x1, h - rect.y1, w - rect.x0, h - rect.y0)
    case .clockwise270: PixelRect(rect.y0, w - rect.x1, rect.y1, w - rect.x0)
    }
  }

  /// The canvas's row or column that a row of the panel shows.
  struct Line {
    let isColumn: Bool
    /// The number of the row or column.
    let number: Int
    /// The first pixel.
    let start: Int
    /// Whether the panel shows the pixels in reverse order.
    let isReversed: Bool
  }

  /// The source of `count` pixels of a panel's row from `column` on.
  func line(column: Int, row: Int, count: Int) -> Line {
    let end = column + count
    return switch rotation {
    case .none: Line(isColumn: false, number: row, start: column, isReversed: false)
    case .clockwise90: Line(isColumn: true, number: row, start: height - end, isReversed: true)
    case .half:
      Line(isColumn: false, number: height - 1 - row, start: width - end, isReversed: true)
    case .clockwise270:
      Line(isColumn: true, number: width - 1 - row, start: column, isReversed: false)
    }
  }

  /// Pixels per millimetre of the upright canvas.
  ///
  /// From the configured size, else the reported one if it is plausible, else 96 dpi.
  public func scale(configured: PhysicalSize?, reported: PhysicalSize?) -> Scale {
    if let configured { return scale(configured) }
    if let reported, isPlausible(reported) { return scale(reported) }
    return Scale(dpi: 96)
  }

  /// Whether a reported size can be real: a density of 15 to 1000 dpi on both axes.
  public func isPlausible(_ reported: PhysicalSize) -> Bool {
    guard reported.width > 0, reported.height > 0, !reported.isAspectRatio else { return false }
    let scale = scale(reported)
    return (0.6...40).contains(scale.x) && (0.6...40).contains(scale.y)
  }

  private func scale(_ size: PhysicalSize) -> Scale {
    let x = Float(panelWidth) / size.width
    let y = Float(panelHeight) / size.height
    return rotation.swapsAxes ? Scale(x: y, y: x) : Scale(x: x, y: y)
  }
}

/// The clockwise rotation of the upright canvas in the panel's scan-out.
public enum Rotation: UInt16, Sendable, Equatable, CaseIterable {
  /// No rotation.
  case none = 0
  /// The canvas's top is at the panel's right edge.
  case clockwise90 = 90
  /// The canvas is upside down.
  case half = 180
  /// The canvas's top is at the panel's left edge.
  case clockwise270 = 270

  /// Whether rows and columns are exchanged.
  public var swapsAxes: Bool { self == .clockwise90 || self == .clockwise270 }
  /// The number of clockwise quarter turns.
  public var quarterTurns: Int { Int(rawValue) / 90 }
}

/// The panel's edge at the top of the device (kernel: drm-kms, connector property `panel orientation`).
public enum PanelOrientation: String, Sendable, Equatable {
  /// The panel's top edge.
  case normal = "Normal"
  /// The bottom edge.
  case upsideDown = "Upside Down"
  /// The left edge.
  case leftSideUp = "Left Side Up"
  /// The right edge.
  case rightSideUp = "Right Side Up"

  /// The rotation that makes the canvas upright on the device.
  public var rotation: Rotation {
    switch self {
    case .normal: .none
    case .upsideDown: .half
    case .leftSideUp: .clockwise270
    case .rightSideUp: .clockwise90
    }
  }
}

/// The visible area of a panel in millimetres, in scan-out orientation.
public struct PhysicalSize: Sendable, Equatable {
  /// The size in millimetres.
  public var width: Float, height: Float

  /// A size in millimetres.
  public init(width: Float, height: Float) {
    self.width = width
    self.height = height
  }

  /// Whether it is an aspect ratio instead of a size.
  ///
  /// Televisions report 16 × 9 in place of centimetres, which the kernel passes on as 160 mm × 90 mm.
  var isAspectRatio: Bool {
    let shapes: [(Float, Float)] = [(160, 90), (160, 100), (16, 9), (16, 10)]
    return shapes.contains { $0.0 == width && $0.1 == height }
  }

  /// Whether both sizes differ by at most a centimetre.
  ///
  /// Without an EDID the kernel may still report its whole centimetres (`mm_width`), as virtio-gpu does after a
  /// forced status.
  func isSameToTheCentimetre(as other: PhysicalSize) -> Bool {
    abs(width - other.width) <= 10 && abs(height - other.height) <= 10
  }
}
