public import Raster

/// How the upright canvas lies on the panel's pixels.
public struct PanelGeometry: Sendable, Equatable {
  /// The scan-out, in pixels.
  public let panelWidth: Int, panelHeight: Int
  /// How the canvas is turned to lie in it.
  public let rotation: Rotation

  /// A canvas on a panel of `panelWidth` × `panelHeight` pixels.
  public init(panelWidth: Int, panelHeight: Int, rotation: Rotation) {
    self.panelWidth = panelWidth
    self.panelHeight = panelHeight
    self.rotation = rotation
  }

  /// Columns of the upright canvas.
  public var width: Int { rotation.swapsAxes ? panelHeight : panelWidth }
  /// Rows of the upright canvas.
  public var height: Int { rotation.swapsAxes ? panelWidth : panelHeight }

  /// The panel's pixels that show `rect` of the canvas, clipped to the glass: ink may overhang it.
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

  /// Where the canvas holds the panel's pixel (`column`, `row`), and how far apart the panel's next
  /// pixels to the right lie in the canvas: a row of the panel is a walk over the canvas. `stride` are
  /// the canvas's pixels from row to row.
  func walk(column: Int, row: Int, stride: Int) -> (start: Int, step: Int) {
    switch rotation {
    case .none: (row * stride + column, 1)
    case .clockwise90: ((height - 1 - column) * stride + row, -stride)
    case .half: ((height - 1 - row) * stride + (width - 1 - column), -1)
    case .clockwise270: (column * stride + (width - 1 - row), stride)
    }
  }
}
