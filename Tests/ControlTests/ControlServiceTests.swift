import Ink
import JSON
import Spool
import Testing

@testable import Control

@Suite struct ControlServiceTests: ControlServiceSuite {
  var service = ControlService.test()

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
    if isWeb {
      service.connected(2, isAllowed: true, as: requester, namesTokens: true)
    } else {
      service.connected(2, isAllowed: true, as: requester)
    }
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
    #expect(answer["signature"]?["width"]?.integer == 300)
    #expect(answer["signature"]?["height"]?.integer == 100)
    #expect(answer["signature"]?["dpi"]?.real == 300)
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

  @Test mutating func `Cancel without ink fails if there is ink, and the request stays`() throws {
    service.connected(2, isAllowed: true)
    _ = send("Sign", #"{"reference":"4711"}"#)
    let wrong = send("Cancel", #"{"without_ink":1}"#, from: 2)
    #expect(try reply(wrong, to: 2).error == "org.varlink.service.InvalidParameter")
    let parameters = #"{"reference":"4711","without_ink":true}"#
    #expect(
      send("Cancel", parameters, from: 2) == [.ask(.cancelWithoutInk(1, client: 2))])
    #expect(!service.isReady(2))
    let stays = service.event(.inkStays(1, client: 2), at: 0)
    #expect(stays.count == 1)
    #expect(try reply(stays, to: 2).error == "org.paraph.Pad.NoRequest")
    #expect(service.isReady(2) && service.open?.number == 1)
    _ = send("Cancel", parameters, from: 2)
    let end = service.event(.cancelled(1, by: .program), at: 0)
    #expect(try reply(end).state == "cancelled")
    #expect(try reply(end, to: 2).error == nil)
  }

  @Test mutating func `Cancel without ink fails if the pad does not tell of ink in two seconds`()
    throws
  {
    service.connected(2, isAllowed: true)
    _ = send("Sign")
    _ = send("Cancel", #"{"without_ink":true}"#, from: 2)
    let late = service.time(ControlService.cancelLimit)
    #expect(try reply(late, to: 2).error == "org.paraph.Pad.NoRequest")
    // The answer is not that of another Cancel of the same request.
    _ = send("Cancel", from: 2)
    #expect(service.event(.inkStays(1, client: 2), at: 0).isEmpty)
    #expect(!service.isReady(2))
  }

  @Test mutating func `Cancel without ink fails if the person was faster with Done`() throws {
    service.connected(2, isAllowed: true)
    _ = send("Sign")
    _ = send("Cancel", #"{"without_ink":true}"#, from: 2)
    let end = service.event(.signed(1, .test()), at: 0)
    #expect(try reply(end, to: 2).error == "org.paraph.Pad.NoRequest")
    #expect(service.isReady(2))
  }

  @Test mutating func `a request that ends before it was shown changes no state`() throws {
    service.connected(2, isAllowed: true)
    _ = service.event(.state(.idle, request: nil, deadline: nil), at: 0)
    _ = send("Watch", more: true, from: 2)
    _ = send("Sign")
    let end = service.event(.cancelled(1, by: .pad), at: 0)
    #expect(end.count == 1)
    #expect(try reply(end).state == "cancelled")
    #expect(try reply(send("GetInfo")).state == "idle")
    _ = send("Sign")
    _ = service.event(.state(.invited, request: 2, deadline: nil), at: 0)
    let shown = service.event(.cancelled(2, by: .pad), at: 0)
    #expect(try reply(shown, to: 2).state == "cancelled")
    #expect(try reply(send("GetInfo")).state == "cancelled")
  }

  @Test mutating func `an answer about an earlier request is not given to a later Cancel`() throws {
    service.connected(2, isAllowed: true)
    _ = send("Sign")
    _ = send("Cancel", #"{"without_ink":true}"#, from: 2)
    // The person was faster with Done.
    _ = service.event(.signed(1, .test()), at: 0)
    _ = send("Sign")
    #expect(service.event(.inkStays(1, client: 2), at: 0).isEmpty)
    #expect(
      send("Cancel", #"{"without_ink":true}"#, from: 2) == [
        .ask(.cancelWithoutInk(2, client: 2))
      ])
    #expect(service.event(.inkStays(1, client: 2), at: 0).isEmpty)
    #expect(!service.isReady(2))
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

  @Test mutating func `buttons are pressed only while a person signs, and only if allowed`() throws
  {
    let press = #"{"button":"done"}"#
    #expect(try reply(send("Press", press)).error == "org.paraph.Pad.PressNotAllowed")
    service = .test(allowsStrokes: false, allowsPresses: true)
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

  @Test mutating func `GetInfo says whether a finished signature could not be saved`() throws {
    func isUnsaved(after state: PadState, of request: Int64? = nil) throws -> Bool? {
      _ = service.event(.state(state, request: request, deadline: nil), at: 0)
      return try reply(send("GetInfo"))["unsaved"]?.flag
    }
    // Without ink, with a finished signature, and once it can be sent again.
    #expect(try isUnsaved(after: .outOfService) == false)
    #expect(try isUnsaved(after: .signing) == false)
    #expect(try isUnsaved(after: .confirming) == false)
    #expect(try isUnsaved(after: .outOfService) == true)
    #expect(try isUnsaved(after: .outOfService) == true)
    #expect(try isUnsaved(after: .signing) == false)
    #expect(try isUnsaved(after: .outOfService) == false)
    // Wiped with its request.
    _ = send("Sign")
    #expect(try isUnsaved(after: .confirming, of: 1) == false)
    #expect(try isUnsaved(after: .outOfService, of: 1) == true)
    _ = service.event(.cancelled(1, by: .program), at: 0)
    #expect(try isUnsaved(after: .outOfService) == false)
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
    ("org.paraph.Pad.Sign", #"{"language":"de_DE"}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"formats":["gif"]}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"reference":"a\nb"}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Sign", #"{"reference":""}"#, "org.varlink.service.InvalidParameter"),
    ("org.paraph.Pad.Ask", #"{"choices":["a","b"]}"#, "org.varlink.service.InvalidParameter"),
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
      return #"{"\#(name)":"\#(text)"}"#
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
}
