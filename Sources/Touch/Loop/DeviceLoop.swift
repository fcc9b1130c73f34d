internal import CLinux
internal import Linux

/// Reads the devices of the kernel as they come and go.
struct DeviceLoop: ~Copyable {
  /// A panel has a touchscreen, a pen, and seldom anything else.
  private static let places = 8

  private let choice: DeviceChoice
  private var options: InputOptions
  private let loop: InputLoop
  private var contacts: TouchArbitration
  private var devices: [OpenDevice] = []
  private var watch = NodeWatch()
  private var opened: Int32 = 0
  private var schedule = ScanSchedule(now: MonotonicClock.now)
  private var lastReason = ""
  private var lastTrouble: Errno?
  /// Whether devices are grabbed now, where the configuration wants that at all.
  private var holdsGrab = true

  init(_ choice: DeviceChoice, of loop: InputLoop) {
    self.choice = choice
    self.loop = loop
    options = loop.options
    contacts = TouchArbitration(options.policy)
  }

  mutating func run() throws(SystemError) {
    var poll = Poll()
    let messagesPlace = poll.add(loop.messages.number)
    let watchPlace = poll.add(watch.number)
    let firstPlace = watchPlace + 1
    for _ in 0..<Self.places { poll.add(-1) }
    scan()
    while true {
      for index in 0..<Self.places {
        poll.replace(firstPlace + index, with: index < devices.count ? devices[index].number : -1)
      }
      do throws(Errno) {
        try poll.wait(milliseconds: schedule.milliseconds(at: MonotonicClock.now))
      } catch { throw SystemError("poll", "", error) }
      if poll.isReadable(messagesPlace) {
        for message in loop.messages.takeAll() where !take(message) { return }
      }
      readDevices(
        isReady: { poll.isReadable(firstPlace + $0) }, isGone: { poll.isGone(firstPlace + $0) })
      lookAround(isNotified: poll.isReadable(watchPlace) && watch.clear())
    }
  }

  private mutating func readDevices(isReady: (Int) -> Bool, isGone: (Int) -> Bool) {
    var isNews = false
    var lost: [OpenDevice] = []
    for index in devices.indices where isReady(index) || isGone(index) {
      let device = devices[index]
      isNews = device.read(&contacts, loop.ring) || isNews
      // poll(2) would return at once for ever.
      if isGone(index) && !device.isGone { isNews = device.lose(&contacts, loop.ring) || isNews }
      if device.isGone { lost.append(device) }
      if let line = device.takeOddity(isLast: device.isGone) { loop.tell(.warning(line: line)) }
    }
    if isNews { loop.ring.wake() }
    for device in lost {
      devices.removeAll { $0 === device }
      loop.tell(.lost(line: "device: \(device.label) is gone"))
      schedule.settle(at: MonotonicClock.now)
    }
  }

  private mutating func lookAround(isNotified: Bool) {
    let now = MonotonicClock.now
    guard schedule.isDue(at: now, isNotified: isNotified) else { return }
    // To open a device may take its driver long: nobody who signs shall wait for it.
    if contacts.isDrawing { return schedule.postpone(at: now) }
    for device in devices { device.update(EventNodes.properties(of: device.path), options) }
    closeMistaken()
    scan()
  }

  /// What has other ranges than it said is taken anew by the next scan: its state is libevdev's, too. So is
  /// what udev has placed on another output or seat meanwhile.
  private mutating func closeMistaken() {
    var isNews = false
    for device in devices
    where device.hasOtherRanges || !device.isSuitable(for: choice, on: options.panel) {
      isNews = device.cancel(&contacts, loop.ring) || isNews
      devices.removeAll { $0 === device }
    }
    if isNews { loop.ring.wake() }
  }

  /// Opens what is to draw and does not yet.
  private mutating func scan() {
    watch.renew()
    tellTrouble()
    var report = ScanReport()
    let candidates = EventNodes.paths().filter { path in
      !devices.contains { $0.path.isSame(as: path) }
    }
    var found: [(OpenDevice, DeviceKind)] = []
    for path in candidates {
      guard let candidate = NodeCandidate(path, choice, on: options.panel, &report) else {
        continue
      }
      let kind = candidate.kind
      found.append((OpenDevice(candidate, number: opened, options), kind))
      opened &+= 1
    }
    for place in PanelLocation.order(found.map { $0.0.fitness }) {
      let (device, kind) = found[place]
      let weaker = weakerTouchscreen(than: device)
      guard weaker != nil || (devices.count < Self.places && wants(kind, among: found)),
        open(device, &report), let weaker
      else { continue }
      close(weaker, for: device)
    }
    schedule.scanned(watch.trouble == nil ? report.obstacle : .unwatched)
    if devices.isEmpty, !report.text.isSame(as: lastReason) {
      lastReason = report.text
      loop.tell(.waiting(line: report.text))
    }
  }

