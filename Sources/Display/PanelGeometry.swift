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

  /// A part of a row of the panel in the canvas: of a row or a column of it, from a pixel on.
  struct Line {
    let isColumn: Bool
    /// Which row or column.
    let number: Int
    /// The first of its pixels.
    let start: Int
    /// Whether the panel's row begins with the last of them.
    let isReversed: Bool
  }

  /// Where the canvas holds `count` pixels of the panel's row `row`, from `column` on.
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
}
