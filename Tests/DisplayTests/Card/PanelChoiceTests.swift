import Raster
import Testing

@testable import Display

@Suite struct PanelChoiceTests {
  private static let xrgb = PixelFormat.xrgb8888.fourcc
  private static let rgb565 = PixelFormat.rgb565.fourcc
  private static let hd = DisplayMode(
    width: 1280, height: 800, refreshMilliHertz: 60_000, isPreferred: true)

  private static func connector(
    _ id: UInt32, _ name: String, _ status: ConnectorSurvey.Status = .connected,
    litBy: UInt32 = 0, crtcs: UInt32 = 0b11, modes: [DisplayMode] = [hd]
  ) -> ConnectorSurvey {
    ConnectorSurvey(
      id: id, name: name, status: status, modes: modes, possibleCRTCs: crtcs, litBy: litBy)
  }

  private static func card(
    _ number: Int, _ connectors: [ConnectorSurvey], depth: Int = 24,
    formats: [UInt32] = [xrgb, rgb565]
  ) -> CardSurvey {
    CardSurvey(
      path: "/dev/dri/card\(number)", links: ["/dev/dri/by-path/platform-gpu\(number)-card"],
      driver: "test", preferredDepth: depth, connectors: connectors,
      crtcs: [CRTCSurvey(id: 40), CRTCSurvey(id: 41)],
      planes: [
        PlaneSurvey(id: 30, kind: .cursor, possibleCRTCs: 0b11, formats: formats),
        PlaneSurvey(id: 31, kind: .primary, possibleCRTCs: 0b01, formats: formats),
        PlaneSurvey(id: 32, kind: .primary, possibleCRTCs: 0b10, formats: formats),
      ])
  }

  private func choose(_ cards: [CardSurvey], _ selector: OutputSelector = OutputSelector())
    -> PanelChoice
  {
    PanelChoice(among: cards, selector: selector)
  }

  @Test func `a connected panel precedes one of unknown state, on any card`() {
    let dsi = Self.card(0, [Self.connector(1, "DSI-1", .unknown)])
    let hdmi = Self.card(1, [Self.connector(2, "HDMI-A-1")])
    for cards in [[dsi, hdmi], [hdmi, dsi]] {
      let choice = choose(cards)
      #expect(choice.pipeline?.connector.name == "HDMI-A-1")
      #expect(choice.unused.map(\.reason) == [.another])
      #expect(choice.unused.map(\.connector) == ["DSI-1"])
    }
  }

  @Test func `a panel of unknown state is used if there is no other`() {
    let choice = choose([
      Self.card(
        0, [Self.connector(1, "HDMI-A-1", .disconnected), Self.connector(2, "DSI-1", .unknown)])
    ])
    #expect(choice.pipeline?.connector.name == "DSI-1")
    #expect(choice.unused.map(\.reason) == [.disconnected])
  }

  @Test func `of two connected panels, the lit one is used`() {
    let choice = choose([
      Self.card(0, [Self.connector(1, "HDMI-A-1"), Self.connector(2, "HDMI-A-2", litBy: 41)])
    ])
    #expect(choice.pipeline?.connector.name == "HDMI-A-2")
    #expect(choice.pipeline?.crtc == 41)
    #expect(choice.pipeline?.plane == 32)
    #expect(choice.pipeline?.pipe == 1)
  }

  @Test func `a CRTC that lights another connector is left to it`() {
    let choice = choose(
      [Self.card(0, [Self.connector(1, "HDMI-A-1", litBy: 40), Self.connector(2, "DSI-1")])],
      OutputSelector(connector: "DSI-1"))
    #expect(choice.pipeline?.crtc == 41)
    #expect(choice.unused.map(\.reason) == [.otherConnector])
  }

