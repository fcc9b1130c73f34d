import CLinux
import Linux
import Testing

@testable import Control

@Suite struct ControlListenerTests {
  @Test func `a listener that pauses is not ready until it resumes, and has no deadline then`()
    throws
  {
    let path = "/tmp/paraph-listener-\(getpid())"
    let poll = try EventPoll()
    var listener = try ControlListener(
      SocketListener(path: path, mode: 0o600), users: [], in: poll)
    let client = Program(try FileDescriptor(connectingTo: path))
    #expect(try poll.ready().map(\.key) == [ControlListener.key])
    listener.pause(at: 5, in: poll)
    #expect(listener.pauseEnd == 1_000_000_005)
    #expect(try poll.ready().isEmpty)
    listener.resume(in: poll)
    #expect(listener.pauseEnd == nil)
    #expect(try poll.ready().map(\.key) == [ControlListener.key])
    #expect(!client.isClosed)
    let isAccepted = try listener.accept() != nil
    #expect(isAccepted)
  }
}
