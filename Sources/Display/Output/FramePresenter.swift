internal import Linux
internal import Raster

/// Shows the canvas on an output: copies damage into the back buffer and flips at the pacer's times.
struct FramePresenter: ~Copyable {
  /// The destination of the pixels.
  enum Output {
    case card(CardOutput)
    case memory(MemoryOutput)
    /// The card was removed.
    case absent
  }

  private let geometry: PanelGeometry
  private(set) var output: Output
  /// The counters and latencies of all outputs so far.
  var statistics = PanelStatistics()
  private var damage: DamageHistory
  private var pacer: FramePacer
  private var stamps = SampleStamps()
  /// An announced picture is not painted yet.
  private var isAwaiting = false
  /// The other buffer was not painted since the mode was set.
  private var hasNewMode = false
  /// The buffer on screen or in flight.
  private(set) var front = 0

  /// A presenter with unpainted buffers.
  ///
  /// - Parameters:
  ///   - period: Nanoseconds per frame, if known.
  ///   - isFront: Whether the buffer on screen is drawn into, without flips.
  init(_ output: Output, _ geometry: PanelGeometry, period: Int64?, isFront: Bool) {
    self.output = output
    self.geometry = geometry
    pacer = FramePacer(period: period, isFront: isFront)
    damage = DamageHistory(geometry, buffers: isFront ? 1 : 2)
  }

  /// Whether the buffer on screen is drawn into: configured, or because the driver cannot flip.
  var isFront: Bool { pacer.isFront }

  /// Whether a mode is set.
  var hasMode: Bool { pacer.hasMode }

  /// Whether a flip is in flight.
  var isFlipInFlight: Bool { pacer.isInFlight }

  /// Whether the display has failed: three lost flips or refused modes in a row.
  var isStuck: Bool { pacer.isStuck }

  /// Whether the driver is used by atomic commits.
  var isAtomic: Bool {
    if case .card(let card) = output { return card.isAtomic }
    return false
  }

  /// When the next step is due; nil: nothing is.
  var deadline: Int64? {
    pacer.deadline ?? (pacer.wasAnnounced || hasNewMode ? paintAheadTime : nil)
  }

  /// The simulated flip's time; nil unless the output is in memory.
  var simulatedFlip: Int64? {
    if case .memory(let memory) = output { return memory.nextEvent }
    return nil
  }

  /// Drops the output: its card was removed.
  mutating func close() { output = .absent }

  /// Forgets earlier failures, because the display was inactive: only later ones count.
  mutating func forgetFailures() { pacer.forgetFailures() }

  /// Continues on another card, with unpainted buffers.
  mutating func replaceOutput(by card: CardOutput) {
    output = .card(card)
    restart(period: card.pipeline.mode.period)
  }

  /// Discards all knowledge of buffers and timing.
  mutating func restart(period: Int64?) {
    damage = DamageHistory(geometry, buffers: isFront ? 1 : 2)
    front = 0
    pacer.restart(period: period)
  }

  /// Sets the mode with the next frame.
  mutating func requestMode(at now: Int64) { pacer.requestMode(at: now) }

  /// Repaints everything and sets the mode with the next frame.
  mutating func invalidate(at now: Int64) {
    damage.addAll()
    pacer.requestMode(at: now)
  }

  /// The mode was refused: retries after a second. Returns whether it is the first refusal since a mode was set.
  mutating func modeRefused(at now: Int64) -> Bool {
    pacer.modeRefused(at: now)
    return pacer.refusedModes == 1
  }

  /// Adds the time stamp of a sample that may change the canvas.
  mutating func record(sampleAt stamp: Int64) { stamps.record(stamp) }

  /// Adds changed rectangles of the canvas.
  mutating func add(_ changes: PixelRegion, isActive: Bool, at now: Int64) {
    stamps.resolve(changed: !changes.isEmpty || isAwaiting, &statistics)
    if changes.isEmpty { return }
    for index in 0..<changes.count { damage.add(geometry.panelRect(changes[index])) }
    guard isActive else { return }
    observeVblank(at: now)
    pacer.changed(at: now)
  }

  /// Announces a picture that takes long to paint; returns whether it must be painted before the next `present`.
  mutating func announce(at now: Int64) -> Bool {
    observeVblank(at: now)
    let isDue = pacer.announce(at: now)
    isAwaiting = !isDue
    return isDue
  }