  @Test func `the connector's mask selects the CRTCs that can drive it`() {
    let choice = choose([Self.card(0, [Self.connector(1, "DSI-1", crtcs: 0b10)])])
    #expect(choice.pipeline?.crtc == 41)
    #expect(
      choose([Self.card(0, [Self.connector(1, "DSI-1", crtcs: 0)])]).unused.map(\.reason)
        == [.noCRTC])
  }

  @Test(arguments: [
    "/dev/dri/card1", "card1", "platform-gpu1-card", "/dev/dri/by-path/platform-gpu1-card",
  ])
  func `a card is named by its node or by path`(name: String) {
    let cards = [0, 1].map { Self.card($0, [Self.connector(1, "HDMI-A-1")]) }
    let choice = choose(cards, OutputSelector(card: name))
    #expect(choice.pipeline?.card == 1)
    #expect(choice.unused.map(\.reason) == [.otherCard])
  }

  @Test func `card1 does not mean card11`() {
    let choice = choose(
      [Self.card(11, [Self.connector(1, "HDMI-A-1")])], OutputSelector(card: "card1"))
    #expect(choice.pipeline == nil)
  }

  @Test func `the preferred mode is taken, the configured one instead, or none`() {
    let small = DisplayMode(width: 640, height: 480, refreshMilliHertz: 60_000)
    let cards = [Self.card(0, [Self.connector(1, "HDMI-A-1", modes: [small, Self.hd])])]
    #expect(choose(cards).pipeline?.mode == Self.hd)
    let wish = OutputSelector(mode: ModeRequest(width: 640, height: 480))
    #expect(choose(cards, wish).pipeline?.mode == small)
    let missing = choose(cards, OutputSelector(mode: ModeRequest(width: 800, height: 600)))
    #expect(missing.pipeline == nil)
    #expect(missing.unused.map(\.reason) == [.noSuchMode])
  }

  @Test func `without a preferred mode, the current one stays`() {
    let a = DisplayMode(width: 640, height: 480, refreshMilliHertz: 60_000)
    var b = DisplayMode(width: 800, height: 600, refreshMilliHertz: 60_000)
    var card = Self.card(0, [Self.connector(1, "VGA-1", litBy: 40, modes: [a, b])])
    b.type = 1 << 6  // the CRTC's copy has a type of its own
    card.crtcs[0].mode = b
    #expect(choose([card]).pipeline?.mode.width == 800)
    card.connectors[0].litBy = 0
    #expect(choose([card]).pipeline?.mode == a)
  }

  @Test func `a head-mounted display or one without modes is not a panel`() {
    var goggles = Self.connector(1, "DP-1")
    goggles.isNonDesktop = true
    let choice = choose([Self.card(0, [goggles, Self.connector(2, "DP-2", modes: [])])])
    #expect(choice.pipeline == nil)
    #expect(choice.unused.map(\.reason) == [.nonDesktop, .noModes])
  }

  @Test func `a 16-bit card gets 16-bit pixels`() {
    let cards = [Self.card(0, [Self.connector(1, "SPI-1", .unknown)], depth: 16)]
    #expect(choose(cards).pipeline?.format == .rgb565)
    #expect(choose(cards, OutputSelector(format: .xrgb8888)).pipeline?.format == .xrgb8888)
  }

  @Test func `a format that the plane lacks is not chosen`() {
    let only565 = [Self.card(0, [Self.connector(1, "DSI-1")], formats: [Self.rgb565])]
    #expect(choose(only565).pipeline?.format == .rgb565)
    let neither = [Self.card(0, [Self.connector(1, "DSI-1")], formats: [1])]
    #expect(choose(neither).unused.map(\.reason) == [.noFormat])
  }

  @Test func `without the usual formats, another one is used`() {
    func format(_ formats: [PixelFormat], depth: Int = 24) -> PixelFormat? {
      let card = Self.card(
        0, [Self.connector(1, "DP-1")], depth: depth, formats: formats.map { $0.fourcc })
      return choose([card]).pipeline?.format
    }
    // The graphics layer of ZynqMP (zynqmp_disp.c, avbuf_gfx_fmts), which has no XRGB8888.
    #expect(format([.abgr8888, .argb8888, .rgba8888, .bgra8888, .bgr888, .rgb888]) == .argb8888)
    #expect(format([.xbgr8888, .rgb565]) == .xbgr8888)
    #expect(format([.xbgr8888, .rgb565], depth: 16) == .rgb565)
    #expect(format([.rgb888, .rgb565]) == .rgb565)
    for only in PixelFormat.allCases { #expect(format([only]) == only) }
  }

  @Test func `a card without universal planes is usable`() {
    var card = Self.card(0, [Self.connector(1, "VGA-1")])
    card.planes = []
    let pipeline = choose([card]).pipeline
    #expect(pipeline?.plane == nil)
    #expect(pipeline?.format == .xrgb8888)
  }

  @Test func `without connectors, there is no panel`() {
    #expect(choose([]).pipeline == nil)
    #expect(choose([]).unused.isEmpty)
  }

  @Test func `without a card, there is no panel`() {
    #expect(throws: DisplayError.noCard) {
      _ = try OpenedPipeline(OutputSelector(), in: "/nowhere/dri")
    }
  }
}
