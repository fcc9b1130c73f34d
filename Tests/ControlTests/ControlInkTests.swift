import Ink
import JSON
import Testing

@testable import Control

/// The ink that clients watch.
@Suite struct ControlInkTests: ControlServiceSuite {
  var service = ControlService.test()

  @Test mutating func `the pad sends ink only while a client watches it`() throws {
    service.connected(2, isAllowed: true)
    #expect(send("Watch", #"{"strokes":true}"#, more: true).last == .ask(.watchInk(true)))
    #expect(send("Watch", more: true, from: 2).count == 1)
    let sample = Sample(time: 5 * second, position: Point(1.5, 2), pressure: 0.25)
    let later = Sample(time: 5 * second + second / 2, position: Point(2, 2))
    let actions = service.event(
      .ink([.wiped, .begins(sample), .goesOn(later), .goesOnAfterGap(later), .ends]), at: 0)
    #expect(actions == [.sendInk(1)] && service.hasInk(for: 1) && !service.hasInk(for: 2))
    let received = try #require(try nextInk(1))
    #expect(received.continues && received.state == "idle")
    let ink = try #require(received["ink"]?.elements)
    #expect(ink.map { $0["step"]?.text } == ["wiped", "begins", "goes_on", "goes_on", "ends"])
    #expect(ink.map { $0["after_gap"]?.flag } == [nil, nil, nil, true, nil])
    #expect(ink[1]["sample"]?["t"]?.real == 0 && ink[1]["sample"]?["pressure"]?.real == 0.25)
    #expect(ink[2]["sample"]?["t"]?.real == 0.5 && ink[2]["sample"]?["pressure"] == nil)
    #expect(service.nextInk(for: 1, at: 0) == nil && service.nextInk(for: 2, at: 0) == nil)
    #expect(service.disconnected(1, at: 0) == [.ask(.watchInk(false))])
  }

  /// The next ink for a client.
  private mutating func nextInk(_ client: Int) throws -> ReceivedReply? {
    try service.nextInk(for: client, at: 0).map { try ReceivedReply($0) }
  }

  static let surface = PadSurface(
    width: 800, height: 480, scaleX: 5.25, scaleY: 5.5, model: "ductus", narrowest: 0.25,
    widest: 0.75, prediction: 8_000_000, ink: 0x00_1AB0, ground: 0xFF_FFFF)

  @Test mutating func `clients that watch ink receive the surface first, and when it changes`()
    throws
  {
    service.connected(2, isAllowed: true)
    #expect(service.show(Self.surface, at: 0).isEmpty)
    let first = try reply(send("Watch", #"{"strokes":true}"#, more: true))
    let surface = try #require(first["surface"])
    #expect(surface["scale_y"]?.real == 5.5 && surface["prediction"]?.real == 0.008)
    #expect(surface["ink"]?.text == "#001ab0" && surface["ground"]?.text == "#ffffff")
    let plain = try reply(send("Watch", more: true, from: 2), to: 2)
    #expect(plain["surface"] == nil)
    #expect(service.show(Self.surface, at: 0).isEmpty)
    var other = Self.surface
    other.width = 801
    _ = service.event(.ink([.wiped, .begins(.init(time: 0, position: .zero))]), at: 0)
    #expect(try nextInk(1)?["ink"]?.elements?.count == 2)
    let actions = service.show(other, at: 0)
    let change = try reply(actions)
    #expect(change["surface"]?["width"]?.integer == 801 && change.continues)
    // It draws all ink anew.
    #expect(actions.last == .sendInk(1))
    #expect(try nextInk(1)?["ink"]?.elements?.count == 2)
  }

  @Test mutating func `the pad is asked for its ink once, and for each client that watches`() throws
  {
    service.connected(2, isAllowed: true)
    _ = send("Watch", #"{"strokes":true}"#, more: true)
    let second = send("Watch", #"{"strokes":true}"#, more: true, from: 2)
    #expect(second.last == .sendInk(2))
    #expect(service.disconnected(1, at: 0).isEmpty)
    #expect(service.disconnected(2, at: 0) == [.ask(.watchInk(false))])
  }

  @Test mutating func `ink cannot be watched where the configuration does not allow it`() throws {
    service = .test(allowsStrokes: false)
    let answer = try reply(send("Watch", #"{"strokes":true}"#, more: true))
    #expect(answer.error == "org.paraph.Pad.StrokesNotAllowed")
  }
}
