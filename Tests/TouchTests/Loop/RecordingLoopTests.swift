import CLinux
import Ink
import Linux
import Testing
import Touch

/// The input thread with a recording, and what it told and pushed.
private final class Rehearsal: Sendable {
  let ring: ContactRing
  let messages: Mailbox<InputMessage>
  let news: Mailbox<InputNotice>
  private let ended: EventDescriptor

  init() throws {
    ring = try ContactRing()
    messages = try Mailbox()
    news = try Mailbox()
    ended = try EventDescriptor()
  }

  /// Runs until `isEnough`, then stops the thread and waits for its end.
  func run(_ options: InputOptions, until isEnough: ([InputNotice]) -> Bool) throws
    -> (contacts: [GlassContact], news: [InputNotice])
  {
    let loop = InputLoop(options, into: ring, messages: messages) { [news] in news.post($0) }
    let thread = try Thread(name: "test-input") { try? loop.run() }
    var told: [InputNotice] = []
    var poll = Poll()
    poll.add(news.number)
    while !isEnough(told) {
      try poll.wait()
      told += news.takeAll()
    }
    messages.post(.stop)
    thread.join()
    told += news.takeAll()
    var contacts: [GlassContact] = []
    while let contact = ring.pop() { contacts.append(contact) }
    return (contacts, told)
  }
}

private func device(_ script: String) -> Recording {
  var recording = DeviceRecording()
  recording.device = TestDevice.slots.description
  recording.events = Script.events(script)
  return .device(recording)
}

@Suite struct RecordingLoopTests {
  @Test func `a recording is played in its own time, on the clock of now`() throws {
    let rehearsal = try Rehearsal()
    let start = MonotonicClock.now
    let options = InputOptions(
      .recording(device("20: ID 5, MX 400, MY 240\n28: MX 480\n90: ID -1"), repeats: false),
      width: 160, height: 96)
    let (contacts, news) = try rehearsal.run(options) { $0.contains(.played) }
    #expect(contacts.map { $0.phase } == [.down, .move, .up])
    #expect(contacts.map { $0.sample.position.x } == [80, 96, 96])
    let times = contacts.map { $0.sample.time }
    #expect(times[1] - times[0] == 8_000_000 && times[2] - times[0] == 70_000_000)
    #expect(times[0] >= start + 20_000_000)
    #expect(MonotonicClock.now >= times[2])
    #expect(news.count { $0 == .played } == 1)
  }

  @Test func `a repeated recording begins again`() throws {
    let options = InputOptions(
      .recording(device("0: ID 5, MX 400, MY 240\n1: MX 480\n2: ID -1"), repeats: true),
      width: 160, height: 96)
    let (contacts, _) = try Rehearsal().run(options) { $0.count { $0 == .played } == 2 }
    #expect(contacts.map { $0.phase } == [.down, .move, .up, .down, .move, .up])
    #expect(contacts.map { $0.contact } == [0, 0, 0, 1, 1, 1])
  }

  @Test func `contacts that are down at the end or at a stop are cancelled`() throws {
    let options = InputOptions(
      .recording(device("0: ID 5, MX 400, MY 240\n8: MX 480"), repeats: false), width: 160,
      height: 96)
    let (contacts, _) = try Rehearsal().run(options) { $0.contains(.played) }
    #expect(contacts.map { $0.phase } == [.down, .move, .cancel])
    #expect(contacts.last?.isMistake == false)
  }

  @Test func `the thread answers that it is alive while it plays`() throws {
    let rehearsal = try Rehearsal()
    rehearsal.messages.post(.heartbeat)
    let options = InputOptions(
      .recording(device("9000: ID 5, MX 400, MY 240"), repeats: false), width: 160, height: 96)
    let (contacts, news) = try rehearsal.run(options) { $0.contains(.alive) }
    #expect(contacts == [])
    #expect(!news.contains(.played))
  }

  @Test func `a recording has nothing to release, and answers`() throws {
    let rehearsal = try Rehearsal()
    rehearsal.messages.post(.grab(false))
    let options = InputOptions(
      .recording(device("9000: ID 5, MX 400, MY 240"), repeats: false), width: 160, height: 96)
    let (_, news) = try rehearsal.run(options) { $0.contains(.grabbed(false)) }
    #expect(!news.contains(.played))
  }

  @Test func `another panel applies from the next sample on`() throws {
    let rehearsal = try Rehearsal()
    rehearsal.messages.post(.glass(width: 96, height: 160, quarterTurns: 1))
    let options = InputOptions(
      .recording(device("50: ID 5, MX 0, MY 0\n150: ID -1"), repeats: false), width: 160,
      height: 96)
    let (contacts, _) = try rehearsal.run(options) { $0.contains(.played) }
    // The panel's left top corner is the picture's left bottom one.
    #expect(contacts.first?.sample.position == Point(0, 160))
  }

  @Test func `an empty recording is played at once`() throws {
    let options = InputOptions(.recording(device(""), repeats: true), width: 160, height: 96)
    let (contacts, _) = try Rehearsal().run(options) { $0.contains(.played) }
    #expect(contacts == [])
  }

  @Test func `handwriting is played by a pen over the middle of the glass`() throws {
    let text = "4\n100 100 0 1 0 0 9\n300 100 8 1 0 0 9\n300 200 16 1 0 0 9\n100 200 90 1 0 0 9\n"
    let options = InputOptions(
      .recording(try Recording(Array(text.utf8), file: "r"), repeats: false), width: 160, height: 96
    )
    let (contacts, _) = try Rehearsal().run(options) { $0.contains(.played) }
    #expect(contacts.map { $0.phase } == [.down, .move, .move, .move, .up])
    let places = contacts.map { $0.sample.position }
    #expect(abs((places[1] - places[0]).length / (places[2] - places[1]).length - 2) < 0.01)
    #expect(places.allSatisfy { $0.x > 20 && $0.x < 140 && $0.y > 10 && $0.y < 76 })
  }
}
