import Linux
import Testing
import Touch

@Suite struct DeviceLoopTests {
  @Test func `without its device the thread waits, says why, and answers`() throws {
    let messages = try Mailbox<InputMessage>()
    let news = try Mailbox<InputNews>()
    let loop = InputLoop(
      InputOptions(.devices(.path("/dev/input/none-such")), width: 100, height: 50),
      into: try ContactRing(), messages: messages
    ) { news.post($0) }
    let thread = try Thread(name: "test-input") { try? loop.run() }
    messages.post(.heartbeat)
    messages.post(.glass(width: 10, height: 10, quarterTurns: 1))
    var told: [InputNews] = []
    var poll = Poll()
    poll.add(news.number)
    while !told.contains(.alive) {
      try poll.wait()
      told += news.takeAll()
    }
    messages.post(.stop)
    thread.join()
    guard case .waiting(let line) = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(line.hasPrefix("device: no touchscreen"))
  }
}
