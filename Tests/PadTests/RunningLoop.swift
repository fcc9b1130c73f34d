import CLinux
import Control
import Display
import Ink
import Linux
import Raster
import Screen
import Synchronization
import SyntheticHand
import Touch

@testable import Pad

/// A render thread on a panel in memory, with the messages to and from it.
struct RunningLoop: ~Copyable {
  let layout = Layout(width: 154, height: 86)
  let messages: Mailbox<RenderMessage>
  let save: Mailbox<SaveMessage>
  let main: Mailbox<MainMessage>
  private let ink: ContactRing
  private let ring: ContactRing
  private let thread: Thread
  /// Contacts so far: each has a number of its own, as from the input thread.
  private let contacts = Atomic<Int32>(0)
  /// Whether the panel has been blanked since the start, by the messages heard.
  private let wasBlanked = Atomic(false)
  /// What came in one batch with the message that `hear` found last, and behind it.
  private let unheard = Mutex<[MainMessage]>([])
  /// Numbers of the requests of `pass`.
  private let requests = Atomic<Int64>(1000)

  /// A panel of 154 × 86 mm with 770 × 430 pixels.
  static var panel: MemoryPanelOptions {
    var options = MemoryPanelOptions(width: 770, height: 430)
    options.size = PhysicalSize(width: 154, height: 86)
    return options
  }

  /// A request whose words and buttons are those of the pad itself.
  static func request(_ number: Int64) -> TypesetRequest {
    TypesetRequest(
      request: PadRequest(.signature, number: number),
      scene: Scene(number: number, layout: Layout(width: 154, height: 86)))
  }

  init(
    _ source: PanelSource, snapshot: PadSnapshot = PadSnapshot(),
    blankAfter: Int64? = nil
  ) throws {
    let (messages, save, main, ring, ink) = try (
      Mailbox<RenderMessage>(), Mailbox<SaveMessage>(), Mailbox<MainMessage>(), ContactRing(),
      ContactRing()
    )
    let loop = RenderLoop(
      RenderLoop.Options(
        source: source, model: .uberSignature, theme: Theme(), minimumLength: 5,
        rules: SessionRules(), snapshot: snapshot, blankAfter: blankAfter,
        keepsPicture: false),
      contacts: ring, ink: ink, messages: messages, save: save, main: main)
    thread = try Thread(name: "render") { loop.run() }
    (self.messages, self.save, self.main, self.ring, self.ink) = (messages, save, main, ring, ink)
  }

  /// No message arrived in time, or the machine was too slow for a test.
  struct Silence: Error {}

  /// The first message that is wanted; what came before it is forgotten.
  @discardableResult
  func hear<Wanted>(_ wanted: (MainMessage) -> Wanted?) throws -> Wanted {
    var poll = Poll()
    poll.add(main.number)
    let end = MonotonicClock.now + 60_000_000_000
    while MonotonicClock.now < end {
      var batch = unheard.withLock { $0 }
      batch += main.takeAll()
      for (index, item) in batch.enumerated() {
        if case .blanked(true) = item { wasBlanked.store(true, ordering: .relaxed) }
        guard let found = wanted(item) else { continue }
        let rest = Array(batch.dropFirst(index + 1))
        unheard.withLock { $0 = rest }
        return found
      }
      unheard.withLock { $0 = [] }
      guard try poll.wait(milliseconds: 60_000) else { throw Silence() }
    }
    throw Silence()
  }

  /// Whether the panel has been blanked since the start, by the messages heard.
  var hasBeenBlanked: Bool { wasBlanked.load(ordering: .relaxed) }

  /// Waits for an event for clients.
  func hear(_ event: ControlEvent) throws {
    try hear { message -> Bool? in
      guard case .told(let events) = message else { return nil }
      return events.contains(event) ? true : nil
    }
  }

  /// Waits for the next message that the panel is blank, or not any more.
  func becomes(blank: Bool) throws {
    try hear { if case .blanked(blank) = $0 { true } else { nil } }
  }

  /// Waits until the pad is visible.
  func show() throws { try hear { if case .shown = $0 { true } else { nil } } }

  /// Until another terminal is shown.
  func leave() throws {
    messages.post(.leave)
    try hear { if case .left = $0 { true } else { nil } }
  }

