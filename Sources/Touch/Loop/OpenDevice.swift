internal import Linux

/// A device that draws: the kernel's side and the decoder's.
final class OpenDevice {
  /// So many events are read in one go: a device that never falls silent must not keep everything else
  /// from being heard.
  private static let portion = 4096

  let path: String
  let kind: DeviceKind
  /// How well it fits the panel: `PanelLocation.fitness`.
  private(set) var fitness: Int
  let source: ContactSource
  private var device: EventDevice
  private(set) var isGone = false
  private var toldGaps = RateLimit(count: 5, every: 30_000_000_000)
  private var gapsTold: UInt64 = 0
  /// How long the latest report waited to be read; above the limit a person sees it.
  private var lateness: Int64 = 0
  private static let latenessLimit: Int64 = 20_000_000
  private var toldLateness = RateLimit(count: 1, every: 60_000_000_000)
  private var isOddityTold = false
  /// The next gap is no loss that the log has to tell of.
  private var isResynchronising = false
  /// What is read is the state that was asked for: libevdev stamps it with the last event before.
  private var isReadingState = false

  init(_ candidate: consuming NodeCandidate, number: Int32, _ options: InputOptions) {
    path = candidate.found.path
    kind = candidate.kind
    fitness = candidate.fitness
    let found = candidate.found
    device = candidate.takeDevice()
    device.setEventMask()
    source = ContactSource(
      found.description, found.properties, state: device.state, number: number, options)
  }

  /// For poll(2).
  var number: Int32 { device.number }

  /// For the log: the node and what the device calls itself.
  var label: String { "\(path) (\(source.description.name))" }

  /// udev's rules have found out more.
  func update(_ properties: UdevProperties, _ options: InputOptions) {
    source.update(properties, options)
    fitness = options.panel?.fitness(of: found) ?? 0
  }

  /// Whether it would still be opened.
  func isSuitable(for choice: DeviceChoice, on panel: PanelLocation?) -> Bool {
    if case .suitable = choice.judge(found, on: panel) { return true }
    return false
  }

  private var found: FoundDevice {
    FoundDevice(path: path, description: source.description, properties: source.properties)
  }

  func grab() throws(Errno) { try device.grab() }

  func ungrab() { device.ungrab() }

  /// Reads the state anew: another program may have had the device to itself, and its events with it. True
  /// where that made contacts for the ring.
  func resynchronise(_ contacts: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    device.resynchronise()
    isResynchronising = true
    isReadingState = true
    return read(&contacts, ring)
  }

  /// It is to be opened anew.
  var hasOtherRanges: Bool { device.hasOtherRanges }

  /// Reads what waits; true where it made contacts for the ring.
  func read(_ contacts: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    var isNews = false
    for count in 0..<Self.portion {
      switch device.next() {
      case .event(var event):
        if isReadingState { event.time = MonotonicClock.now }
        if count == 0 { lateness = max(lateness, MonotonicClock.now &- event.time) }
        isNews = source.put(event, &contacts, ring) || isNews
      case .gap:
        source.markGap(isLoss: !isResynchronising)
        isResynchronising = false
      case .empty:
        isReadingState = false
        return source.settle(&contacts, ring) || isNews
      case .gone: return lose(&contacts, ring) || isNews
      }
    }
    return isNews
  }

  /// It is gone; true where it had contacts.
  func lose(_ contacts: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    isGone = true
    return cancel(&contacts, ring)
  }

  /// Ends its contacts; true where there were any.
  func cancel(_ contacts: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    source.cancelAll(at: MonotonicClock.now, &contacts, ring)
  }

  /// A line about lost events and other oddities since this was last asked. Lost events are told at most
  /// five times in half a minute, and `isLast` all that are left; lateness once a minute.
  func takeOddity(isLast: Bool = false) -> String? {
    if source.gaps > gapsTold, isLast || toldGaps.allows(at: MonotonicClock.now) {
      let count = source.gaps - gapsTold
      gapsTold = source.gaps
      return "kernel: events of \(label) were lost \(count) times: this machine is too slow for it"
    }
    if lateness > Self.latenessLimit, toldLateness.allows(at: MonotonicClock.now) {
      let milliseconds = lateness / 1_000_000
      lateness = 0
      return
        "kernel: \(label) waited \(milliseconds) ms to be read: this machine is too slow for it"
    }
    guard !isOddityTold, let oddity = source.oddity else { return nil }
    isOddityTold = true
    return "device: \(label) is odd: \(oddity)"
  }
}