  private mutating func observeVblank(at now: Int64) {
    guard pacer.wantsVblank(at: now), let vblank = lastVblank(at: now) else { return }
    pacer.observed(vblank: vblank.time, sequence: vblank.sequence, now: now)
  }

  private func lastVblank(at now: Int64) -> (time: Int64, sequence: UInt32)? {
    switch output {
    case .card(let card): card.lastVblank()
    case .memory(let memory): memory.lastVblank(at: now)
    case .absent: nil
    }
  }

  /// Does what is due: commits a frame, sets the mode, or paints the back buffer in advance.
  mutating func present(_ canvas: borrowing Canvas, at now: Int64?) throws(DisplayError) {
    defer {
      statistics.lostFlips = pacer.lost
      isAwaiting = false
    }
    let time = now ?? MonotonicClock.now
    // After a stall, the event of an overdue flip may still be queued. If reading it fails, setting
    // the mode fails too, and that error is handled.
    if pacer.isOverdue(at: time) { try? handleFlip(at: time, isReadable: true) }
    switch pacer.step(at: time) {
    case .wait: if let due = paintAheadTime, time >= due { paintAhead(canvas) }
    // The frame became due after the announcement: the next pass paints the picture at once.
    case .commit where isAwaiting: break
    case .commit: try commit(canvas, now)
    case .setMode:
      try setMode(canvas, now)
      // The mode was set without the picture: the next pass paints it.
      if isAwaiting { pacer.changed(at: time) }
    }
  }

  /// When the back buffer is painted in advance; nil: it is not.
  ///
  /// An announced picture is often followed by another one, which replaces all of it.
  private var paintAheadTime: Int64? {
    guard !isFront, pacer.isIdle, damage.isStale(1 - front) else { return nil }
    return pacer.wasAnnounced ? pacer.lastCommit + 3 * pacer.clock.period : pacer.lastCommit
  }

  /// Paints the back buffer while nothing is due, so that the next commit is short.
  ///
  /// After a mode was set the damage is the whole canvas, which takes longer than the pacer's lead.
  private mutating func paintAhead(_ canvas: borrowing Canvas) {
    paint(canvas, into: 1 - front)
  }

  private mutating func commit(_ canvas: borrowing Canvas, _ now: Int64?) throws(DisplayError) {
    do {
      if isFront {
        try updateFront(canvas)
      } else if try flip(canvas, at: now) == .busy {
        statistics.busyCommits += 1
        pacer.busy(at: now ?? MonotonicClock.now)
        return
      }
    } catch {
      guard error.isRepairable else { throw error }
      pacer.flipRefused(at: now ?? MonotonicClock.now)
      try setMode(canvas, now)
      return
    }
    let time = now ?? MonotonicClock.now
    pacer.committed(at: time)
    statistics.frames += 1
    stamps.committed(at: time, &statistics)
  }

  private mutating func updateFront(_ canvas: borrowing Canvas) throws(DisplayError) {
    paint(canvas, into: front)
    if case .card(let card) = output {
      try card.markDirty(damage.unreportedDamage(of: front), in: front)
    }
    damage.reportedDamage(of: front)
  }

  private mutating func flip(
    _ canvas: borrowing Canvas, at now: Int64?
  ) throws(DisplayError) -> FlipOutcome {
    let back = 1 - front
    paint(canvas, into: back)
    let outcome: FlipOutcome
    switch output {
    case .card(let card):
      outcome = try card.flip(to: back, damage: damage.unreportedDamage(of: back))
    case .memory(let memory): outcome = try memory.flip(to: back, at: now ?? MonotonicClock.now)
    case .absent: return .busy
    }
    if outcome == .accepted {
      damage.reportedDamage(of: back)
      front = back
    }
    return outcome
  }

  private mutating func paint(_ canvas: borrowing Canvas, into buffer: Int) {
    if buffer != front { hasNewMode = false }
    paint(damage.drainUnpainted(of: buffer), of: canvas, into: buffer)
  }

  private mutating func paint(
    _ region: PixelRegion, of canvas: borrowing Canvas, into buffer: Int
  ) {
    switch output {
    case .card(let card):
      statistics.bytesWritten += Int64(card.paint(region, of: canvas, into: buffer))
    case .memory(let memory):
      statistics.bytesWritten += Int64(memory.paint(region, of: canvas, into: buffer))
    case .absent: break
    }
  }

