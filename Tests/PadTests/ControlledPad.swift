import Configuration
import Control
import Ink
import Linux
import Raster
import Screen
import Signature
import SpoolFixtures

@testable import Pad

/// The pad's side of its socket, with mailboxes that a test reads in place of the threads.
final class ControlledPad {
  let folder = TemporaryFolder()
  let render: Mailbox<RenderMessage>
  let save: Mailbox<SaveMessage>
  let main: Mailbox<MainMessage>
  let control: PadControl

  /// - Parameters:
  ///   - text: The section `[control]` of the configuration.
  ///   - journal: The runtime directory, where it is not the pad's own folder.
  ///   - document: That of a request of an earlier start.
  init(
    control text: String = "", hasJournal: Bool = false, journal: String? = nil,
    keeping document: RequestDocument? = nil, seal: String = ""
  ) throws {
    let socket = text.contains("socket") ? "" : "socket = \(folder.path)/socket\n"
    let configuration = try PadConfiguration(
      "[control]\n" + socket + text + "\n[seal]\n" + seal, file: "f", models: Appliance.modelNames)
    let drawing = SignatureDrawing(
      wishes: configuration.signature, model: .polyline, theme: Theme(configuration))
    (render, save, main) = (try Mailbox(), try Mailbox(), try Mailbox())
    control = PadControl(
      configuration, drawing, device: "Locker 17", render: render, save: save, main: main,
      journal: journal ?? (hasJournal ? folder.path : nil), keeping: document)
    control.terminal = PadTerminal(nil, isShared: false, hasRecovered: false, render: render)
    try control.open()
  }

  func program() throws -> ControlClient {
    ControlClient(try FileDescriptor(connectingTo: folder.path + "/socket"))
  }

  /// Serves what waits at the socket.
  func turn(at now: Int64 = 0) {
    var poll = Poll()
    poll.add(control.number)
    while (try? poll.wait(milliseconds: 0)) == true { control.turn(at: now) }
  }

  static let panel = PanelFacts(
    width: 770, height: 430, scale: Scale(x: 5, y: 5), quarterTurns: 0, connector: nil,
    name: "Panel", summary: "")

  func light(at now: Int64) { control.lit(Self.panel, at: now) }

  /// The signatures whose copy is not needed, since last asked.
  func forgotten() -> [String] {
    save.takeAll().compactMap { if case .forgetSigned(let id) = $0 { id } else { nil } }
  }

  /// The references of the requests that were noted since last asked; nil: none is open.
  func noted() -> [String?] {
    save.takeAll().compactMap { message -> String?? in
      if case .recordRequest(let request) = message { request?.reference } else { nil }
    }
  }
}

/// A program that calls the pad.
final class ControlClient {
  let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  func call(_ method: String, _ parameters: String = "{}") {
    let call = #"{"method":"org.paraph.Pad.\#(method)","parameters":\#(parameters)}"#
    _ = try? socket.send((Array(call.utf8) + [0]).span.bytes)
  }

  /// Watches the pad, with its ink.
  func watchStrokes() {
    let call = #"{"method":"org.paraph.Pad.Watch","more":true,"parameters":{"strokes":true}}"#
    _ = try? socket.send((Array(call.utf8) + [0]).span.bytes)
  }

  /// The text received since the last call.
  var text: String {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var span = chunk.mutableSpan
    var bytes = span.mutableBytes
    let count = (try? socket.read(into: &bytes)) ?? 0
    return String(decoding: chunk[..<count], as: UTF8.self)
  }
}
