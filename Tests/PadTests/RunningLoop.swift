import Display
import Ink
import Linux
import Raster
import Synchronization
import SyntheticHand
import Touch

@testable import Pad

/// The render thread on a panel in memory, and all that a test says to it and hears from it.
struct RunningLoop: ~Copyable {
  let layout = Layout(width: 154, height: 86)
  let messages: Mailbox<RenderMessage>
  let save: Mailbox<SaveMessage>
  let news: Mailbox<PadNews>
  private let ink: ContactRing
  private let ring: ContactRing
  private let thread: Thread
  /// Contacts so far: each has a number of its own, as from the input thread.
  private let contacts = Atomic<Int32>(0)

  /// A panel of 154 × 86 mm with 770 × 430 pixels.
  static var panel: MemoryPanelOptions {
    var options = MemoryPanelOptions(width: 770, height: 430)
    options.size = PhysicalSize(width: 154, height: 86)
    return options
  }

  init(
    _ source: PanelSource, snapshot: GlassSnapshot = GlassSnapshot(), blankAfter: Int64? = nil
  ) throws {
    let (messages, save, news, ring, ink) = try (
      Mailbox<RenderMessage>(), Mailbox<SaveMessage>(), Mailbox<PadNews>(), ContactRing(),
      ContactRing()
    )
    let loop = RenderLoop(
      RenderLoop.Options(
        source: source, model: .uberSignature, theme: Theme(), minimumLength: 5,
        rules: SessionRules(), snapshot: snapshot, blankAfter: blankAfter,
        keepsPicture: false),
      contacts: ring, ink: ink, messages: messages, save: save, news: news)
    thread = try Thread(name: "render") { loop.run() }
    (self.messages, self.save, self.news, self.ring, self.ink) = (messages, save, news, ring, ink)
  }

  /// The first news that is wanted; what came before is forgotten.
  @discardableResult
  func hear<Wanted>(_ wanted: (PadNews) -> Wanted?) throws -> Wanted {
    var poll = Poll()
    poll.add(news.number)
    while true {
      for item in news.takeAll() {
        if let found = wanted(item) { return found }
      }
      try poll.wait(milliseconds: 1000)
    }
  }

  /// Until all that was pushed and posted before has had its effect: a pass takes messages before contacts,
  /// so that the second answer comes after both.
  func settle() throws {
    for _ in 0..<2 {
      messages.post(.heartbeat)
      try hear { if case .renderAlive = $0 { true } else { nil } }
    }
  }

  private func push(_ phase: GlassContact.Phase, _ position: Point) {
    if phase == .down { contacts.wrappingAdd(1, ordering: .relaxed) }
    let number = contacts.load(ordering: .relaxed)
    let sample = Sample(time: MonotonicClock.now, position: position)
    ring.push(GlassContact(phase, sample, contact: number))
  }

  /// Whether the save thread was woken for ink.
  func hasWokenForInk() throws -> Bool {
    var poll = Poll()
    let place = poll.add(ink.number)
    try poll.wait(milliseconds: 0)
    return poll.isReadable(place)
  }

  /// A dot, wiped again: it must not fill the pad.
  func touch() {
    for place in [Point(40, 30), layout.clear.centre] {
      push(.down, place)
      push(.up, place)
    }
    ring.wake()
  }

  /// Something comes down in the middle and lies there.
  func lay() {
    push(.down, Point(77, 20))
    ring.wake()
  }

  /// It is taken away.
  func lift() {
    push(.up, Point(77, 20))
    ring.wake()
  }

  /// A signature, and a finger on *Done*. `tapping`: a dot before, in the same moment.
  func sign(tapping: Bool = false) {
    if tapping {
      push(.down, Point(77, 20))
      push(.up, Point(77, 20))
    }
    for stroke in Self.strokes {
      for (index, sample) in stroke.enumerated() {
        push(index == 0 ? .down : .move, sample.position)
      }
      push(.up, stroke[stroke.count - 1].position)
    }
    push(.down, layout.done.centre)
    push(.up, layout.done.centre)
    ring.wake()
  }

  private static var strokes: [[Sample]] { SyntheticHand().paraph(at: Point(30, 50), height: 9) }

  /// How many signatures were handed to the save thread since last asked.
  func published() -> Int { publishedStrokes().count }

  /// Of each of them, how many strokes it has beside those of `sign`.
  func publishedStrokes() -> [Int] {
    save.takeAll().compactMap { message in
      guard case .publish(let signature) = message else { return nil }
      return signature.strokes.count - Self.strokes.count
    }
  }

  consuming func stop() {
    messages.post(.stop)
    thread.join()
  }
}
