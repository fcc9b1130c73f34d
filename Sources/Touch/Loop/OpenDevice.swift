internal import Linux

/// A device that draws: its descriptor, the pipeline of its contacts, and what the log should say of it.
final class OpenDevice {
  /// The limit of events per read, so that a flooding device does not starve the others.
  private static let batch = 4096
  /// The latency above which a warning is logged: a longer one is visible.
  private static let latencyLimit: Int64 = 20_000_000

  let path: String
  let kind: DeviceKind
  /// How well the device fits the panel: `PanelLocation.fitness`.
  private(set) var fitness: Int
  /// The device is lost.
  private(set) var isGone = false
  /// The last read stopped at the limit: libevdev may hold events that poll(2) does not report.
  private(set) var hasMore = false
  /// Other programs do not receive its events.
  private(set) var isGrabbed = false
  private let description: DeviceDescription
  private(set) var properties: UdevProperties
  private var device: EventDevice
  private var pipeline: ContactPipeline
  /// The next gap is requested, not a loss.
  private var isResynchronising = false
  /// The events are the requested state: libevdev gives them the time of the last event before.
  private var isReadingState = false
  private var gaps: UInt64 = 0
  private var loggedGaps: UInt64 = 0
  private var gapLimit = RateLimit(count: 5, every: 30_000_000_000)
  /// The longest time from a report to its reading.
  private var latency: Int64 = 0
  private var latencyLogLimit = RateLimit(count: 1, every: 60_000_000_000)
  private var hasLoggedOddity = false

  /// Opens a node; nil if it should not draw, and then `report` has the reason.
  ///
  /// - Parameter number: Distinguishes the device's contacts from those of others.
  init?(
    _ path: String, _ choice: DeviceChoice, number: Int32, _ options: InputOptions,
    _ report: inout ScanReport
  ) {
    // Most nodes are keys and switches: sysfs tells without opening them.
    if let axes = EventNodes.attribute("capabilities/abs", of: path), axes.isSame(as: "0") {
      return nil
    }
    let device: EventDevice
    do throws(SystemError) { device = try EventDevice(opening: path) } catch {
      report.addFailure("\(path) (\(EventNodes.attribute("name", of: path) ?? ""))", error.errno)
      return nil
    }
    let found = FoundDevice(
      path: path, description: device.description, properties: EventNodes.properties(of: path))
    switch choice.judge(found, on: options.panel) {
    case .suitable(let kind): self.kind = kind
    case .unsuitable(let reason):
      report.add("\(path) (\(found.description.name))", reason)
      return nil
    }
    device.setEventMask()
    self.path = path
    description = found.description
    properties = found.properties
    fitness = options.panel?.fitness(of: found) ?? 0
    pipeline = ContactPipeline(
      description, properties, state: device.state, number: number, options)
    self.device = device
  }

  /// For poll(2).
  var number: Int32 { device.number }

  /// The node and the device's name, for the log.
  var label: String { "\(path) (\(description.name))" }

  /// Whether the axes' ranges have changed, so that the device must be opened again.
  var hasChangedRanges: Bool { device.hasChangedRanges }

  /// Applies new properties of udev's rules.
  func update(_ properties: UdevProperties, _ options: InputOptions) {
    if properties != self.properties {
      self.properties = properties
      updateGlass(options)
    }
    fitness = options.panel?.fitness(of: found) ?? 0
  }

  /// Applies a new glass.
  func updateGlass(_ options: InputOptions) {
    pipeline.updateGlass(description, properties, options)
  }

  /// Whether the device would still be opened.
  func isSuitable(for choice: DeviceChoice, on panel: PanelLocation?) -> Bool {
    if case .suitable = choice.judge(found, on: panel) { return true }
    return false
  }

  private var found: FoundDevice {
    FoundDevice(path: path, description: description, properties: properties)
  }

  /// Takes the device from other programs.
  func grab() throws(Errno) {
    try device.grab()
    isGrabbed = true
  }

  func ungrab() {
    device.ungrab()
    isGrabbed = false
  }

  /// Whether a contact is on the glass.
  var isTouched: Bool { pipeline.isTouched }

  /// Reads the device's state again after another program had grabbed it. Returns true if it pushed contacts.
  func resynchronise(_ arbitration: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    device.resynchronise()
    isResynchronising = true
    isReadingState = true
    return drain(&arbitration, ring)
  }

  /// Reads queued events. Returns true if it pushed contacts.
  func drain(_ arbitration: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    var hasPushed = false
    hasMore = false
    for count in 0..<Self.batch {
      switch device.next() {
      case .event(var event):
        if isReadingState { event.time = MonotonicClock.now }
        if count == 0 { latency = max(latency, MonotonicClock.now &- event.time) }
        hasPushed = pipeline.put(event, &arbitration, ring) || hasPushed
      case .gap:
        if !isResynchronising { gaps &+= 1 }
        pipeline.markGap()
        isResynchronising = false
      case .empty:
        isReadingState = false
        return pipeline.finishResync(&arbitration, ring) || hasPushed
      case .gone: return markGone(&arbitration, ring) || hasPushed
      }
    }
    hasMore = true
    return hasPushed
  }