  /// Until the pad's terminal is shown again.
  func comeBack() throws {
    messages.post(.comeBack(nil))
    try settle()
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

  /// Whether the render thread answers a heartbeat.
  func isAlive() throws -> Bool {
    var isAlive = false
    messages.post(.heartbeat)
    for _ in 0..<2 {
      try pass { if case .renderAlive = $0 { isAlive = true } }
    }
    return isAlive
  }

  /// Until the render thread has taken all earlier messages, of which it tells by its answer to a request.
  func pass(_ see: (MainMessage) -> Void = { _ in }) throws {
    let number = requests.wrappingAdd(1, ordering: .relaxed).newValue
    messages.post(
      .open(
        TypesetRequest(
          request: PadRequest(.signature, number: number),
          scene: Scene(number: number, layout: layout))))
    try hear { message -> Bool? in
      see(message)
      guard case .told(let events) = message else { return nil }
      return events.contains { event in
        switch event {
        case .refused(number, _), .state(.invited, request: number, deadline: _): true
        default: false
        }
      } ? true : nil
    }
  }

  /// A screenshot; nil if it is refused because there is ink on the glass.
  func screenshot(allowsInk: Bool) throws -> PanelPicture? {
    messages.post(.takeScreenshot(allowsInk: allowsInk))
    var poll = Poll()
    poll.add(save.number)
    poll.add(main.number)
    while try poll.wait(milliseconds: 60_000) {
      for case .encode(let picture) in save.takeAll() { return picture }
      for case .told(let events) in main.takeAll()
      where events.contains(.screenshot(.inkNotAllowed)) { return nil }
    }
    throw Silence()
  }

  /// Presses a button as a client; returns whether that had an effect.
  func press(_ button: Button) throws -> Bool {
    messages.post(.press(button, 1))
    return try hear { message in
      guard case .told(let events) = message else { return nil }
      for case .pressed(1, let isPressed) in events { return isPressed }
      return nil
    }
  }

  /// Why a screenshot is refused.
  func screenshotRefusal() throws -> ControlEvent.Screenshot {
    messages.post(.takeScreenshot(allowsInk: true))
    return try hear { message in
      guard case .told(let events) = message else { return nil }
      for case .screenshot(let refusal) in events { return refusal }
      return nil
    }
  }

  /// Removes the unread contacts; returns their number.
  func waitingContacts() -> Int {
    var count = 0
    while ring.pop() != nil { count += 1 }
    return count
  }

  /// The steps of the ink for the journal since the last call.
  func recordedSteps() -> [GlassContact] {
    var steps: [GlassContact] = []
    ink.beginReading()
    while let step = ink.pop() { steps.append(step) }
    return steps
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

  /// Something comes down, by default where one signs, and lies there.
  func lay(at position: Point = Point(77, 20)) {
    push(.down, position)
    ring.wake()
  }

  /// It moves.
  func drag(to position: Point) {
    push(.move, position)
    ring.wake()
  }

  /// It is taken away.
  func lift(at position: Point = Point(77, 20)) {
    push(.up, position)
    ring.wake()
  }

  /// Draws a dot without waking a thread.
  func touchSilently() {
    push(.down, Point(40, 30))
    push(.up, Point(40, 30))
  }

  /// A signature, and a finger on *Done*.
  func sign() {
    write()
    push(.down, layout.done.centre)
    push(.up, layout.done.centre)
    ring.wake()
  }

  /// A signature that is not sent.
  func write() {
    for stroke in Self.strokes {
      for (index, sample) in stroke.enumerated() {
        push(index == 0 ? .down : .move, sample.position)
      }
      push(.up, stroke[stroke.count - 1].position)
    }
    ring.wake()
  }

  private static var strokes: [[Sample]] { SyntheticHand().paraph(at: Point(30, 50), height: 9) }

  /// The number of signatures sent to the save thread since the last call.
  func published() -> Int { publishedStrokes().count }

  /// The number of samples in the first stroke of the first signature sent to the save thread.
  func publishedSamples() -> Int? {
    for case .publish(let signature) in save.takeAll() {
      return signature.strokes.first?.samples.count
    }
    return nil
  }

  /// The signatures sent to the save thread since the last call.
  func finished() -> [FinishedSignature] {
    save.takeAll().compactMap { if case .publish(let signature) = $0 { signature } else { nil } }
  }

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
