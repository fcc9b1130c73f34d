internal import Linux
public import Raster

extension Panel {
  /// Shows the canvas, now or as soon as the panel's pace allows.
  ///
  /// - Parameters:
  ///   - canvas: The whole upright picture, as large as the panel.
  ///   - damage: What changed in it since the last call, in its pixels; may overhang.
  ///   - now: The time, for tests with a clock of their own.
  /// - Throws: What the driver refused, if the panel was never lit; `changed` if its connector has vanished: open
  ///   it anew. Later it is tried again by itself in a second, and `takeTrouble()` tells; a card that is gone or
  ///   held is a `condition`.
  public mutating func present(
    _ canvas: borrowing Canvas, damage: PixelRegion, at now: Int64? = nil
  ) throws(DisplayError) {
    precondition(canvas.width == width && canvas.height == height)
    let time = now ?? MonotonicClock.now
    stamps.settle(changed: !damage.isEmpty, &statistics)
    if !damage.isEmpty { note(damage, at: time) }
    do {
      switch pacer.step(at: time) {
      case .rest: prepare(canvas)
      case .commit: try commit(canvas, now)
      case .setMode: try setMode(canvas, now)
      }
    } catch {
      if !note(error, at: time) {
        if refusedModes == 0 { trouble = error }
        refusedModes += 1
        if statistics.modeSets == 0 { throw opening(error) }
      }
    }
    statistics.lostFlips = pacer.lost
    waiting.set(nextDeadline)
  }

  /// What a refusal of the first mode means: the connector may have vanished since it was chosen.
  private func opening(_ error: DisplayError) -> DisplayError {
    guard case .card(let card) = output else { return error }
    do throws(DisplayError) {
      let id = card.pipeline.connector.id
      return error.ofFirstMode(on: try card.card.surveyConnector(id, probing: false))
    } catch {
      return error
    }
  }

  private mutating func note(_ damage: PixelRegion, at now: Int64) {
    for index in 0..<damage.count { history.add(geometry.panelRect(damage[index])) }
    if pacer.wantsVblank(at: now), let vblank = lastVblank(at: now) {
      pacer.observed(vblank: vblank.time, sequence: vblank.sequence)
    }
    pacer.changed(at: now)
  }

  /// While nothing is due, the back buffer gets what it lacks, so that the next commit need not wait for
  /// that: after the mode was set it is the whole picture, which takes longer than a frame's lead. In the
  /// dark nobody waits for it.
  private mutating func prepare(_ canvas: borrowing Canvas) {
    guard !isFront, pacer.isResting, history.isStale(1 - shown) else { return }
    paint(canvas, into: 1 - shown)
  }

  private func lastVblank(at now: Int64) -> (time: Int64, sequence: UInt32)? {
    switch output {
    case .card(let card): card.lastVblank()
    case .memory(let memory): memory.lastVblank(at: now)
    case .absent: nil
    }
  }

  private mutating func commit(_ canvas: borrowing Canvas, _ now: Int64?) throws(DisplayError) {
    do {
      if isFront {
        try refreshFront(canvas)
      } else if try flip(canvas, at: now) == .busy {
        statistics.busyCommits += 1
        pacer.refusedBusy(at: now ?? MonotonicClock.now)
        return
      }
    } catch {
      guard error.isRepairable else { throw error }
      refusedFlips += 1
      if refusedFlips == 2 { stopFlipping() }
      // Whatever the driver disliked, the full state says everything again.
      pacer.refused(at: now ?? MonotonicClock.now)
      try setMode(canvas, now)
      return
    }
    refusedFlips = 0
    let done = now ?? MonotonicClock.now
    pacer.committed(at: done)
    statistics.frames += 1
    stamps.committed(at: done, &statistics)
  }

  /// A flip that is refused even after the full state was accepted is one that the driver cannot do:
  /// from here on the shown buffer is drawn into.
  private mutating func stopFlipping() {
    isFront = true
    pacer.stopFlipping()
  }

  /// The shown buffer gets what changed, and the driver is told.
  private mutating func refreshFront(_ canvas: borrowing Canvas) throws(DisplayError) {
    paint(canvas, into: shown)
    let damage = history.untold(of: shown)
    if case .card(let card) = output { try card.tell(damage, in: shown) }
    history.told(shown)
  }

  private mutating func flip(
    _ canvas: borrowing Canvas, at now: Int64?
  ) throws(DisplayError) -> FlipOutcome {
    let back = 1 - shown
    paint(canvas, into: back)
    let outcome: FlipOutcome
    switch output {
    case .card(let card): outcome = try card.flip(to: back, damage: history.untold(of: back))
    case .memory(let memory): outcome = try memory.flip(to: back, at: now ?? MonotonicClock.now)
    case .absent: return .busy
    }
    if outcome == .accepted {
      history.told(back)
      shown = back
    }
    return outcome
  }

  private mutating func paint(_ canvas: borrowing Canvas, into buffer: Int) {
    let region = history.takeUnpainted(of: buffer)
    switch output {
    case .card(let card):
      statistics.bytesWritten += Int64(card.paint(region, of: canvas, into: buffer))
    case .memory(let memory):
      statistics.bytesWritten += Int64(memory.paint(region, of: canvas, into: buffer))
    case .absent: break
    }
  }

  /// QEMU's VGA clears the start of its memory when it is switched on (hw/display/vga.c:
  /// vbe_ioport_write_data; the driver bochs sets no VBE_DISPI_NOCLEARMEM), and with it the picture that
  /// was painted before. Elsewhere the same pixels twice are not seen.
  private mutating func paintAgain(
    _ canvas: borrowing Canvas, into buffer: Int, of card: CardOutput
  ) {
    let whole = PixelRegion(PixelRect(width: geometry.panelWidth, height: geometry.panelHeight))
    statistics.bytesWritten += Int64(card.paint(whole, of: canvas, into: buffer))
  }

  /// Everything said anew: a whole picture, mode, planes.
  private mutating func setMode(_ canvas: borrowing Canvas, _ now: Int64?) throws(DisplayError) {
    let next = isFront ? shown : 1 - shown
    paint(canvas, into: next)
    do throws(DisplayError) {
      switch output {
      case .card(let card):
        let wasAtomic = card.isAtomic
        try card.light(next)
        // The log names the calls that drive the panel.
        if card.isAtomic != wasAtomic { hasReturned = true }
        paintAgain(canvas, into: next, of: card)
      case .memory(let memory): memory.light(next)
      case .absent: break
      }
    } catch {
      pacer.modeRefused(at: now ?? MonotonicClock.now)
      throw error
    }
    let done = now ?? MonotonicClock.now
    history.told(next)
    shown = next
    pacer.modeSet(at: done)
    statistics.modeSets += 1
    refusedModes = 0
    stamps.committed(at: done, &statistics)
  }
}

extension DisplayError {
  /// Whether saying everything again may help.
  var isRepairable: Bool {
    if case .refused(_, let errno) = self { return !errno.isForbidden }
    return false
  }

  /// What this refusal of the first mode means, with what is known of the connector now: `changed` where there is no
  /// panel on it any more.
  func ofFirstMode(on connector: ConnectorSurvey?) -> DisplayError {
    guard let connector, connector.status != .disconnected else { return .changed }
    return self
  }
}
