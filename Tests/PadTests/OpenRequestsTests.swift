import Control
import Screen
import Testing

@testable import Pad

@Suite struct OpenRequestsTests {
  private let second: Int64 = 1_000_000_000
  private let resting = Layout(width: 150, height: 90, parts: LayoutParts(undo: true))
  private let asking = Layout(width: 150, height: 90, parts: LayoutParts(cancel: true))

  private func request(
    _ number: Int64, _ kind: PadRequest.Kind = .signature, limit: Int64? = nil
  ) -> TypesetRequest {
    var request = PadRequest(kind, number: number)
    request.timeLimit = limit
    return TypesetRequest(request: request, scene: Scene(number: number, layout: asking))
  }

  private func requests() -> OpenRequests { OpenRequests(resting: Scene(layout: resting)) }

  @Test func `a time limit begins when the request is shown, and once`() throws {
    var requests = requests()
    requests.show(request(1, limit: 3 * second), at: 10 * second)
    #expect(requests.deadline == 13 * second)
    requests.show(try #require(requests.shown), at: 12 * second)
    #expect(requests.deadline == 13 * second)
    #expect(!requests.isLate(at: 13 * second - 1) && requests.isLate(at: 13 * second))
    requests.show(request(2), at: 0)
    #expect(requests.deadline == nil && !requests.isLate(at: .max))
  }

  @Test func `the seconds left are counted to 0, each from its beginning`() {
    var requests = requests()
    requests.show(request(1, limit: 2 * second), at: 0)
    #expect(requests.secondsLeft(at: 0) == 2 && requests.nextSecond(after: 0) == second)
    #expect(requests.secondsLeft(at: 1) == 2)
    #expect(requests.secondsLeft(at: second) == 1)
    #expect(requests.nextSecond(after: second) == 2 * second)
    #expect(requests.secondsLeft(at: 5 * second) == 0)
    // A message has no countdown.
    requests.show(request(2, .message, limit: second), at: 0)
    #expect(requests.secondsLeft(at: 0) == nil && requests.nextSecond(after: 0) == nil)
    #expect(requests.signature == nil && requests.deadline == second)
  }

  @Test func `one request waits, until it is next or withdrawn`() {
    var requests = requests()
    #expect([requests.queue(request(1)), requests.queue(request(2))] == [true, false])
    #expect(requests.withdrawWaiting(2) == nil)
    #expect(requests.withdrawWaiting(1) == request(1).request)
    #expect(requests.waiting == nil)
    requests.show(request(3), at: 0)
    let isQueued = requests.queue(request(4))
    let numbers = [requests.next(), requests.next()].map { $0?.number }
    #expect(isQueued && numbers == [4, nil])
    #expect(requests.shown == nil && requests.waiting == nil)
  }

  @Test func `scenes are replaced for what is shown, waits and rests`() {
    var requests = requests()
    requests.show(request(1), at: 0)
    _ = requests.queue(request(2))
    let other = Layout(width: 100, height: 50, parts: LayoutParts())
    requests.replaceScenes(resting: Scene(layout: other)) {
      $0.number == 2 ? Scene(number: 2, layout: other) : nil
    }
    #expect(requests.scene.layout == asking && requests.resting.layout == other)
    #expect(requests.waiting?.scene.layout == other)
    _ = requests.next()
    #expect(requests.scene.layout == other)
  }
}
