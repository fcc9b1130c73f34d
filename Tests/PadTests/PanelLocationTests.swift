import Configuration
import Linux
import Raster
import Testing
import Touch

@testable import Display
@testable import Pad

@Suite struct PanelLocationTests {
  private static let mode = DisplayMode(width: 800, height: 480, refreshMilliHertz: 60_000)

  private static func pipeline(_ orientation: PanelOrientation = .normal) -> Pipeline {
    let connector = ConnectorSurvey(
      id: 1, name: "HDMI-A-2", status: .connected, orientation: orientation,
      size: PhysicalSize(width: 154, height: 86), modes: [mode], possibleCRTCs: 1)
    return Pipeline(
      card: 0, connector: connector, crtc: 40, pipe: 0, plane: 30, mode: mode, format: .xrgb8888)
  }

  private func wishes(_ text: String = "") throws -> DisplayConfiguration {
    try PadConfiguration(
      "[display]\n\(text)", file: "test", models: Appliance.modelNames
    ).display
  }

  @Test func `the panel of a pipeline has its connector and its size as they are seen`() throws {
    let upright = PanelLocation(of: Self.pipeline(), try wishes())
    #expect(upright.connector == "HDMI-A-2")
    #expect(abs(upright.width - 154) < 0.01 && abs(upright.height - 86) < 0.01)
    let turned = PanelLocation(of: Self.pipeline(), try wishes("rotation = 90\n"))
    #expect(abs(turned.width - 86) < 0.01 && abs(turned.height - 154) < 0.01)
    let measured = PanelLocation(of: Self.pipeline(), try wishes("size = 150x80\n"))
    #expect(abs(measured.width - 150) < 0.01 && abs(measured.height - 80) < 0.01)
  }
}
