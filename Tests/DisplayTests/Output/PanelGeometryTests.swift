import Raster
import Testing

@testable import Display

@Suite struct PanelGeometryTests {
  /// The slow way: where one pixel of the canvas goes, by turning the picture clockwise.
  private func panelPixel(_ x: Int, _ y: Int, _ geometry: PanelGeometry) -> (Int, Int) {
    switch geometry.rotation {
    case .none: (x, y)
    case .clockwise90: (geometry.height - 1 - y, x)
    case .half: (geometry.width - 1 - x, geometry.height - 1 - y)
    case .clockwise270: (y, geometry.width - 1 - x)
    }
  }

  @Test(arguments: Rotation.allCases)
  func `a rectangle covers exactly the pixels of its own pixels`(rotation: Rotation) {
    let geometry = PanelGeometry(panelWidth: 7, panelHeight: 5, rotation: rotation)
    for x0 in 0..<geometry.width {
      for y0 in 0..<geometry.height {
        let rect = PixelRect(Int32(x0), Int32(y0), Int32(geometry.width), Int32(y0 + 1))
        let turned = geometry.panelRect(rect)
        #expect(turned.area == rect.area)
        for x in x0..<geometry.width {
          let (px, py) = panelPixel(x, y0, geometry)
          let pixel = PixelRect(Int32(px), Int32(py), Int32(px + 1), Int32(py + 1))
          #expect(turned.intersection(pixel) == pixel)
        }
      }
    }
  }

  @Test(arguments: Rotation.allCases)
  func `a part of a row of the panel is a line of the canvas`(rotation: Rotation) {
    let geometry = PanelGeometry(panelWidth: 7, panelHeight: 5, rotation: rotation)
    for py in 0..<5 {
      for (column, count) in [(0, 7), (0, 3), (2, 4), (6, 1)] {
        let line = geometry.line(column: column, row: py, count: count)
        for index in 0..<count {
          let place = line.start + (line.isReversed ? count - 1 - index : index)
          let (x, y) = line.isColumn ? (line.number, place) : (place, line.number)
          #expect(panelPixel(x, y, geometry) == (column + index, py))
        }
      }
    }
  }

  @Test(arguments: Rotation.allCases)
  func `damage that overhangs the glass is clipped`(rotation: Rotation) {
    let geometry = PanelGeometry(panelWidth: 7, panelHeight: 5, rotation: rotation)
    let all = geometry.panelRect(PixelRect(-10, -10, 100, 100))
    #expect(all == PixelRect(width: 7, height: 5))
    #expect(geometry.panelRect(PixelRect(-10, -10, 0, 100)).isEmpty)
    #expect(geometry.panelRect(PixelRect(50, 0, 60, 2)).isEmpty)
  }

  @Test func `a panel with its left edge up is drawn counter-clockwise`() {
    // The canvas's top left lies at the panel's bottom left: its top runs up the panel's left edge.
    let geometry = PanelGeometry(
      panelWidth: 800, panelHeight: 1280, rotation: PanelOrientation.leftSideUp.rotation)
    #expect(geometry.width == 1280 && geometry.height == 800)
    #expect(geometry.panelRect(PixelRect(0, 0, 1, 1)) == PixelRect(0, 1279, 1, 1280))
    #expect(geometry.panelRect(PixelRect(1279, 0, 1280, 1)) == PixelRect(0, 0, 1, 1))
  }

  private let upright = PanelGeometry(panelWidth: 1280, panelHeight: 800, rotation: .none)
  private let size = PhysicalSize(width: 216, height: 135)

  @Test func `the configured size replaces the size that the panel reports`() {
    let scale = upright.scale(configured: size, reported: PhysicalSize(width: 100, height: 100))
    #expect(scale == Scale(x: 1280 / 216, y: 800 / 135))
  }

  @Test func `without a size a pixel is a 96th of an inch`() {
    #expect(upright.scale(configured: nil, reported: nil) == Scale(dpi: 96))
  }

  @Test(arguments: [
    PhysicalSize(width: 160, height: 90),  // an aspect ratio
    PhysicalSize(width: 16, height: 9), PhysicalSize(width: 0, height: 135),
    PhysicalSize(width: 5000, height: 3000), PhysicalSize(width: 10, height: 6),
  ])
  func `an impossible reported size is ignored`(reported: PhysicalSize) {
    #expect(!upright.isPlausible(reported))
    #expect(upright.scale(configured: nil, reported: reported) == Scale(dpi: 96))
  }

  @Test func `the axes of a rotated panel are swapped`() {
    let turned = PanelGeometry(panelWidth: 800, panelHeight: 1280, rotation: .clockwise90)
    let scale = turned.scale(configured: nil, reported: PhysicalSize(width: 100, height: 200))
    #expect(scale == Scale(x: 6.4, y: 8))
  }
}
