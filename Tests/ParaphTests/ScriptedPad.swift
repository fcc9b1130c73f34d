import Control
import Foundation
import Linux
import Testing

/// A pad that answers requests as a test tells it to, on the real socket and a thread of its own.
final class ScriptedPad {
  let socket: String
  private let requests: Mailbox<ControlRequest>
  private let stop: EventDescriptor
  private let ended = DispatchSemaphore(value: 0)
  private let folder: Folder
  private var taken: [ControlRequest] = []

  /// What the pad tells when it is asked.
  typealias Script = @Sendable (ControlRequest) -> [ControlEvent]

  init(
    info: PadInfo = PadInfo(device: "Locker 17", version: "1.2"), state: PadState = .idle,
    _ script: @escaping Script
  ) throws {
    folder = try Folder()
    socket = folder.path("pad")
    stop = try EventDescriptor()
    requests = try Mailbox()
    let server = ServerBox(
      try ControlServer(
        SocketListener(path: socket, mode: 0o600), users: [],
        info: info, allowsStrokes: false, state: state,
        draw: { _, _ in nil }, log: { _ in }))
    let (stop, requests, ended) = (stop.number, requests, ended)
    Foundation.Thread.detachNewThread {
      var poll = Poll()
      poll.add(server.value.number)
      poll.add(stop)
      while !poll.isReadable(1) {
        _ = try? poll.wait()
        var open = server.value.turn(at: MonotonicClock.now)
        while !open.isEmpty {
          let request = open.removeFirst()
          requests.post(request)
          for event in script(request) {
            open += server.value.event(event, at: MonotonicClock.now)
          }
        }
      }
      ended.signal()
    }
  }

  deinit {
    stop.signal()
    ended.wait()
  }

  /// What is asked for next; waits for it for half a minute.
  func next() throws -> ControlRequest {
    var poll = Poll()
    poll.add(requests.number)
    if taken.isEmpty {
      _ = try poll.wait(milliseconds: 30_000)
      taken = requests.takeAll()
    }
    try #require(!taken.isEmpty, "nothing was asked for")
    return taken.removeFirst()
  }

  /// Whether nothing has been asked for.
  var isUnasked: Bool {
    taken += requests.takeAll()
    return taken.isEmpty
  }
}

/// Used by the pad's thread alone.
private final class ServerBox: @unchecked Sendable {
  let value: ControlServer
  init(_ value: ControlServer) { self.value = value }
}
