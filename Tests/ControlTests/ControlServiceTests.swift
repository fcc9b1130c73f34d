import Ink
import JSON
import Spool
import SyntheticHand
import Testing

@testable import Control

@Suite struct ControlServiceTests: ControlServiceSuite {
  let second: Int64 = 1_000_000_000
  var service = ControlService(
    info: .test, allowsStrokes: true, draw: SavedSignature.drawn)

  init() { service.connected(1, isAllowed: true) }

  /// A request that a crash has left open.
  static var orphan: PadRequest {
    var request = PadRequest(.signature, number: 7)
    request.reference = "4711"
    return request
  }

  @Test mutating func `a request for a signature reaches the pad with all its parameters`() {
    let actions = send(
      "Sign",
      """
      {"reference":"4711","title":"Parcel","prompt":"für Müller","language":"de",
       "time_limit":60,"cancellable":true}
      """)
    var request = PadRequest(.signature, number: 1)
    request.reference = "4711"
    request.title = "Parcel"
    request.text = "für Müller"
    request.language = "de"
    request.timeLimit = 60 * second
    request.hasButton = true
    #expect(actions == [.ask(.open(request))])
    #expect(!service.isReady(1))
  }

  @Test(arguments: [false, true])
  mutating func `only paraph-web is believed whose token it is`(isWeb: Bool) throws {
    let requester = Requester(uid: 33, program: "client")
    service.connected(2, isAllowed: true, as: requester, namesTokens: isWeb)
    let actions = send("Sign", #"{"token":"desk"}"#, from: 2)
    guard case .ask(.open(let request)) = actions.first else {
      return #expect(Bool(false), "\(actions)")
    }
    #expect(request.requester == Requester(uid: 33, program: "client", token: isWeb ? "desk" : nil))
  }

  @Test mutating func `a token's name is a text of a limited length`() {
    for token in ["7", "\"\(String(repeating: "x", count: 256))\""] {
      _ = send("Sign", "{\"token\":\(token)}")
      #expect(service.isReady(1) && service.open == nil)
    }
    _ = send("Sign", "{\"token\":\"\(String(repeating: "x", count: 255))\"}")
    #expect(service.open != nil)
  }

  @Test mutating func `the reply has the signature, and the client may call again`() throws {
    _ = send("Sign", #"{"formats":["png","svg"]}"#)
    let answer = try reply(service.event(.signed(1, .test()), at: 0))
    #expect(answer.state == "saved" && !answer.continues)
    #expect(answer["signature"]?["id"]?.text == "0190")
    #expect(answer["signature"]?["reference"]?.text == "4711")
    #expect(answer["signature"]?["png"]?.text == "cGljdHVyZQ==")
    #expect(answer["signature"]?["svg"]?.text == "PHN2Zy8+")
    #expect(answer["signature"]?["time"]?.text == "2026-11-21T10:00:00.000Z")
    #expect(answer["signature"]?["inkml"] == nil && answer["signature"]?["strokes"] == nil)
    #expect(service.isReady(1))
  }

  @Test mutating func `strokes mark where reports were lost`() throws {
    var signature = SavedSignature.test()
    let samples = [0, 1, 2].map { Sample(time: 7 + $0 * second, position: Point(Float($0), 1)) }
    signature.strokes = [Stroke(samples), Stroke(samples)]
    signature.strokes[1].gaps = [2]
    _ = send("Sign", #"{"formats":["strokes"]}"#)
    let answer = try reply(service.event(.signed(1, signature), at: 0))
    let strokes = try #require(answer["signature"]?["strokes"])
    #expect(strokes[0]?["samples"]?[2]?["t"]?.real == 2 && strokes[0]?["gaps"] == nil)
    #expect(strokes[1]?["gaps"]?[0]?.integer == 2 && strokes[1]?["gaps"]?.count == 1)
    #expect(answer["signature"]?["png"] == nil)
  }

  @Test
  mutating func
    `with more, the client receives every change of state, and only the last reply ends the call`()
    throws
  {
    _ = send("Sign", more: true)
    let invited = try reply(
      service.event(.state(.invited, request: 1, deadline: 60 * second), at: 0))
    #expect(invited.state == "invited" && invited.continues)
    #expect(invited["seconds_left"]?.real == 60)
    #expect(try reply(service.event(.state(.signing, request: 1, deadline: nil), at: 0)).continues)
    #expect(!(try reply(service.event(.timedOut(1), at: 0)).continues))
    #expect(service.event(.state(.idle, request: nil, deadline: nil), at: 0).isEmpty)
  }

  @Test mutating func `without more, the client receives only the last reply`() {
    _ = send("Sign")
    #expect(service.event(.state(.invited, request: 1, deadline: nil), at: 0).isEmpty)
  }

  @Test mutating func `a second request is busy until the first one is over`() throws {
    service.connected(2, isAllowed: true)
    _ = send("Sign")
    #expect(try reply(send("Sign", from: 2), to: 2).error == "org.paraph.Pad.Busy")
    #expect(
      try reply(send("Show", #"{"text":"x"}"#, from: 2), to: 2).error == "org.paraph.Pad.Busy")
    _ = service.event(.cancelled(1, by: .person), at: 0)
    #expect(send("Sign", from: 2) == [.ask(.open(PadRequest(.signature, number: 2)))])
  }

  @Test
  mutating func
    `disconnecting cancels the request, and the pad is busy until the request has ended`() throws
  {
    service.connected(2, isAllowed: true)
    _ = send("Sign")
    #expect(service.disconnected(1, at: 0) == [.ask(.cancel(1))])
    #expect(try reply(send("Sign", from: 2), to: 2).error == "org.paraph.Pad.Busy")
    #expect(service.event(.cancelled(1, by: .program), at: 0).isEmpty)
    #expect(send("Sign", from: 2) == [.ask(.open(PadRequest(.signature, number: 2)))])
  }

  @Test mutating func `a client resumes a request from before a crash by its reference`() throws {
    service.restore(Self.orphan, at: 0)
    #expect(try reply(send("Sign", #"{"reference":"4712"}"#)).error == "org.paraph.Pad.Busy")
    #expect(try reply(send("Sign")).error == "org.paraph.Pad.Busy")
    _ = service.event(.state(.signing, request: 7, deadline: nil), at: 0)
    let taken = try reply(send("Sign", #"{"reference":"4711"}"#, more: true))
    #expect(taken.state == "signing" && taken.continues)
    service.connected(2, isAllowed: true)
    let second = send("Sign", #"{"reference":"4711"}"#, from: 2)
    #expect(try reply(second, to: 2).error == "org.paraph.Pad.Busy")
    let end = try reply(service.event(.signed(7, .test()), at: 0))
    #expect(end.state == "saved" && !end.continues)
  }

  @Test
  mutating func
    `a request from before a crash stays for another call where there is no panel for it`() throws
  {
    service.restore(Self.orphan, at: 0)
    #expect(service.event(.unavailable(7, "the screen is taken"), at: 0).isEmpty)
    _ = send("Sign", #"{"reference":"4711"}"#)
    let refused = try reply(service.event(.unavailable(7, "the screen is taken"), at: 5))
    #expect(refused.error == "org.paraph.Pad.OutOfService" && !refused.continues)
    #expect(try reply(send("Sign")).error == "org.paraph.Pad.Busy")
    #expect(send("Sign", #"{"reference":"4711"}"#).isEmpty)
    let end = try reply(service.event(.signed(7, .test()), at: 6))
    #expect(end.state == "saved")
  }

  @Test mutating func `a request from before a crash that has no panel is not kept for ever`() {
    service.restore(Self.orphan, at: 0)
    _ = send("Sign", #"{"reference":"4711"}"#)
    _ = service.event(.unavailable(7, "the screen is taken"), at: 5)
    #expect(service.time(4 + ControlService.orphanLimit).isEmpty)
    #expect(service.time(5 + ControlService.orphanLimit) == [.ask(.cancel(7))])
  }

  @Test mutating func `another client can cancel, with or without the reference`() throws {
    service.connected(2, isAllowed: true)
    #expect(try reply(send("Cancel", from: 2), to: 2).error == "org.paraph.Pad.NoRequest")
    _ = send("Sign", #"{"reference":"4711"}"#)
    let other = send("Cancel", #"{"reference":"4712"}"#, from: 2)
    #expect(try reply(other, to: 2).error == "org.paraph.Pad.NoRequest")
    #expect(send("Cancel", #"{"reference":"4711"}"#, from: 2) == [.ask(.cancel(1))])
    let actions = service.event(.cancelled(1, by: .program), at: 0)
    let end = try reply(actions)
    #expect(end.state == "cancelled" && end["cancelled_by"]?.text == "program")
    #expect(try reply(actions, to: 2).error == nil)
  }

  @Test(arguments: [
    ControlEvent.signed(1, .test()), .cancelled(1, by: .person), .timedOut(1), .refused(1, .busy),
    .messageGone(1, acknowledged: false), .answered(1, choice: 3),
  ])
  mutating func `Cancel is answered when the pad accepts the next request`(
    _ end: ControlEvent
  ) throws {
    service.connected(2, isAllowed: true)
    _ = send("Sign")
    _ = send("Cancel", from: 2)
    #expect(!service.isReady(2))
    #expect(try reply(service.event(end, at: 0), to: 2).error == nil)
    #expect(service.isReady(2))
    #expect(send("Sign", from: 2).contains { if case .ask(.open) = $0 { true } else { false } })
  }

  @Test mutating func `Cancel waits for the pad for at most two seconds`() throws {
    service.connected(2, isAllowed: true)
    _ = send("Sign")
    _ = send("Cancel", from: 2)
    #expect(service.deadline == ControlService.cancelLimit)
    #expect(service.time(ControlService.cancelLimit - 1).isEmpty)
    #expect(try reply(service.time(ControlService.cancelLimit), to: 2).error == nil)
    #expect(service.isReady(2))
  }

  @Test mutating func `a refusal of the pad is an error with its reason`() throws {
    _ = send("Sign")
    let answer = try reply(service.event(.refused(1, .outOfService("no space")), at: 0))
    #expect(answer.error == "org.paraph.Pad.OutOfService")
    #expect(answer["reason"]?.text == "no space")
    _ = send("Sign")
    #expect(try reply(service.event(.refused(2, .busy), at: 0)).error == "org.paraph.Pad.Busy")
    #expect(service.isReady(1))
  }

  @Test mutating func `a message is shown for five seconds unless told otherwise`() throws {
    var shown = PadRequest(.message, number: 1)
    (shown.text, shown.timeLimit) = ("Box 4", 5 * second)
    #expect(send("Show", #"{"text":"Box 4"}"#) == [.ask(.open(shown))])
    let gone = try reply(service.event(.messageGone(1, acknowledged: true), at: 0))
    #expect(gone["acknowledged"]?.flag == true)
  }

  @Test mutating func `a question is answered with the number of the choice`() throws {
    var asked = PadRequest(.question, number: 1)
    (asked.title, asked.text, asked.choices) = ("Parcel", "Which door?", ["Front", "Back"])
    asked.timeLimit = 9 * second
    let parameters =
      #"{"title":"Parcel","text":"Which door?","choices":["Front","Back"],"time_limit":9}"#
    #expect(send("Ask", parameters) == [.ask(.open(asked))])
    service.connected(2, isAllowed: true)
    #expect(try reply(send("Sign", from: 2), to: 2).error == "org.paraph.Pad.Busy")
    let end = try reply(service.event(.answered(1, choice: 1), at: 0))
    #expect(end["outcome"]?.text == "answered" && end["choice"]?.integer == 1 && !end.continues)
    #expect(service.isReady(1) && service.open == nil)
  }

  @Test mutating func `a question that is not answered says why`() throws {
    let parameters = #"{"text":"Which door?","choices":["Front","Back"]}"#
    _ = send("Ask", parameters)
    let late = try reply(service.event(.timedOut(1), at: 0))
    #expect(late["outcome"]?.text == "timed_out" && late["choice"] == nil && late["state"] == nil)
    _ = send("Ask", parameters)
    let ended = try reply(service.event(.cancelled(2, by: .pad), at: 0))
    #expect(ended["outcome"]?.text == "cancelled" && ended["cancelled_by"]?.text == "pad")
    _ = send("Ask", parameters)
    let long = try reply(service.event(.refused(3, .tooLong("choices", limit: 12)), at: 0))
    #expect(long.error == "org.varlink.service.InvalidParameter" && long["limit"]?.integer == 12)
    _ = send("Ask", parameters)
    #expect(service.disconnected(1, at: 0) == [.ask(.cancel(4))])
  }

  @Test(arguments: [
    ("text", #"{"choices":["a","b"]}"#), ("choices", #"{"text":"x"}"#),
    ("choices", #"{"text":"x","choices":["a"]}"#),
    ("choices", #"{"text":"x","choices":["a","b","c","d","e"]}"#),
    ("choices", #"{"text":"x","choices":["a"," "]}"#),
    ("choices", #"{"text":"x","choices":["a","\u00A0\u200B\u3000\u0085\u2028\uFEFF"]}"#),
    ("choices", #"{"text":"x","choices":["a","\uDB40\uDC20"]}"#),
    ("choices", #"{"text":"x","choices":["a",""]}"#),
    ("choices", #"{"text":"x","choices":["a","\#(String(repeating: "b", count: 201))"]}"#),
    ("choices", #"{"text":"x","choices":["a",1]}"#), ("choices", #"{"text":"x","choices":"ab"}"#),
    ("reference", #"{"text":"x","choices":["a","b"],"reference":"1"}"#),
    ("time_limit", #"{"text":"x","choices":["a","b"],"time_limit":0}"#),
  ])
  mutating func `a question that is wrong is refused by the name of the parameter`(
    name: String, parameters: String
  ) throws {
    let answer = try reply(send("Ask", parameters))
    #expect(answer.error == "org.varlink.service.InvalidParameter")
    #expect(answer["parameter"]?.text == name && service.open == nil)
  }

  @Test mutating func `watchers receive the state at once and at every change`() throws {
    service.connected(2, isAllowed: true)
    let first = try reply(send("Watch", more: true))
    #expect(first.state == "idle" && first.continues)
    let next = service.event(.state(.signing, request: nil, deadline: 2 * second), at: 0)
    #expect(try reply(next).state == "signing")
    let once = try reply(send("Watch", from: 2, at: second), to: 2)
    #expect(once.state == "signing" && !once.continues && once["seconds_left"]?.real == 1)
    #expect(try reply(service.event(.signed(nil, .test()), at: 0)).state == "saved")
  }

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

  @Test mutating func `buttons are pressed only while a person signs, and only if allowed`() throws
  {
    let press = #"{"button":"done"}"#
    #expect(try reply(send("Press", press)).error == "org.paraph.Pad.PressNotAllowed")
    service = ControlService(
      info: .test, allowsStrokes: false, allowsPresses: true, draw: SavedSignature.drawn)
    service.connected(1, isAllowed: true)
    #expect(try reply(send("Press", press)).error == "org.paraph.Pad.NotEnabled")
    _ = service.event(.state(.signing, request: nil, deadline: nil), at: 0)
    #expect(send("Press", press) == [.ask(.press(.done, 1))])
    #expect(!service.isReady(1))
    #expect(service.event(.pressed(2, true), at: 0).isEmpty)
    let pressed = service.event(.pressed(1, true), at: 0)
    #expect(try reply(pressed).error == nil)
    #expect(service.isReady(1))
    // The person was faster.
    _ = send("Press", press)
    let late = service.event(.pressed(1, false), at: 0)
    #expect(try reply(late).error == "org.paraph.Pad.NotEnabled")
    for wrong in ["{}", #"{"button":"cancel"}"#, #"{"button":7}"#] {
      let error = try reply(send("Press", wrong)).error
      #expect(error == "org.varlink.service.InvalidParameter")
    }
  }

  @Test mutating func `ink cannot be watched where the configuration does not allow it`() throws {
    service = ControlService(
      info: .test, allowsStrokes: false, draw: SavedSignature.drawn)
    service.connected(1, isAllowed: true)
    let answer = try reply(send("Watch", #"{"strokes":true}"#, more: true))
    #expect(answer.error == "org.paraph.Pad.StrokesNotAllowed")
  }

  @Test mutating func `GetInfo is answered at once`() throws {
    let first = try reply(send("GetInfo"))
    #expect(first["panel"] == nil)
    #expect(first["watch_strokes"]?.flag == true && first["press_buttons"]?.flag == false)
    service.info.panel = PadInfo.Panel(
      name: "DSI-1", width: 800, height: 480, widthMillimetres: 154, heightMillimetres: 86)
    service.info.touchscreens = [
      PadInfo.Touchscreen(node: "/dev/input/event1", name: "ft5x06", rejection: nil)
    ]
    service.info.latency = PadInfo.Latency(
      samples: 9, p50: 40_000, p99: 90_000, longest: 120_000)
    let actions = send("GetInfo")
    let answer = try reply(actions)
    #expect(answer["device"]?.text == "Locker 17" && answer.state == "idle")
    #expect(answer["panel"]?["width_mm"]?.real == 154)
    #expect(answer["touchscreens"]?[0]?["in_use"]?.flag == true)
    let latency = ["samples", "p50", "p99", "longest"].map { answer["latency"]?[$0]?.integer }
    #expect(latency == [9, 40, 90, 120])
    // The list of input devices may be old.
    #expect(actions.last == .ask(.refreshDevices))
    #expect(service.isReady(1) && service.deadline == nil)
  }

  @Test mutating func `a change of the foreground is answered to the client that wants it`() throws
  {
    let ways: [(ControlEvent.Switch, String?)] = [
      (.done, nil), (.busy, "org.paraph.Pad.Busy"), (.notShared, "org.paraph.Pad.NotShared"),
      (.outOfService("the program on tty7"), "org.paraph.Pad.OutOfService"),
    ]
    for (result, error) in ways {
      #expect(send("Front") == [.ask(.bringToFront(1))] && !service.isReady(1))
      #expect(service.event(.foreground(2, result), at: 0).isEmpty)
      #expect(try reply(service.event(.foreground(1, result), at: 0)).error == error)
      #expect(service.isReady(1))
    }
    #expect(send("Back") == [.ask(.sendToBack(1))])
    #expect(service.disconnected(1, at: 0).isEmpty)
    #expect(service.event(.foreground(1, .done), at: 0).isEmpty)
  }

  @Test mutating func `GetInfo says which side has the panel`() throws {
    #expect(try reply(send("GetInfo"))["foreground"]?.text == "pad")
    service.info.foreground = .other
    #expect(try reply(send("GetInfo"))["foreground"]?.text == "other")
  }

  @Test mutating func `the service describes itself`() throws {
    let info = try reply(service.message(call("org.varlink.service.GetInfo"), from: 1, at: 0))
    #expect(info["interfaces"]?[1]?.text == "org.paraph.Pad")
    let described = try reply(
      service.message(
        call(
          "org.varlink.service.GetInterfaceDescription", #"{"interface":"org.paraph.Pad"}"#),
        from: 1, at: 0))
    #expect(described["description"]?.text == InterfaceDescription.pad)
  }

  @Test(arguments: [
    ("org.paraph.Pad.Fly", "{}", "org.varlink.service.MethodNotFound"),
    ("org.paraph.Pod.Sign", "{}", "org.varlink.service.InterfaceNotFound"),
    ("org.paraph.Pad.Sign", #"{"promt":"x"}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"prompt":7}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"time_limit":0}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"time_limit":1e300}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"language":"../x"}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"formats":["gif"]}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"reference":"a\nb"}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"reference":""}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Show", "{}", "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Watch", #"{"strokes":true}"#, "org.varlink.service.ExpectedMore"),
    ("org.varlink.service.Fly", "{}", "org.varlink.service.MethodNotFound"),
  ]) mutating func `a wrong call gets a named error and opens nothing`(
    _ method: String, _ parameters: String, _ error: String
  ) throws {
    let actions = service.message(call(method, parameters), from: 1, at: 0)
    #expect(try reply(actions).error == error)
    #expect(service.isReady(1) && service.open == nil)
  }

  @Test(arguments: [
    ("", "invalid JSON: '[' or '{' expected"), ("7", "invalid JSON: '[' or '{' expected"),
    ("[]", "no method"), ("{}", "no method"), (#"{"method":7}"#, "no method"),
    (#"{"method":"a\u0000b"}"#, "invalid JSON: NUL character in a string"),
    (#"{"method":"Sign"}"#, "no interface before the method's name"),
    (#"{"method":"x.y","parameters":7}"#, "the parameters are not an object"),
    (#"{"method":"x.y","more":1}"#, "more is neither true nor false"),
  ])
  mutating func
    `a message that is not a call is answered with the reason, and closes the connection`(
      _ message: String, _ reason: String
    ) throws
  {
    let actions = service.message(Array(message.utf8), from: 1, at: 0)
    let answer = try reply(actions)
    #expect(answer.error == "org.paraph.Pad.InvalidMessage")
    #expect(answer["reason"]?.text == reason)
    #expect(actions.last == .close(1, reason: "invalid message: \(reason)"))
    #expect(actions.count == 2 && !service.isReady(1))
  }

  @Test(arguments: [
    ("reference", 1024, "Sign"), ("title", 2400, "Sign"), ("prompt", 2400, "Sign"),
    ("title", 2400, "Show"), ("text", 2400, "Show"),
  ])
  mutating func `a text may be as long as the interface says`(
    _ name: String, _ limit: Int, _ method: String
  ) throws {
    func parameters(_ count: Int) -> String {
      // Of two bytes each in UTF-8.
      let text = String(repeating: "ü", count: count / 2)
      return method == "Show" && name != "text"
        ? #"{"\#(name)":"\#(text)","text":"x"}"# : #"{"\#(name)":"\#(text)"}"#
    }
    let answer = try reply(send(method, parameters(limit + 2)))
    #expect(answer.error == "org.varlink.service.InvalidParameter")
    #expect(answer["parameter"]?.text == name)
    guard case .ask = send(method, parameters(limit)).first else {
      Issue.record("\(name) of \(limit) bytes was refused")
      return
    }
  }

  @Test mutating func `a client without permission gets an error and is disconnected`() throws {
    service.connected(2, isAllowed: false)
    let actions = send("Sign", from: 2)
    #expect(try reply(actions, to: 2).error == "org.varlink.service.PermissionDenied")
    #expect(actions.last == .close(2, reason: nil))
    #expect(service.open == nil)
  }

  @Test mutating func `a oneway call gets no reply, and opens no request`() {
    let oneway = #"{"method":"org.paraph.Pad.Sign","oneway":true}"#
    #expect(service.message(Array(oneway.utf8), from: 1, at: 0).isEmpty)
    #expect(service.open == nil)
    _ = send("Sign")
    service.connected(2, isAllowed: true)
    let cancel = #"{"method":"org.paraph.Pad.Cancel","oneway":true}"#
    #expect(service.message(Array(cancel.utf8), from: 2, at: 0) == [.ask(.cancel(1))])
  }

  /// A pad that answers as pads may, and programs that do what they like: each call is answered once,
  /// at most one request is open, and nothing is left at the end.
  @Test(arguments: 1...30) mutating func `a random walk keeps the invariants`(_ seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    service = ControlService(
      info: .test, allowsStrokes: true, allowsPresses: true, draw: SavedSignature.drawn)
    service.connected(1, isAllowed: true)
    var (now, nextClient) = (Int64(0), 1)
    var waiting: [Int: Int] = [1: 0]
    var padHas: [Int64] = []
    var unread: [(Int, String)] = []
    var screenshots = 0
    var presses: [Int] = []
    var switches: [Int] = []
    func answered(_ client: Int, _ bytes: [UInt8]) throws {
      let reply = try ReceivedReply(bytes)
      try #require(waiting[client] != nil, "seed \(seed): a reply to nobody")
      if !reply.continues { waiting[client] = (waiting[client] ?? 0) - 1 }
      try #require((waiting[client] ?? 0) >= 0, "seed \(seed): a reply to no call")
    }
    func handle(_ actions: [ControlService.Action]) throws {
      for action in actions {
        switch action {
        case .ask(.open(let request)): padHas.append(request.number)
        case .ask(.takeScreenshot): screenshots += 1
        case .ask(.press(_, let client)): presses.append(client)
        case .ask(.bringToFront(let client)), .ask(.sendToBack(let client)):
          switches.append(client)
        case .ask: break
        case .sendInk(let client):
          while let ink = service.nextInk(for: client, at: now) { try answered(client, ink) }
        case .close(let client, _): waiting[client] = nil
        case .send(let client, let bytes): try answered(client, bytes)
        case .deliver(let client, let reply, let id):
          try answered(client, reply.bytes)
          if let id { unread.append((client, id)) }
        }
      }
      try #require(padHas.count <= 1 && screenshots <= 1, "seed \(seed)")
    }
    for _ in 0..<3000 {
      now += Int64.random(in: 0...(second / 4), using: &random)
      switch Int.random(in: 0..<15, using: &random) {
      case 0 where waiting.count < 6:
        nextClient += 1
        waiting[nextClient] = 0
        service.connected(nextClient, isAllowed: true)
      case 1:
        guard let client = waiting.keys.sorted().randomElement(using: &random) else { continue }
        waiting[client] = nil
        try handle(service.disconnected(client, at: 0))
      case 2...5:
        guard let client = waiting.keys.sorted().randomElement(using: &random),
          service.isReady(client)
        else { continue }
        let methods = [
          "Sign", "Show", "Ask", "Cancel", "Watch", "GetInfo", "GetSignature", "Screenshot",
          "Press", "Front", "Back",
        ]
        let method = methods.randomElement(using: &random) ?? ""
        let parameters =
          switch method {
          case "Show": #"{"text":"x"}"#
          case "Ask": #"{"text":"x","choices":["a","b"]}"#
          case "Press": #"{"button":"done"}"#
          case "Watch": #"{"strokes":true}"#
          default: "{}"
          }
        waiting[client] = 1
        try handle(
          send(method, parameters, more: .random(using: &random), from: client, at: now))
      case 6:
        guard let number = padHas.first else { continue }
        let ends: [ControlEvent] = [
          .signed(number, .test()), .cancelled(number, by: .person), .timedOut(number),
          .refused(number, .busy), .messageGone(number, acknowledged: false),
          .answered(number, choice: 0),
        ]
        padHas = []
        try handle(service.event(ends.randomElement(using: &random) ?? .timedOut(number), at: now))
      case 7: service.info = .test
      case 10 where screenshots > 0:
        screenshots -= 1
        let ends: [ControlEvent.Screenshot] = [.png([1]), .inkNotAllowed, .outOfService("")]
        let end = ends.randomElement(using: &random) ?? .inkNotAllowed
        try handle(service.event(.screenshot(end), at: now))
      case 11:
        let steps: [ControlEvent.InkStep] = [
          .wiped, .begins(Sample(time: now, position: .zero)), .ends, .undone,
        ]
        try handle(service.event(.ink([steps.randomElement(using: &random) ?? .wiped]), at: now))
      case 12 where !presses.isEmpty:
        let event = ControlEvent.pressed(presses.removeFirst(), .random(using: &random))
        try handle(service.event(event, at: now))
      case 14 where !switches.isEmpty:
        let ends: [ControlEvent.Switch] = [.done, .busy, .notShared, .outOfService("")]
        let end = ends.randomElement(using: &random) ?? .done
        try handle(service.event(.foreground(switches.removeFirst(), end), at: now))
      case 9:
        if let (client, id) = unread.popLast() { try handle(service.wasRead(id, by: client)) }
      case 8:
        try handle(service.event(.state(.signing, request: padHas.first, deadline: nil), at: now))
      default: try handle(service.time(now))
      }
      #expect((service.open?.number).map { [$0] } ?? [] == padHas, "seed \(seed)")
    }
    for client in waiting.keys.sorted() { _ = service.disconnected(client, at: 0) }
    _ = service.time(now + 100 * second)
    #expect(service.signatures.isEmpty && service.deadline == nil)
  }
}
