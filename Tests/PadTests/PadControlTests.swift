import CLinux
import Configuration
import Control
import Ink
import Linux
import Raster
import Screen
import Signature
import SpoolFixtures
import Testing

@testable import Pad

@Suite struct PadControlTests {
  let second: Int64 = 1_000_000_000

  @Test func `a request that comes before the first panel waits for it`() throws {
    let pad = try ControlledPad()
    let program = try pad.program()
    program.call("Sign", #"{"title":"Parcel","time_limit":60}"#)
    pad.turn()
    #expect(pad.render.takeAll().isEmpty && program.text.isEmpty)
    #expect(pad.control.deadline == 5 * second)
    pad.light(at: 2 * second)
    let messages = pad.render.takeAll()
    guard messages.count == 2, case .open(let typeset) = messages[0],
      case .setScenes(_, let open) = messages[1]
    else {
      Issue.record("\(messages)")
      return
    }
    // The session receives it only by the first message, and the first frame waits for the second.
    #expect(open == nil && typeset.number == 1)
    #expect(typeset.request.timeLimit == 60 * second)
    #expect(pad.control.deadline == nil && program.text.isEmpty)
  }

  @Test func `a message that comes before the first panel is shown when there is one`() throws {
    let pad = try ControlledPad()
    let program = try pad.program()
    program.call("Show", #"{"text":"Box 7"}"#)
    pad.turn()
    pad.light(at: 0)
    guard case .open(let message)? = pad.render.takeAll().first else {
      Issue.record("it is not shown")
      return
    }
    #expect(message.number == 1 && message.request.kind == .message)
  }

  @Test func `a pad that does not share its panel refuses Front and Back`() throws {
    let pad = try ControlledPad()
    // Of a pad that wants to, without a terminal.
    let terminal = PadTerminal(nil, isShared: true, hasRecovered: false, render: pad.render)
    #expect(!terminal.isShared && terminal.isFront && terminal.side == .pad)
    pad.control.terminal = terminal
    let asking = try pad.program()
    for method in ["Front", "Back"] {
      asking.call(method)
      pad.turn()
      #expect(asking.text.contains("org.paraph.Pad.NotShared"))
    }
    // Requests are shown at once.
    pad.light(at: 0)
    let program = try pad.program()
    program.call("Sign")
    pad.turn()
    guard case .open? = pad.render.takeAll().last else {
      Issue.record("the request is not shown")
      return
    }
  }

  @Test func `without a panel a request is refused after five seconds, and the next one may come`()
    throws
  {
    let pad = try ControlledPad()
    let program = try pad.program()
    program.call("Sign")
    pad.turn(at: second)
    pad.control.time(6 * second - 1)
    #expect(program.text.isEmpty)
    pad.control.time(6 * second)
    let answer = program.text
    #expect(answer.contains("org.paraph.Pad.OutOfService"))
    #expect(answer.contains("there is no panel yet"))
    program.call("Sign")
    pad.turn(at: 7 * second)
    pad.light(at: 7 * second)
    #expect(pad.render.takeAll().count == 2)
  }

  @Test func `a request that is cancelled before the first panel is never shown`() throws {
    for method in ["Sign", "Show"] {
      let pad = try ControlledPad()
      let (program, other) = (try pad.program(), try pad.program())
      program.call(method, method == "Show" ? #"{"text":"x"}"# : "{}")
      pad.turn()
      other.call("Cancel", method == "Show" ? "{}" : #"{"without_ink":true}"#)
      pad.turn()
      let end = method == "Show" ? #""acknowledged":false"# : #""state":"cancelled""#
      #expect(program.text.contains(end))
      pad.light(at: 0)
      #expect(pad.render.takeAll().count == 1 && pad.control.deadline == nil)
    }
  }

  @Test func `GetInfo is answered at once, whatever the other threads do`() throws {
    let pad = try ControlledPad()
    let programs = try (0..<10).map { _ in try pad.program() }
    pad.light(at: 0)
    pad.control.measured(PadInfo.Latency(samples: 9, p50: 1000, p99: 2000, longest: 3000))
    _ = pad.render.takeAll()
    for program in programs { program.call("GetInfo") }
    pad.turn(at: second)
    // The render thread is not asked.
    #expect(pad.render.takeAll().isEmpty)
    for program in programs {
      let text = program.text
      #expect(text.contains(#""device":"Locker 17""#) && text.contains(#""p99":2"#))
    }
  }

  @Test func `GetInfo names no panel that is unplugged, and requests do not wait for it`() throws {
    let pad = try ControlledPad()
    let program = try pad.program()
    pad.light(at: 0)
    var isNamed: [Bool] = []
    for change in [
      {}, { pad.control.panelIsGone() }, { pad.control.returned(ControlledPad.panel) },
    ] {
      change()
      program.call("GetInfo")
      pad.turn()
      isNamed.append(program.text.contains(#""name":"Panel","width":770"#))
    }
    #expect(isNamed == [true, false, true])
    pad.control.panelIsGone()
    _ = pad.render.takeAll()
    program.call("Sign")
    pad.turn()
    // The render thread refuses it.
    var isAsked = false
    if case .open? = pad.render.takeAll().first { isAsked = true }
    #expect(isAsked && pad.control.deadline == nil)
  }

  @Test func `input devices are listed every ten seconds at most, and only when a program asks`()
    throws
  {
    let pad = try ControlledPad()
    let program = try pad.program()
    func isNeeded(at now: Int64) -> Bool {
      program.call("GetInfo")
      pad.turn(at: now)
      return pad.control.needsSurvey(at: now)
    }
    #expect(!pad.control.needsSurvey(at: second))
    #expect(isNeeded(at: second))
    pad.control.surveyed([], at: second)
    #expect(!isNeeded(at: second + PadControl.surveyInterval - 1))
    #expect(isNeeded(at: second + PadControl.surveyInterval))
    #expect(!pad.control.needsSurvey(at: second + PadControl.surveyInterval))
  }

  @Test func `a program reads the last list of input devices`() throws {
    let pad = try ControlledPad()
    let program = try pad.program()
    program.call("GetInfo")
    pad.turn(at: second)
    #expect(program.text.contains(#""touchscreens":[]"#))
    let device = PadInfo.Touchscreen(node: "/dev/input/event3", name: "Glass", rejection: nil)
    pad.control.surveyed([device], at: second)
    program.call("GetInfo")
    pad.turn(at: 20 * second)
    #expect(program.text.contains(#""name":"Glass""#))
  }

  @Test func `the journal's copy of a signature is removed when its client has read it`() throws {
    let pad = try ControlledPad()
    pad.light(at: 0)
    let program = try pad.program()
    program.call("Sign", #"{"reference":"4711"}"#)
    pad.turn()
    pad.control.published(.test("a"), request: 1, at: 0)
    #expect(pad.forgotten() == [])
    pad.control.time(second)
    #expect(pad.forgotten() == [])
    #expect(program.text.contains(#""id":"a""#))
    pad.control.time(2 * second)
    #expect(pad.forgotten() == ["a"])
  }

  @Test func `without a socket, the journal's copy is removed`() throws {
    let pad = try ControlledPad(control: "socket = none")
    #expect(pad.control.number == -1 && pad.control.deadline == nil)
    pad.control.published(.test("a"), request: nil, at: 0)
    #expect(pad.forgotten() == ["a"])
  }

  @Test func `the open request is recorded from its showing to its end`() throws {
    let pad = try ControlledPad()
    pad.light(at: 0)
    let program = try pad.program()
    program.call("Sign", #"{"reference":"4711"}"#)
    pad.turn()
    #expect(pad.noted().isEmpty)
    pad.control.handle([.state(.invited, request: 1, deadline: 60 * second)], at: 0)
    #expect(pad.noted() == ["4711"])
    pad.control.handle([.timedOut(1)], at: 0)
    #expect(pad.noted() == [nil])
    #expect(program.text.contains(#""state":"timed_out""#))
  }

  @Test func `a refusal of the session contains the spool's problem`() throws {
    let pad = try ControlledPad()
    pad.light(at: 0)
    let program = try pad.program()
    program.call("Sign")
    pad.turn()
    pad.control.room("spool: no space left")
    pad.control.handle([.refused(1, .outOfService(""))], at: 0)
    #expect(program.text.contains(#""reason":"spool: no space left""#))
  }

  @Test func `waiting clients are notified of the pad's end`() throws {
    let pad = try ControlledPad()
    pad.light(at: 0)
    let program = try pad.program()
    program.call("Sign")
    pad.turn()
    pad.control.end(at: 0)
    #expect(program.text.contains(#""cancelled_by":"pad""#))
  }

  @Test func `at the end the journal's request is kept, and others are cancelled`() throws {
    enum Case: CaseIterable {
      case shown, behindANotice, beforeThePanel, journalLost, journalReturned, noJournal
    }
    for kind in Case.allCases {
      let pad = try ControlledPad(hasJournal: kind != .noJournal)
      if kind != .beforeThePanel { pad.light(at: 0) }
      let program = try pad.program()
      program.call("Sign", #"{"reference":"4711"}"#)
      pad.turn()
      if kind != .beforeThePanel && kind != .behindANotice {
        pad.control.handle([.state(.invited, request: 1, deadline: nil)], at: 0)
      }
      if kind == .journalLost || kind == .journalReturned { pad.control.journalIsLost() }
      if kind == .journalReturned { pad.control.journalHasReturned() }
      pad.control.end(at: 0)
      let isCancelled = program.text.contains(#""cancelled_by":"pad""#)
      #expect(isCancelled == (kind != .shown && kind != .journalReturned), "\(kind)")
    }
  }

  @Test func `at the end a question is cancelled, although the journal works`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let program = try pad.program()
    program.call("Ask", #"{"text":"Which door?","choices":["Front","Back"]}"#)
    pad.turn()
    guard case .open(let asked)? = pad.render.takeAll().last else {
      Issue.record("it is not asked")
      return
    }
    #expect(asked.request.choices == ["Front", "Back"] && asked.scene.layout.buttons.count == 2)
    pad.control.handle([.state(.question, request: 1, deadline: nil)], at: 0)
    #expect(pad.noted().isEmpty)
    pad.control.end(at: 0)
    #expect(program.text.contains(#""outcome":"cancelled","cancelled_by":"pad""#))
  }

  @Test func `a time limit that begins anew while somebody signs is recorded`() throws {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let program = try pad.program()
    program.call("Sign", #"{"reference":"4711"}"#)
    pad.turn()
    let recorded = { () -> [Int64?] in
      pad.save.takeAll().compactMap { message -> Int64?? in
        if case .recordRequest(let request?) = message { .some(request.deadline) } else { nil }
      }
    }
    let second: Int64 = 1_000_000_000
    pad.control.handle([.state(.invited, request: 1, deadline: 60 * second)], at: 0)
    #expect(recorded() == [60 * second])
    pad.control.handle([.state(.signing, request: 1, deadline: 60 * second)], at: 0)
    #expect(recorded().isEmpty)
    pad.control.handle([.state(.signing, request: 1, deadline: 130 * second)], at: 0)
    #expect(recorded() == [130 * second])
    pad.control.end(at: 0)
  }

  /// A pad with a journal that shows a request; its client, and another one that has called Cancel, which the render thread
  /// has not handled.
  private func cancelled(
    _ parameters: String = "{}", in states: [PadState] = [.invited]
  ) throws -> (pad: ControlledPad, program: ControlClient, other: ControlClient) {
    let pad = try ControlledPad(hasJournal: true)
    pad.light(at: 0)
    let (program, other) = (try pad.program(), try pad.program())
    program.call("Sign", #"{"reference":"4711"}"#)
    pad.turn()
    pad.control.handle(states.map { .state($0, request: 1, deadline: nil) }, at: 0)
    other.call("Cancel", parameters)
    pad.turn()
    return (pad, program, other)
  }

  @Test func `a cancelled request is not kept, although the render thread could not end it`() throws
  {
    let (pad, program, _) = try cancelled()
    _ = pad.save.takeAll()
    pad.control.end(at: 0)
    #expect(program.text.contains(#""cancelled_by":"program""#))
    #expect(
      pad.save.takeAll().contains { if case .recordRequest(nil) = $0 { true } else { false } })
  }

  /// Otherwise the next start would publish the signature without its reference.
  @Test func `a request that is cancelled while its signature is saved is kept for the next start`()
    throws
  {
    let (pad, program, other) = try cancelled(in: [.invited, .signing, .confirming])
    _ = pad.save.takeAll()
    pad.control.end(at: 0)
    #expect(pad.noted().isEmpty && program.text.isEmpty && other.text.isEmpty)
    // Also before the session has told the state of what was restored.
    let next = try ControlledPad(hasJournal: true)
    var state = RecoveredState()
    state.apply(.request(PadRequest(.signature, number: 1)))
    for kind in [StrokeRecords.Kind.begins, .ends] {
      state.apply(.ink(kind, Sample(time: 1, position: Point(20, 20))))
    }
    state.apply(.done(nil))
    next.control.restore(state, at: 0)
    let asking = try next.program()
    asking.call("Cancel")
    next.turn()
    next.control.end(at: 0)
    #expect(next.noted().isEmpty && asking.text.isEmpty)
  }

  @Test(arguments: [
    ("always", false, "signing"), ("always", true, "confirming"), ("request", true, "confirming"),
    ("request", false, "idle"),
  ])
  func `ink of an earlier start without a request is told before there is a panel`(
    invite: String, isDone: Bool, told: String
  ) throws {
    let pad = try ControlledPad(control: "[pad]\ninvite = \(invite)")
    var state = RecoveredState()
    for kind in [StrokeRecords.Kind.begins, .ends] {
      state.apply(.ink(kind, Sample(time: 1, position: Point(20, 20))))
    }
    if isDone { state.apply(.done(nil)) }
    pad.control.restore(state, at: 0)
    let program = try pad.program()
    program.call("Watch")
    pad.turn()
    #expect(program.text.contains(#""state":"\#(told)""#))
  }

  @Test func `a request is kept whose ink the render thread could not look for`() throws {
    let (pad, program, other) = try cancelled(#"{"without_ink":true}"#)
    let isAsked = pad.render.takeAll().contains {
      if case .withdrawWithoutInk(1, _) = $0 { true } else { false }
    }
    #expect(isAsked)
    _ = pad.save.takeAll()
    pad.control.end(at: 0)
    #expect(pad.noted().isEmpty)
    // Neither is answered, and both may ask again.
    #expect(program.text.isEmpty && other.text.isEmpty)
  }

  @Test func `if all configured users are unknown, only root and the pad's own user may call`()
    throws
  {
    let pad = try ControlledPad(control: "users = nobody-of-this-name")
    let program = try pad.program()
    program.call("Watch")
    pad.turn()
    #expect(program.text.contains(#""state":"#))
    // A name that is unknown is kept, because users without names would be every user.
    let wishes = try PadConfiguration(
      "[control]\nusers = clerk 7", file: "f", models: Appliance.modelNames)
    let users = ControlSocket.users(wishes.control) { $0 == "7" ? 7 : nil }
    #expect(users.known == [7] && users.unknown == ["clerk"])
  }

  @Test func `an unknown owner is an error`() {
    #expect(throws: SystemError("[control] owner", "nobody-of-this-name", Errno(ENOENT))) {
      _ = try ControlledPad(control: "owner = nobody-of-this-name")
    }
  }
}

extension SavedSignature {
  fileprivate static func test(_ id: String) -> SavedSignature {
    SavedSignature(
      id: id, digest: "ab", time: 1_795_255_200_000_000_000, reference: "4711", width: 30,
      height: 10, dpi: 300, png: [1, 2, 3], glass: Point(154, 86), strokes: [])
  }
}
