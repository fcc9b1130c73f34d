internal import CLinux
internal import Linux
internal import Touch

/// Plays a recording as if a hand did it now: the same decoder, choice and ring, at the recorded pace,
/// stamped with the monotonic clock.
final class ReplayLoop: Sendable {
  private let recording: DeviceRecording
  private let geometry: GlassGeometry
  private let policy: ContactChoice.Policy
  private let loops: Bool
  private let ring: ContactRing
  private let messages: Mailbox<InputMessage>
  private let news: Mailbox<PadNews>

  init(
    _ recording: DeviceRecording, geometry: GlassGeometry, policy: ContactChoice.Policy,
    loops: Bool, ring: ContactRing, messages: Mailbox<InputMessage>, news: Mailbox<PadNews>
  ) {
    self.recording = recording
    self.geometry = geometry
    self.policy = policy
    self.loops = loops
    self.ring = ring
    self.messages = messages
    self.news = news
  }

  /// Runs until it is told to stop; after the end of the recording it only answers.
  func run() {
    repeat {
      guard play() else { return }
    } while loops && !recording.events.isEmpty
    news.post(.played)
    while wait(until: nil) {}
  }

  /// False if it was told to stop.
  private func play() -> Bool {
    var decoder = ContactDecoder(recording.device, state: recording.state)
    var choice = ContactChoice(policy)
    let start = MonotonicClock.now
    let first = recording.events.first?.time ?? 0
    for event in recording.events {
      let due = start + event.time - first
      guard wait(until: due) else { return false }
      var event = event
      event.time = due
      guard decoder.put(event) else { continue }
      choice.take(
        decoder.frame, geometry: geometry, isPenNear: decoder.isPenNear, at: due)
      let contacts = choice.contacts
      for index in contacts.indices { ring.push(contacts[index]) }
      if !contacts.isEmpty { ring.wake() }
    }
    return true
  }

  /// Waits for a moment of CLOCK_MONOTONIC, or for ever; false if it is told to stop.
  private func wait(until moment: Int64?) -> Bool {
    var poll = Poll()
    poll.add(messages.number)
    while true {
      let left = moment.map { $0 - MonotonicClock.now } ?? 1
      if left <= 0 { return true }
      // poll(2) counts milliseconds: what is left below one is slept.
      if moment != nil && left < 1_000_000 {
        var span = timespec(tv_sec: 0, tv_nsec: Int(left))
        _ = unsafe nanosleep(&span, nil)
        return true
      }
      _ = try? poll.wait(milliseconds: moment == nil ? -1 : Int32(clamping: left / 1_000_000))
      for message in messages.takeAll() {
        switch message {
        case .stop: return false
        case .heartbeat: news.post(.inputAlive)
        }
      }
    }
  }
}
