public import Ink

/// Where the parts of the pad are, in millimetres: the same hand meets the same sizes on every panel.
///
///     ┌──────────────────────────────┐
///     │                              │
///     │            signing           │
///     │  ×─────────────────────────  │
///     │ [clear]              [done]  │
///     └──────────────────────────────┘
public struct Layout: Equatable, Sendable {
  /// The smallest side of a button: a fingertip hits 9 mm (ISO 9241-411).
  public static let smallestButton: Float = 9

  /// The whole glass.
  public let glass: Area
  /// Where a stroke may begin.
  public let signing: Area
  /// From the × to the right end of the line to sign on: left end and right end.
  public let line: (left: Point, right: Point)
  /// The button that wipes the pad.
  public let clear: Area
  /// The button that sends the signature.
  public let done: Area

  /// Lays the parts out on a glass of this size.
  public init(width: Float, height: Float) {
    let margin = min(max(0.03 * min(width, height), 1.5), 6)
    let buttonHeight = min(max(0.16 * height, Layout.smallestButton), 16)
    let buttonWidth = min(max(0.22 * width, Layout.smallestButton), 2.4 * buttonHeight)
    let row = height - margin - buttonHeight
    glass = Area(x: 0, y: 0, width: width, height: height)
    signing = Area(x: 0, y: 0, width: width, height: row - margin)
    clear = Area(x: margin, y: row, width: buttonWidth, height: buttonHeight)
    done = Area(
      x: width - margin - buttonWidth, y: row, width: buttonWidth, height: buttonHeight)
    let y = signing.size.y * 0.78
    line = (Point(2 * margin + 4, y), Point(width - 2 * margin, y))
  }

  /// The button at a place, if there is one.
  public func button(at point: Point) -> Button? {
    if clear.contains(point) { return .clear }
    if done.contains(point) { return .done }
    return nil
  }

  /// Where a button is.
  public func area(of button: Button) -> Area {
    switch button {
    case .clear: clear
    case .done: done
    }
  }

  /// Equal where all parts are.
  public static func == (a: Layout, b: Layout) -> Bool {
    a.glass == b.glass && a.signing == b.signing && a.line == b.line && a.clear == b.clear
      && a.done == b.done
  }
}
