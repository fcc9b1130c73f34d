import Ink
import Raster
import Screen

/// A panel that tests draw on.
public struct TestPanel: Sendable, CustomStringConvertible {
  /// Its diagonal in inches.
  public let name: String
  /// Its size and pixels.
  public let screen: ScreenGeometry
  /// By how much it is smaller on the sheet of `make screens`.
  public let reduction: Int

  /// In pixels.
  public var width: Int { screen.width }
  /// In pixels.
  public var height: Int { screen.height }
  /// Pixels per millimetre.
  public var scale: Scale { screen.scale }
  /// In millimetres.
  public var glass: Point { screen.glass }
  /// For messages.
  public var description: String { name }

  init(_ name: String, _ width: Int, _ height: Int, _ scale: Scale, reduction: Int) {
    self.name = name
    screen = ScreenGeometry(width: width, height: height, scale: scale)
    self.reduction = reduction
  }

  /// Panels of 3.5", 5", 7" upright, and 10".
  public static let all = [
    TestPanel("3.5 in", 320, 240, Scale(x: 4.54, y: 4.54), reduction: 1),
    TestPanel("5 in", 800, 480, Scale(x: 7.4, y: 7.4), reduction: 2),
    TestPanel("7 in", 480, 800, Scale(x: 5.58, y: 5.2), reduction: 2),
    TestPanel("10 in", 1280, 800, Scale(x: 5.9, y: 5.9), reduction: 3),
  ]
}
