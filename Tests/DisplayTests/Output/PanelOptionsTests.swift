import Raster
import Testing

@testable import Display

@Suite struct PanelOptionsTests {
  private static let mode = DisplayMode(width: 800, height: 480, refreshMilliHertz: 60_000)

  private func pipeline(_ name: String, _ size: PhysicalSize) -> Pipeline {
    let connector = ConnectorSurvey(
      id: 1, name: name, status: .connected, size: size, modes: [Self.mode], possibleCRTCs: 1)
    return Pipeline(
      card: 0, connector: connector, crtc: 40, pipe: 0, plane: 30, mode: Self.mode,
      format: .xrgb8888)
  }

  @Test func `a driver that replaces the firmware's reports the panel's own size`() {
    // 800 × 480 at simpledrm's 96 dpi, and what the panel's EDID says.
    let firmware = pipeline("Unknown-1", PhysicalSize(width: 211, height: 127))
    let own = pipeline("HDMI-A-1", PhysicalSize(width: 154, height: 86))
    var options = PanelOptions()
    #expect(options.geometry(of: firmware) == options.geometry(of: own))
    #expect(options.scale(of: firmware) == Scale(x: 800 / 211, y: 480 / 127))
    #expect(options.scale(of: own) == Scale(x: 800 / 154, y: 480 / 86))
    options.size = PhysicalSize(width: 150, height: 85)
    #expect(options.scale(of: firmware) == options.scale(of: own))
  }

  @Test func `another monitor of the same mode is the same panel only if it is as large`() {
    let before = pipeline("HDMI-A-1", PhysicalSize(width: 154, height: 86))
    func fits(
      _ options: PanelOptions = PanelOptions(), _ change: (inout ConnectorSurvey) -> Void
    ) -> Bool {
      var connector = before.connector
      change(&connector)
      return options.fits(before, on: connector)
    }
    #expect(fits { _ in })
    #expect(fits { $0.size = nil })
    // In whole centimetres.
    #expect(fits { $0.size = PhysicalSize(width: 150, height: 80) })
    #expect(!fits { $0.size = PhysicalSize(width: 308, height: 172) })
    #expect(!fits { $0.orientation = .upsideDown })
    #expect(!fits { $0.modes = [DisplayMode(width: 640, height: 480, refreshMilliHertz: 60_000)] })
    // Whoever has measured the glass is believed.
    var measured = PanelOptions()
    measured.size = PhysicalSize(width: 150, height: 85)
    #expect(fits(measured) { $0.size = PhysicalSize(width: 308, height: 172) })
  }

  @Test func `a monitor that is swapped while the connector stays connected is another one`() {
    var before = pipeline("HDMI-A-1", PhysicalSize(width: 154, height: 86))
    before.connector.edid = [1, 2, 3]
    let options = PanelOptions()
    func isAnother(_ change: (inout ConnectorSurvey) -> Void) -> Bool {
      var now = before.connector
      change(&now)
      return options.isAnother(now, than: before)
    }
    #expect(!isAnother { _ in })
    // As large, with the same modes, and others that it would rather have.
    #expect(isAnother { $0.edid = [1, 2, 4] })
    // It could not be read this time.
    #expect(!isAnother { ($0.edid, $0.size) = ([], nil) })
    // A panel without one, whose driver lists other modes.
    before.connector.edid = []
    #expect(!isAnother { _ in })
    #expect(
      isAnother { $0.modes = [DisplayMode(width: 640, height: 480, refreshMilliHertz: 60_000)] })
  }

  @Test func `a panel that reports its size only later is measured anew`() {
    var before = pipeline("HDMI-A-1", PhysicalSize(width: 154, height: 86))
    let later = before.connector
    before.connector.size = nil
    #expect(!PanelOptions().fits(before, on: later))
  }
}
