import Linux
import Testing
import Touch

@Suite struct DeviceLoopTests {
  @Test func `without its device, the thread waits, reports why, and answers heartbeats`() throws {
    let messages = try Mailbox<InputMessage>()
    let news = try Mailbox<InputNotice>()
    let loop = InputLoop(
      InputOptions(.devices(.path("/dev/input/none-such")), width: 100, height: 50),
      into: try ContactRing(), messages: messages
    ) { news.post($0) }
    let thread = try Thread(name: "test-input") { try? loop.run() }
    messages.post(.heartbeat)
    messages.post(.glass(width: 10, height: 10, quarterTurns: 1))
    var told: [InputNotice] = []
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

  @Test func `a message to grab or release the devices is answered when that is done`() throws {
    let messages = try Mailbox<InputMessage>()
    let news = try Mailbox<InputNotice>()
    let loop = InputLoop(
      InputOptions(.devices(.path("/dev/input/none-such")), width: 100, height: 50),
      into: try ContactRing(), messages: messages
    ) { news.post($0) }
    let thread = try Thread(name: "test-input") { try? loop.run() }
    messages.post(.grab(false))
    messages.post(.grab(true))
    messages.post(.heartbeat)
    var told: [InputNotice] = []
    var poll = Poll()
    poll.add(news.number)
    while !told.contains(.alive) {
      try #require(try poll.wait(milliseconds: 60_000))
      told += news.takeAll()
    }
    messages.post(.stop)
    thread.join()
    let answers = told.filter { $0 == .grabbed(false) || $0 == .grabbed(true) }
    #expect(answers == [.grabbed(false), .grabbed(true)])
  }
}
