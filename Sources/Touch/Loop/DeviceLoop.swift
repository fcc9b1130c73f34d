internal import CLinux
internal import Linux

/// Polls the event devices, and opens and closes them as they come and go.
struct DeviceLoop: ~Copyable {
  /// The limit of open devices: a panel has a touchscreen, a pen, and seldom more.
  private static let limit = 8

  private let choice: DeviceChoice
  private var options: InputOptions
  private let loop: InputLoop
  private var arbitration: TouchArbitration
  private var devices: [OpenDevice] = []
  private var watch = NodeWatch()
  private var opened: Int32 = 0
  private var schedule = ScanSchedule(now: MonotonicClock.now)
  private var lastReport = ""
  private var lastFailure: Errno?
  /// Whether devices are grabbed now, if the configuration asks for it.
  private var holdsGrab = true
  private var release = GrabRelease()

  init(_ choice: DeviceChoice, of loop: InputLoop) {
    self.choice = choice
    self.loop = loop
    options = loop.options
    arbitration = TouchArbitration(options.policy)
  }

  mutating func run() throws(SystemError) {
    var poll = Poll()
    let messagesPlace = poll.add(loop.messages.number)
    let watchPlace = poll.add(watch.number)
    let firstPlace = watchPlace + 1
    for _ in 0..<Self.limit { poll.add(-1) }
    scan()
    while true {
      for index in 0..<Self.limit {
        poll.replace(firstPlace + index, with: index < devices.count ? devices[index].number : -1)
      }
      do throws(Errno) {
        let now = MonotonicClock.now
        let wait = release.milliseconds(schedule.milliseconds(at: now), at: now)
        try poll.wait(milliseconds: devices.contains { $0.hasMore } ? 0 : wait)
      } catch { throw SystemError("poll", "", error) }
      // Before the messages, which may close or add devices: the places are those of the poll.
      drainDevices(
        isReady: { poll.isReadable(firstPlace + $0) }, isGone: { poll.isGone(firstPlace + $0) })
      if poll.isReadable(messagesPlace) {
        for message in loop.messages.takeAll() where !handle(message) { return }
      }
      if release.isDue(isTouched: isTouched, at: MonotonicClock.now) { ungrabAll() }
      scanIfDue(isNotified: poll.isReadable(watchPlace) && watch.drain())
    }
  }

  private mutating func drainDevices(isReady: (Int) -> Bool, isGone: (Int) -> Bool) {
    var hasPushed = false
    var lost: [OpenDevice] = []
    for index in devices.indices where isReady(index) || isGone(index) || devices[index].hasMore {
      let device = devices[index]
      hasPushed = device.drain(&arbitration, loop.ring) || hasPushed
      // Otherwise poll(2) would return at once forever.
      if isGone(index) && !device.isGone {
        hasPushed = device.markGone(&arbitration, loop.ring) || hasPushed
      }
      if device.isGone { lost.append(device) }
      if let line = device.nextWarning(isLast: device.isGone) { loop.notify(.warning(line: line)) }
    }
    if hasPushed { loop.ring.wake() }
    for device in lost {
      devices.removeAll { $0 === device }
      loop.notify(.lost(line: "device: \(device.label): disconnected"))
      schedule.settle(at: MonotonicClock.now)
    }
  }

  // MARK: Scans

  private mutating func scanIfDue(isNotified: Bool) {
    let now = MonotonicClock.now
    guard schedule.isDue(at: now, isNotified: isNotified) else { return }
    // Opening a device may take its driver long, and would delay a signature.
    if arbitration.isDrawing { return schedule.postpone(at: now) }
    for device in devices { device.update(EventNodes.properties(of: device.path), options) }
    closeOutdated()
    scan()
  }

  /// Closes devices whose ranges changed, for the scan to open them again with libevdev's new state.
  ///
  /// Also closes those that udev has assigned to another output or seat.
  private mutating func closeOutdated() {
    var hasPushed = false
    for device in devices
    where device.hasChangedRanges || !device.isSuitable(for: choice, on: options.panel) {
      hasPushed = device.cancelAll(&arbitration, loop.ring) || hasPushed
      devices.removeAll { $0 === device }
      loop.notify(
        .lost(line: "device: \(device.label): closed, its ranges or its assignment changed"))
    }
    if hasPushed { loop.ring.wake() }
  }

  /// Opens the devices that should draw and do not yet.
  private mutating func scan() {
    watch.renew()
    reportWatchFailure()
    var report = ScanReport()
    var found: [OpenDevice] = []
    for path in EventNodes.paths() where !devices.contains(where: { $0.path.isSame(as: path) }) {
      guard let device = OpenDevice(path, choice, number: opened, options, &report) else {
        continue
      }
      found.append(device)
      opened &+= 1
    }
    for index in PanelLocation.order(found.map { $0.fitness }) {
      let device = found[index]
      let weaker = weakerTouchscreen(than: device)
      guard weaker != nil || (devices.count < Self.limit && isWanted(device, among: found)),
        add(device, &report), let weaker
      else { continue }
      close(weaker, for: device)
    }
    schedule.recordScan(watch.failure == nil ? report.obstacle : .unwatched)
    if devices.isEmpty, !report.text.isSame(as: lastReport) {
      lastReport = report.text
      loop.notify(.waiting(line: report.text))
    }
  }