  /// The touchscreen that draws and fits the panel less well than another one.
  private func weakerTouchscreen(than other: OpenDevice) -> OpenDevice? {
    guard case .automatic = choice, other.kind == .touchscreen else { return nil }
    return devices.first { $0.kind == .touchscreen && $0.fitness < other.fitness }
  }

  private mutating func close(_ device: OpenDevice, for other: OpenDevice) {
    if device.cancel(&contacts, loop.ring) { loop.ring.wake() }
    devices.removeAll { $0 === device }
    loop.tell(.lost(line: "device: \(device.label) yields to \(other.label), which fits the panel"))
  }

  /// Without notices the scans are a clock's.
  private mutating func tellTrouble() {
    defer { lastTrouble = watch.trouble }
    guard let trouble = watch.trouble, trouble != lastTrouble else { return }
    loop.tell(
      .warning(
        line: "kernel: \(EventNodes.folder) cannot be watched (\(trouble.text)); "
          + "it is read every 2 s instead"))
  }

  /// Chosen by more than its kind, or by it: `DeviceChoice.automatic`.
  private func wants(_ kind: DeviceKind, among found: [(OpenDevice, DeviceKind)]) -> Bool {
    guard case .automatic = choice else { return true }
    return kind.rejection(beside: devices.map { $0.kind }, others: found.map { $0.1 }) == nil
  }

  /// False where another program holds it.
  private mutating func open(_ device: OpenDevice, _ report: inout ScanReport) -> Bool {
    if options.grabs && holdsGrab {
      do throws(Errno) { try device.grab() } catch {
        report.addRefused(device.label, error)
        return false
      }
    }
    devices.append(device)
    lastReason = ""
    loop.tell(.opened(line: "device: \(device.label) draws"))
    let name = "LIBINPUT_CALIBRATION_MATRIX"
    if let text = device.source.properties[name], CalibrationMatrix(text) == nil {
      loop.tell(.warning(line: "config: \(name) of \(device.label) is no matrix: \"\(text)\""))
    }
    return true
  }

  /// Another program that has grabbed a device meanwhile keeps it: the next scans ask for it again.
  private mutating func grab(_ isHeld: Bool) {
    guard options.grabs, isHeld != holdsGrab else { return }
    holdsGrab = isHeld
    var isNews = false
    guard isHeld else {
      for device in devices {
        device.ungrab()
        // Its end may reach another program alone.
        isNews = device.cancel(&contacts, loop.ring) || isNews
      }
      if isNews { loop.ring.wake() }
      return
    }
    for device in devices {
      do throws(Errno) {
        try device.grab()
        isNews = device.resynchronise(&contacts, loop.ring) || isNews
      } catch {
        isNews = device.cancel(&contacts, loop.ring) || isNews
        devices.removeAll { $0 === device }
      }
    }
    if isNews { loop.ring.wake() }
    scan()
  }

  /// False at the end.
  private mutating func take(_ message: InputMessage) -> Bool {
    switch message {
    case .heartbeat: loop.tell(.alive)
    case .grab(let isHeld):
      grab(isHeld)
      loop.tell(.grabbed(isHeld))
    case .glass(let width, let height, let quarterTurns, let panel):
      (options.width, options.height) = (width, height)
      options.quarterTurns = quarterTurns
      if options.panel != panel { schedule.settle(at: MonotonicClock.now) }
      options.panel = panel
      for device in devices { device.source.place(options) }
    case .stop:
      var isNews = false
      for device in devices {
        isNews = device.cancel(&contacts, loop.ring) || isNews
        if let line = device.takeOddity(isLast: true) { loop.tell(.warning(line: line)) }
      }
      if isNews { loop.ring.wake() }
      return false
    }
    return true
  }
}