  /// Marks the device as lost, and cancels its contacts. Returns true if it pushed any.
  func markGone(_ arbitration: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    isGone = true
    return cancelAll(&arbitration, ring)
  }

  /// Cancels all contacts. Returns true if it pushed any.
  func cancelAll(_ arbitration: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    pipeline.cancelAll(at: MonotonicClock.now, &arbitration, ring)
  }

  /// A warning about lost events, latency or odd values, if one is due.
  ///
  /// Returns at most five warnings of lost events in 30 s, and one of latency in 60 s. If `isLast`,
  /// warns of the remaining lost events at once.
  func nextWarning(isLast: Bool = false) -> String? {
    if gaps > loggedGaps, isLast || gapLimit.allows(at: MonotonicClock.now) {
      let count = gaps - loggedGaps
      loggedGaps = gaps
      return
        "kernel: \(label): SYN_DROPPED ×\(count): event buffer overflow; contacts resynchronised"
    }
    if latency > Self.latencyLimit, latencyLogLimit.allows(at: MonotonicClock.now) {
      let milliseconds = latency / 1_000_000
      latency = 0
      return "kernel: \(label): events read \(milliseconds) ms late: the machine is too slow"
    }
    guard !hasLoggedOddity, let oddity = pipeline.oddity else { return nil }
    hasLoggedOddity = true
    return "device: \(label): \(oddity)"
  }
}

/// From the events of one device, in the order of time, to contacts in the ring.
struct ContactPipeline: ~Copyable {
  private let number: Int32
  private var decoder: ContactDecoder
  /// Nil if nothing is filtered.
  private var filters: ContactFilters?
  private var geometry: GlassGeometry

  /// - Parameter number: Distinguishes the device's contacts from those of others.
  init(
    _ description: DeviceDescription, _ properties: UdevProperties, state: DeviceState,
    number: Int32, _ options: InputOptions
  ) {
    self.number = number
    decoder = ContactDecoder(description, state: state)
    filters = options.filters.isNone ? nil : ContactFilters(options.filters, for: description)
    geometry = GlassGeometry(description, on: options.placement(properties))
  }

  /// A defect of the device's events so far; nil if none.
  var oddity: String? {
    if decoder.positionsOutOfRange > 0 { return "coordinates out of range: clamped" }
    return decoder.contactsDropped > 0 ? "too many contacts: some are ignored" : nil
  }

  /// Whether a contact is on the glass.
  var isTouched: Bool { decoder.isTouched }

  /// Applies a new glass or calibration.
  mutating func updateGlass(
    _ description: DeviceDescription, _ properties: UdevProperties, _ options: InputOptions
  ) {
    geometry = GlassGeometry(description, on: options.placement(properties))
  }

  /// Announces that events were lost, and that the device's state follows.
  mutating func markGap() { decoder.markGap(isResync: true) }

  /// Processes an event. Returns true if it pushed contacts.
  mutating func put(
    _ event: InputEvent, _ arbitration: inout TouchArbitration, _ ring: ContactRing
  ) -> Bool {
    guard decoder.put(event) else { return false }
    return push(at: event.time, isPenNear: decoder.isPenNear, &arbitration, ring)
  }

  /// Applies the device's state if no event has followed it. Returns true if it pushed contacts.
  mutating func finishResync(_ arbitration: inout TouchArbitration, _ ring: ContactRing) -> Bool {
    guard decoder.finishResync() else { return false }
    return push(at: MonotonicClock.now, isPenNear: decoder.isPenNear, &arbitration, ring)
  }

  /// Cancels all contacts. Returns true if it pushed any.
  mutating func cancelAll(
    at time: Int64, _ arbitration: inout TouchArbitration, _ ring: ContactRing
  ) -> Bool {
    decoder.cancelAll(at: time) && push(at: time, isPenNear: false, &arbitration, ring)
  }

  private mutating func push(
    at time: Int64, isPenNear: Bool, _ arbitration: inout TouchArbitration, _ ring: ContactRing
  ) -> Bool {
    filters?.apply(to: decoder)
    switch filters {
    case .some(let filters):
      arbitration.process(
        filters.frame, device: number, geometry: geometry, isPenNear: isPenNear,
        isPenReporting: decoder.isPenReporting, at: time)
    case .none:
      arbitration.process(
        decoder.frame, device: number, geometry: geometry, isPenNear: isPenNear,
        isPenReporting: decoder.isPenReporting, at: time)
    }
    let count = arbitration.contacts.count
    for index in 0..<count { ring.push(arbitration.contacts[index]) }
    return count > 0
  }
}

/// Allows something a number of times per interval.
struct RateLimit {
  private let count: Int
  private let interval: Int64
  private var start: Int64?
  private var used = 0

  /// Allows `count` times in every `interval` nanoseconds.
  init(count: Int, every interval: Int64) {
    self.count = count
    self.interval = interval
  }

  /// Whether it is allowed now; counts the use.
  mutating func allows(at now: Int64) -> Bool {
    if let start, now &- start < interval {
      used += 1
      return used <= count
    }
    start = now
    used = 1
    return count > 0
  }
}
