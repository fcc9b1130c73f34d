import Raster
import Testing

@testable import Display

@Suite struct PhysicalSizeTests {
  private let upright = PanelGeometry(panelWidth: 1280, panelHeight: 800, rotation: .none)
  private let size = PhysicalSize(width: 216, height: 135)

  @Test func `the configured size goes before what the panel tells`() {
    let scale = upright.scale(configured: size, told: PhysicalSize(width: 100, height: 100))
    #expect(scale == Scale(x: 1280 / 216, y: 800 / 135))
  }

  @Test func `without a size a pixel is a 96th of an inch`() {
    #expect(upright.scale(configured: nil, told: nil) == Scale(dpi: 96))
  }

  @Test(arguments: [
    PhysicalSize(width: 160, height: 90),  // an aspect ratio
    PhysicalSize(width: 16, height: 9), PhysicalSize(width: 0, height: 135),
    PhysicalSize(width: 5000, height: 3000), PhysicalSize(width: 10, height: 6),
  ])
  func `a told size that cannot be is not believed`(told: PhysicalSize) {
    #expect(!upright.believes(told))
    #expect(upright.scale(configured: nil, told: told) == Scale(dpi: 96))
  }

  @Test func `a turned panel's axes change places`() {
    let turned = PanelGeometry(panelWidth: 800, panelHeight: 1280, rotation: .clockwise90)
    let scale = turned.scale(configured: nil, told: PhysicalSize(width: 100, height: 200))
    #expect(scale == Scale(x: 6.4, y: 8))
  }
}
