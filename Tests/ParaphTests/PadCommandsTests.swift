import Control
import Foundation
import Ink
import JSON
import Linux
import Testing

/// The subcommands that talk to a running pad.
@Suite struct PadCommandsTests {
  static let signature = SavedSignature(
    id: "0190c8a4", digest: "ab", time: 1_795_255_200_000_000_000, reference: "4711", width: 30,
    height: 10, dpi: 300, png: Array("a picture".utf8), glass: Point(154, 86),
    strokes: [Stroke([Sample(time: 7, position: Point(1.5, 2))])])

  /// Answers a request for a signature with these events.
  func pad(_ events: @escaping @Sendable (Int64) -> [ControlEvent]) throws -> ScriptedPad {
    try ScriptedPad { request in
      switch request {
      case .open(let request): events(request.number)
      case .cancel(let number): [.cancelled(number, by: .program)]
      case .cancelWithoutInk(let number, let client): [.inkStays(number, client: client)]
      case .putPage(let part): [.pagePut(part.client, nil)]
      case .refreshDevices, .watchInk, .forget, .takeScreenshot, .press, .bringToFront, .sendToBack,
        .discardDocument:
        []
      }
    }
  }

  @Test func `sign writes what was asked for, prints the id and ends with 0`() throws {
    let pad = try pad { number in
      [.state(.invited, request: number, deadline: nil), .signed(number, Self.signature)]
    }
    let folder = try Folder()
    let result = try Tool.run(
      "sign", "--socket", pad.socket, "--reference", "4711", "--prompt", "für Müller",
      "--language", "de", "--timeout", "60", "--cancellable", "-v", "-o", folder.path("sig.png"),
      "-o", folder.path("sig.json"))
    #expect(result.status == 0, "\(result)")
    #expect(result.output == "0190c8a4\n")
    #expect(result.error == "paraph: invited\nparaph: saved\n")
    #expect(try folder.bytes("sig.png") == Array("a picture".utf8))
    let strokes = try JSONValue.parse(
      try folder.bytes("sig.json"), limits: .init(size: 1 << 16))
    #expect(strokes[0]?["samples"]?[0]?["x"]?.real == 1.5)
    guard case .open(let request) = try pad.next() else {
      Issue.record("something else was asked for")
      return
    }
    #expect(request.reference == "4711" && request.text == "für Müller")
    #expect(request.language == "de" && request.hasButton)
    #expect(request.timeLimit == 60_000_000_000)
  }

