import Linux
import Testing

@Suite struct MailboxTests {
  @Test func `messages of several threads all arrive, each thread's in order`() throws {
    let mailbox = try Mailbox<Int>()
    let writers = 4
    for writer in 0..<writers {
      try Thread(name: "writer") {
        for index in 0..<500 { mailbox.post(writer * 1000 + index) }
      }.detach()
    }
    var poll = Poll()
    poll.add(mailbox.number)
    var taken: [Int] = []
    while taken.count < writers * 500 {
      try poll.wait()
      taken += mailbox.takeAll()
    }
    for writer in 0..<writers {
      #expect(
        taken.filter { $0 / 1000 == writer } == (0..<500).map { writer * 1000 + $0 })
    }
    #expect(mailbox.takeAll().isEmpty)
  }

  @Test func `a receiver gets the messages in order, until it has enough`() throws {
    let mailbox = try Mailbox<Int>()
    let thread = try Thread(name: "writer") { for number in 1...4 { mailbox.post(number) } }
    var received: [Int] = []
    mailbox.receive {
      received.append($0)
      return $0 < 3
    }
    thread.join()
    #expect(received == [1, 2, 3])
  }
}