  /// Sets the full state: mode, planes and a whole frame.
  private mutating func setMode(_ canvas: borrowing Canvas, _ now: Int64?) throws(DisplayError) {
    let next = isFront ? front : 1 - front
    let began = now ?? MonotonicClock.now
    paint(canvas, into: next)
    let painted = now ?? MonotonicClock.now
    switch output {
    case .card(let card):
      try card.enable(next)
      // QEMU's VGA clears its memory when it is switched on (hw/display/vga.c, vbe_ioport_write_data; the driver
      // bochs sets no VBE_DISPI_NOCLEARMEM), so the frame is painted again.
      let whole = PixelRect(width: geometry.panelWidth, height: geometry.panelHeight)
      paint(PixelRegion(whole), of: canvas, into: next)
    case .memory(let memory): memory.enable(next)
    case .absent: break
    }
    let time = now ?? MonotonicClock.now
    damage.reportedDamage(of: next)
    // The other buffer's memory may have been cleared, too.
    damage.lostPixels(of: 1 - next)
    hasNewMode = true
    front = next
    pacer.modeSet(at: time, work: painted - began)
    statistics.modeSets += 1
    stamps.committed(at: time, &statistics)
  }

  /// Handles the event of the flip in flight, if it was shown.
  ///
  /// - Parameter isReadable: Whether the card has events.
  mutating func handleFlip(at now: Int64, isReadable: Bool) throws(DisplayError) {
    let flip: FlipEvent?
    switch output {
    case .card(let card): flip = isReadable ? try card.readFlip() : nil
    case .memory(let memory): flip = memory.readFlip(at: now)
    case .absent: flip = nil
    }
    guard let flip else { return }
    let shown = pacer.flipped(at: flip.time, sequence: flip.sequence, now: now)
    statistics.missedFlips = pacer.missed
    statistics.lead = pacer.lead
    stamps.shown(at: shown, &statistics)
  }
}

/// The damage that each buffer lacks, and that the kernel does not know ("buffer age").
///
/// The back buffer was last shown a frame ago: it lacks all changes since then. FB_DAMAGE_CLIPS is defined as the
/// change since the plane's last commit, but drivers that upload per buffer need the buffer's own (virtio-gpu, vmwgfx:
/// kernel bug 218115). The union is right for both: all changes since the buffer was last shown.
struct DamageHistory {
  private struct Buffer {
    /// Changes that are not painted yet.
    var unpainted: PixelRegion
    /// Changes since the buffer was last shown.
    var unreported: PixelRegion
  }

  private var list: InlineArray<2, Buffer>
  private let whole: PixelRect
  private let count: Int

  /// Unpainted buffers: one for drawing into the front buffer, else two.
  init(_ geometry: PanelGeometry, buffers: Int) {
    precondition((1...2).contains(buffers))
    whole = PixelRect(width: geometry.panelWidth, height: geometry.panelHeight)
    count = buffers
    list = InlineArray(
      repeating: Buffer(unpainted: PixelRegion(whole), unreported: PixelRegion(whole)))
  }

  /// Adds a changed rectangle of the panel.
  mutating func add(_ rect: PixelRect) {
    let rect = rect.intersection(whole)
    for index in 0..<count {
      list[index].unpainted.add(rect)
      list[index].unreported.add(rect)
    }
  }

  /// Adds the whole panel.
  mutating func addAll() { add(whole) }

  /// Removes and returns what must be painted into a buffer before it is shown.
  mutating func drainUnpainted(of buffer: Int) -> PixelRegion {
    let region = list[buffer].unpainted
    list[buffer].unpainted.clear()
    return region
  }

  /// The damage to report with a commit of a buffer.
  func unreportedDamage(of buffer: Int) -> PixelRegion { list[buffer].unreported }

  /// The kernel accepted a buffer with its damage.
  mutating func reportedDamage(of buffer: Int) { list[buffer].unreported.clear() }

  /// A buffer must be painted anew: its memory may have been cleared.
  ///
  /// Nothing is reported for it: drivers that upload per buffer still have their copy.
  mutating func lostPixels(of buffer: Int) { list[buffer].unpainted.add(whole) }

  /// Whether a buffer has unpainted changes.
  func isStale(_ buffer: Int) -> Bool { !list[buffer].unpainted.isEmpty }
}
