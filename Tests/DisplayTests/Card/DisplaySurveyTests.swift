import CLinux
import Linux
import Testing

@testable import Display

@Suite struct DisplaySurveyTests {
  @Test func `driver, connectors, modes and size come from sysfs`() throws {
    let sys = try TemporaryFolder()
    sys.link("card0/device/driver", to: "../../../bus/platform/drivers/vc4-drm")
    try sys.file("card0-HDMI-A-1/status", "connected\n")
    try sys.file("card0-HDMI-A-1/modes", "1280x800\n640x480\n")
    try sys.file(
      "card0-HDMI-A-1/edid",
      EDIDTests.block(centimetres: (22, 14), millimetres: (216, 135), name: "Pad"))
    try sys.file("card0-DSI-1/status", "unknown\n")
    try sys.file("card0-DSI-1/modes", "")
    try sys.file("card0-HDMI-A-2/status", "disconnected\n")
    sys.folder("renderD128")
    try sys.file("version", "drm 1.1.0\n")
    let card = try #require(SysfsCard.all(in: sys.path).first)
    #expect(SysfsCard.all(in: sys.path).count == 1)
    #expect(card.driver == "vc4-drm")
    #expect(card.connectors.map(\.name) == ["DSI-1", "HDMI-A-1", "HDMI-A-2"])
    #expect(card.connectors.map(\.status) == [.unknown, .connected, .disconnected])
    #expect(card.connectors[1].modes == ["1280x800", "640x480"])
    #expect(card.connectors[1].edid?.size == PhysicalSize(width: 216, height: 135))
    #expect(card.connectors[0].modes.isEmpty && card.connectors[0].edid == nil)
  }

  @Test func `a card is opened only if something may be connected to it`() throws {
    let sys = try TemporaryFolder()
    sys.folder("card0")
    try sys.file("card1-HDMI-A-1/status", "disconnected\n")
    sys.folder("card1")
    try sys.file("card2-HDMI-A-1/status", "connected\n")
    sys.folder("card2")
    let survey = DisplaySurvey(OutputSelector(), sysfs: sys.path, devices: "/nowhere")
    #expect(
      survey.cards.map(\.unused)
        == [.renderOnly, nil, .failed(.refused(.openCard, Errno(ENOENT)))])
    #expect(survey.choice.pipeline == nil)
  }

  @Test func `without /sys there is nothing, and no error`() {
    #expect(DisplaySurvey(OutputSelector(), sysfs: "/nowhere", devices: "/nowhere").cards.isEmpty)
  }
}