  @Test func `screenshot writes the picture to a file or to standard output`() throws {
    let pad = try ScriptedPad { _ in [.screenshot(.png(Array("a picture".utf8)))] }
    let folder = try Folder()
    let result = try Tool.run("screenshot", "--socket", pad.socket, "-o", folder.path("pad.png"))
    #expect(result.status == 0 && result.output == "", "\(result)")
    #expect(try folder.bytes("pad.png") == Array("a picture".utf8))
    #expect(try Tool.run("screenshot", "--socket", pad.socket).output == "a picture")
    #expect(try pad.next() == .takeScreenshot(allowsInk: false))
    #expect(
      try Tool.run("screenshot", "--socket", pad.socket, "-o", "/nonexistent/x").isMistake(73))
  }

  @Test func `front and back have an exit code for each answer`() throws {
    let ways: [(Int32, ControlEvent.Switch)] = [
      (0, .done), (3, .outOfService("the program on tty7")), (75, .busy), (78, .notShared),
    ]
    for (code, answer) in ways {
      let pad = try ScriptedPad { request in
        switch request {
        case .bringToFront(let client), .sendToBack(let client): [.foreground(client, answer)]
        default: []
        }
      }
      for command in ["front", "back"] {
        let result = try Tool.run(command, "--socket", pad.socket)
        #expect(code == 0 ? result.status == 0 : result.isMistake(code), "\(result)")
        let request = try pad.next()
        if case .bringToFront = request {
          #expect(command == "front")
        } else {
          #expect(command == "back")
        }
      }
    }
  }

  @Test func `each reason against a screenshot has its own exit code`() throws {
    let ways: [(Int32, ControlEvent.Screenshot)] = [
      (3, .outOfService("there is no panel")), (77, .inkNotAllowed),
    ]
    for (code, refusal) in ways {
      let pad = try ScriptedPad { _ in [.screenshot(refusal)] }
      let result = try Tool.run("screenshot", "--socket", pad.socket)
      #expect(result.isMistake(code), "\(result)")
    }
    #expect(try Tool.run("screenshot", "--socket", "/nonexistent").isMistake(69))
  }

  @Test func `each way not to sign has its own exit code`() throws {
    let ways: [(Int32, @Sendable (Int64) -> ControlEvent)] = [
      (1, { .cancelled($0, by: .person) }), (1, { .cancelled($0, by: .program) }),
      (4, { .cancelled($0, by: .pad) }), (2, { .timedOut($0) }),
      (3, { .refused($0, .outOfService("no space")) }), (75, { .refused($0, .busy) }),
    ]
    for (code, event) in ways {
      let pad = try pad { [event($0)] }
      let result = try Tool.run("sign", "--socket", pad.socket)
      #expect(result.isMistake(code), "\(result)")
    }
    #expect(try Tool.run("sign", "--socket", "/nonexistent").isMistake(69))
  }

  @Test func `a format that the pad does not send is named, with the id of what was saved`() throws
  {
    let pad = try pad { [.signed($0, Self.signature)] }
    let folder = try Folder()
    let result = try Tool.run("sign", "--socket", pad.socket, "-o", folder.path("sig.svg"))
    #expect(result.status == 69 && result.error.contains("0190c8a4"), "\(result)")
    #expect(result.output == "0190c8a4\n")
  }

  @Test func `nobody is asked to sign for an output that cannot be written`() throws {
    let pad = try pad { [.signed($0, Self.signature)] }
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.png"), withIntermediateDirectories: false)
    for path in ["/nonexistent/x.png", "/proc/x.png", folder.path("folder.png")] {
      let result = try Tool.run(
        "sign", "--socket", pad.socket, "-o", folder.path("good.png"), "-o", path)
      #expect(result.isMistake(73) && result.error.contains(path), "\(result)")
    }
    #expect(pad.isUnasked)
    #expect(try folder.names() == ["folder.png"])
  }

  @Test func `an output that fails after the signature costs neither the id nor the others`() throws
  {
    let folder = try Folder()
    let gone = folder.path("gone")
    try FileManager.default.createDirectory(atPath: gone, withIntermediateDirectories: false)
    let pad = try pad { number in
      try? FileManager.default.removeItem(atPath: gone)
      return [.signed(number, Self.signature)]
    }
    let result = try Tool.run(
      "sign", "--socket", pad.socket, "-o", gone + "/x.png", "-o", folder.path("sig.png"))
    #expect(result.status == 73 && result.output == "0190c8a4\n", "\(result)")
    #expect(result.error.contains("gone/x.png"))
    #expect(try folder.bytes("sig.png") == Array("a picture".utf8))
  }

  @Test func `the end of the pad differs from a person's refusal`() throws {
    let told = try pad { [.cancelled($0, by: .pad)] }
    let result = try Tool.run("sign", "--socket", told.socket)
    #expect(result.isMistake(4), "\(result)")
    // Without a word, as when it is killed.
    let folder = try Folder()
    let (path, ended) = (folder.path("pad"), DispatchSemaphore(value: 0))
    let listener = try SocketListener(path: path, mode: 0o600)
    let number = listener.number
    Foundation.Thread.detachNewThread {
      var poll = Poll()
      poll.add(number)
      _ = try? poll.wait(milliseconds: 30_000)
      close(accept(number, nil, nil))
      ended.signal()
    }
    #expect(try Tool.run("sign", "--socket", path).isMistake(4))
    ended.wait()
    _ = consume listener
  }

  @Test func `an unknown kind of output is refused before anybody is asked`() throws {
    let pad = try pad { [.signed($0, Self.signature)] }
    #expect(try Tool.run("sign", "--socket", pad.socket, "-o", "sig.gif").isMistake(64))
    #expect(pad.isUnasked)
  }

  @Test func `a program that is killed cancels its request`() throws {
    let pad = try pad { _ in [] }
    var asked: ControlRequest?
    let status = try Tool.killed("sign", "--socket", pad.socket) { asked = try pad.next() }
    #expect(status != 0)
    guard case .open(let request)? = asked else {
      Issue.record("\(String(describing: asked))")
      return
    }
    #expect(try pad.next() == .cancel(request.number))
  }

  @Test func `cancel ends an open request, and fails if there is none`() throws {
    let pad = try pad { _ in [] }
    let none = try Tool.run("cancel", "--socket", pad.socket)
    #expect(none.isMistake(1) && none.error == "paraph: no open request\n")
    #expect(try Tool.run("cancel", "--socket", "/nonexistent").isMistake(69))
    _ = try Tool.killed("sign", "--socket", pad.socket, "--reference", "4711") {
      _ = try pad.next()
      let other = try Tool.run("cancel", "--socket", pad.socket, "--reference", "4712")
      #expect(other.isMistake(1))
      #expect(other.error == "paraph: no open request with that reference\n")
      let inked = try Tool.run("cancel", "--socket", pad.socket, "--without-ink")
      #expect(inked.isMistake(1))
      #expect(inked.error == "paraph: no open request, or it has ink\n")
      let right = try Tool.run("cancel", "--socket", pad.socket, "--reference", "4711")
      #expect(right.status == 0, "\(right)")
    }
  }

  @Test func `the exit code of show tells whether its button was pressed`() throws {
    for (pressed, code) in [(true, Int32(0)), (false, 2)] {
      let pad = try pad { [.messageGone($0, acknowledged: pressed)] }
      let result = try Tool.run("show", "--socket", pad.socket, "--button", "Box 4")
      #expect(result.status == code, "\(result)")
    }
    let brief = try pad { [.messageGone($0, acknowledged: false)] }
    #expect(try Tool.run("show", "--socket", brief.socket).status == 0)
    for (canceller, code) in [(ControlEvent.Canceller.program, Int32(1)), (.pad, 4)] {
      let pad = try pad { [.messageGone($0, acknowledged: false, by: canceller)] }
      #expect(try Tool.run("show", "--socket", pad.socket, "Box 4").isMistake(code))
    }
    guard case .open(let request) = try brief.next() else {
      Issue.record("no message was asked for")
      return
    }
    #expect(request.kind == .message && request.text == nil)
    let pad = try pad { [.refused($0, .outOfService("there is no panel yet"))] }
    #expect(try Tool.run("show", "--socket", pad.socket, "Box 4").isMistake(3))
    let help = try Tool.run("show", "--help").output.split { $0.isWhitespace }.joined(
      separator: " ")
    #expect(
      help.contains(
        "3 The pad has no panel or no font, or the program in front did not release the panel."))
    #expect(help.contains("because it cannot save signatures still shows messages"))
  }

  @Test func `ask prints the choice, and each other end has its own exit code`() throws {
    let pad = try pad { [.state(.question, request: $0, deadline: nil), .answered($0, choice: 1)] }
    let result = try Tool.run(
      "ask", "--socket", pad.socket, "--title", "Parcel", "--language", "de", "--timeout", "9",
      "Which door?", "Front", "Back")
    #expect(result.status == 0 && result.output == "Back\n" && result.error == "", "\(result)")
    guard case .open(let request) = try pad.next() else {
      Issue.record("something else was asked for")
      return
    }
    #expect(request.kind == .question && request.choices == ["Front", "Back"])
    #expect(request.title == "Parcel" && request.text == "Which door?" && request.language == "de")
    #expect(request.timeLimit == 9_000_000_000)
    let ends: [(Int32, @Sendable (Int64) -> ControlEvent)] = [
      (1, { .cancelled($0, by: .program) }), (2, { .timedOut($0) }),
      (4, { .cancelled($0, by: .pad) }),
      (3, { .refused($0, .outOfService("there is no panel yet")) }), (75, { .refused($0, .busy) }),
      (64, { .refused($0, .tooLong("choices", limit: 7)) }),
    ]
    for (code, end) in ends {
      let pad = try self.pad { [end($0)] }
      #expect(try Tool.run("ask", "--socket", pad.socket, "x", "a", "b").isMistake(code), "\(code)")
    }
    #expect(try Tool.run("ask", "--socket", pad.socket, "x", "a").isMistake(64))
    #expect(try Tool.run("ask", "--socket", pad.socket, "x", "a", "b", "c", "d", "e").isMistake(64))
    #expect(try Tool.run("ask", "--socket", "/nonexistent", "x", "a", "b").isMistake(69))
  }

  @Test func `status describes the pad, and fails if it is out of service`() throws {
    var info = PadInfo(device: "Locker 17", version: "1.2")
    info.panel = PadInfo.Panel(
      name: "DSI-1", width: 800, height: 480, widthMillimetres: 154.1, heightMillimetres: 85.9)
    info.touchscreens = [
      PadInfo.Touchscreen(node: "/dev/input/event1", name: "ft5x06", rejection: nil),
      PadInfo.Touchscreen(
        node: "/dev/input/event0", name: "Power Button", rejection: "has no axes"),
    ]
    info.latency = PadInfo.Latency(
      samples: 512, p50: 3_400_000, p99: 9_000_000, longest: 12_000_000)
    let good = info
    let pad = try ScriptedPad(info: good) { _ in [] }
    let result = try Tool.run("status", "--socket", pad.socket)
    #expect(result.status == 0)
    #expect(
      result.output == """
        state: idle
        device: Locker 17, paraphd 1.2
        panel: DSI-1, 800×480 pixels, 154×86 mm
        in front: the pad
        touchscreen: /dev/input/event1 (ft5x06): in use
        touchscreen: /dev/input/event0 (Power Button): not used: it has no axes
        latency: p50 3.4 ms, p99 9.0 ms, longest 12.0 ms, 512 samples

        """)
    info.reason = "no space left"
    let bad = info
    let broken = try ScriptedPad(info: bad, state: .outOfService) { _ in [] }
    let failed = try Tool.run("status", "--json", "--socket", broken.socket)
    #expect(failed.status == 3 && failed.error.contains("no space left"))
    let json = try JSONValue.parse(Array(failed.output.utf8), limits: .init(size: 1 << 16))
    #expect(json["state"]?.text == "out_of_service")
  }
}