  /// The touchscreen that draws and fits the panel less well than another one.
  private func weakerTouchscreen(than other: OpenDevice) -> OpenDevice? {
    guard case .automatic = choice, other.kind == .touchscreen else { return nil }
    return devices.first { $0.kind == .touchscreen && $0.fitness < other.fitness }
  }

  /// Whether a device draws beside the open ones. A device chosen by more than its kind always does.
  private func isWanted(_ device: OpenDevice, among found: [OpenDevice]) -> Bool {
    guard case .automatic = choice else { return true }
    return device.kind.rejection(beside: devices.map { $0.kind }, others: found.map { $0.kind })
      == nil
  }

  /// Grabs and adds a device. Returns false if another program has grabbed it.
  private mutating func add(_ device: OpenDevice, _ report: inout ScanReport) -> Bool {
    if options.grabs && holdsGrab {
      do throws(Errno) { try device.grab() } catch {
        report.addFailure(device.label, error)
        return false
      }
    }
    devices.append(device)
    lastReport = ""
    loop.notify(.opened(line: "device: \(device.label): opened"))
    let name = "LIBINPUT_CALIBRATION_MATRIX"
    if let text = device.properties[name], CalibrationMatrix(text) == nil {
      loop.notify(
        .warning(line: "config: \(device.label): invalid \(name) (\"\(text)\"): ignored"))
    }
    return true
  }

  private mutating func close(_ device: OpenDevice, for other: OpenDevice) {
    if device.cancelAll(&arbitration, loop.ring) { loop.ring.wake() }
    devices.removeAll { $0 === device }
    loop.notify(
      .lost(line: "device: \(device.label): closed, \(other.label) fits the panel better"))
  }

  private mutating func reportWatchFailure() {
    defer { lastFailure = watch.failure }
    guard let failure = watch.failure, failure != lastFailure else { return }
    loop.notify(
      .warning(
        line: "kernel: \(EventNodes.folder): inotify failed (\(failure.text)); scanning every 2 s"))
  }

  // MARK: Messages

  /// Returns false at the end.
  private mutating func handle(_ message: InputMessage) -> Bool {
    switch message {
    case .heartbeat: loop.notify(.alive)
    case .grab(let isHeld):
      setGrab(isHeld)
      loop.notify(.grabbed(isHeld))
    case .glass(let width, let height, let quarterTurns, let panel):
      (options.width, options.height) = (width, height)
      options.quarterTurns = quarterTurns
      if options.panel != panel { schedule.settle(at: MonotonicClock.now) }
      options.panel = panel
      for device in devices { device.updateGlass(options) }
    case .stop:
      var hasPushed = false
      for device in devices {
        hasPushed = device.cancelAll(&arbitration, loop.ring) || hasPushed
        if let line = device.nextWarning(isLast: true) { loop.notify(.warning(line: line)) }
      }
      if hasPushed { loop.ring.wake() }
      return false
    }
    return true
  }

  private mutating func setGrab(_ isHeld: Bool) {
    guard options.grabs, isHeld != holdsGrab else { return }
    holdsGrab = isHeld
    if !isHeld {
      if release.ask(isTouched: isTouched, at: MonotonicClock.now) { ungrabAll() }
    } else {
      // Keeps a grab whose end was delayed. Devices that were opened meanwhile are not grabbed yet.
      release.cancel()
      grabAll()
    }
  }

  private var isTouched: Bool { devices.contains { $0.isTouched } }

  private mutating func ungrabAll() {
    var hasPushed = false
    for device in devices {
      device.ungrab()
      // Another program's grab may hide the contacts' ends.
      hasPushed = device.cancelAll(&arbitration, loop.ring) || hasPushed
    }
    if hasPushed { loop.ring.wake() }
  }

  /// Closes devices that another program has grabbed meanwhile; later scans try again.
  private mutating func grabAll() {
    var hasPushed = false
    for device in devices where !device.isGrabbed {
      do throws(Errno) {
        try device.grab()
        hasPushed = device.resynchronise(&arbitration, loop.ring) || hasPushed
      } catch {
        hasPushed = device.cancelAll(&arbitration, loop.ring) || hasPushed
        devices.removeAll { $0 === device }
        loop.notify(.lost(line: "device: \(device.label): closed, grab failed (\(error.text))"))
      }
    }
    if hasPushed { loop.ring.wake() }
    scan()
  }
}
