internal import Linux

extension Panel {
  /// What the panel can do now. While it is not lit, `present` only remembers; the canvas is shown
  /// whole when it is lit again.
  public var condition: PanelCondition {
    if darkness.contains(.gone) { return .gone }
    if darkness.contains(.unplugged) { return .unplugged }
    if !darkness.isDisjoint(with: [.away, .held]) { return .away }
    return darkness.contains(.blank) ? .blank : .lit
  }

  /// Gives the card up: the console wants to show another terminal. Acknowledge the switch afterwards.
  public mutating func leave() {
    if case .card(let card) = output { card.card.giveUpMaster() }
    darken(.away)
  }

  /// Takes the card again, after `leave()`: the next `present` sets the mode and shows everything. Where
  /// somebody else is still master it is tried again each second. What has happened to the panel meanwhile is
  /// looked at with the next events.
  public mutating func comeBack(at now: Int64? = nil) {
    let time = now ?? MonotonicClock.now
    if case .card(let card) = output {
      do throws(DisplayError) {
        try card.card.becomeMaster()
      } catch {
        darkness.remove(.away)
        retry = time + Self.retryAfter
        darken(.held)
        note(error, at: time)
        return
      }
    }
    // Whoever switches terminals stands before it.
    brighten([.away, .held, .blank], at: time)
    guard options != nil else { return }
    retry = time
    waiting.set(nextDeadline)
  }

  /// Switches the panel off until `wake()`. False if it stays as it is: it was dark already, or its
  /// driver cannot do it and keeps showing the picture.
  @discardableResult
  public mutating func blank(at now: Int64? = nil) -> Bool {
    guard darkness.isEmpty else { return false }
    if case .card(let card) = output {
      do throws(DisplayError) {
        try card.darken()
      } catch {
        note(error, at: now ?? MonotonicClock.now)
        return false
      }
    }
    darken(.blank)
    return true
  }

  /// Switches it on again; the next `present` shows the canvas.
  public mutating func wake(at now: Int64? = nil) {
    brighten(.blank, at: now ?? MonotonicClock.now)
  }

  /// Says everything anew with the next `present`, mode and picture: the machine has slept, and not every
  /// driver brings back what was shown. It is done by itself after a suspend.
  public mutating func refresh(at now: Int64? = nil) {
    guard darkness.isEmpty else { return }
    let time = now ?? MonotonicClock.now
    history.addAll()
    pacer.refused(at: time)
    waiting.set(nextDeadline)
  }

  /// Looks whether the panel is still there: cheap, asks the driver for what it knows already. It is done
  /// by itself when the kernel tells of a change; where a sandbox hides that, do it now and then. While
  /// another terminal is shown, nothing is looked at.
  ///
  /// - Parameter mayProbe: Whether a monitor's EDID may be read now, if the kernel has told of a change: that takes
  ///   long enough to be noticed by a hand that draws. Else it is read with the next look that may.
  /// - Throws: `changed` if another monitor hangs there now: open it anew. Other refusals are told by
  ///   `takeTrouble()`, once each.
  public mutating func look(
    at now: Int64? = nil, mayProbe: Bool = true
  ) throws(DisplayError) {
    let time = now ?? MonotonicClock.now
    if darkness.contains(.away) { return }
    switch output {
    case .memory: return
    case .absent: try reopen(at: time)
    case .card(let card):
      let isDue = mayProbe && probes.isDue(at: time)
      do throws(DisplayError) {
        try look(at: card, time)
        if isDue { try probe(card) }
      } catch {
        if case .changed = error { throw error }
        if !note(error, at: time), error != lookTrouble { trouble = error }
        lookTrouble = error
      }
      if isDue { probes.probed(at: now ?? MonotonicClock.now) }
    }
    waiting.set(nextDeadline)
  }

  private mutating func look(at card: CardOutput, _ now: Int64) throws(DisplayError) {
    let found = try card.card.surveyConnector(card.pipeline.connector.id, probing: false)
    guard let found, found.status != .disconnected else {
      unplug(card.survey.path, card.pipeline.connector.name)
      try lookBeside(card)
      return
    }
    if darkness.contains(.unplugged) {
      // Nobody sees anything now, so that the time for a real look (EDID over I²C) is there.
      let probed = try card.card.surveyConnector(found.id, probing: true)
      guard let probed, let options, options.fits(card.pipeline, on: probed),
        !options.isAnother(probed, than: card.pipeline)
      else { throw .changed }
      hasReturned = true
      brighten(.unplugged, at: now)
      return
    }
    if let options, options.isAnother(found, than: card.pipeline) { throw .changed }
    if found.hasBadLink, darkness.isEmpty { pacer.refused(at: now) }
  }

  /// After a notice of the kernel: a monitor that was swapped faster than anybody looked is connected all the
  /// time, and the driver knows the old one's modes and EDID until it is made to look.
  private func probe(_ card: CardOutput) throws(DisplayError) {
    guard darkness.isDisjoint(with: PanelDarkness.unprobed), let options,
      let found = try card.card.surveyConnector(card.pipeline.connector.id, probing: true),
      found.status != .disconnected
    else { return }
    if options.isAnother(found, than: card.pipeline) { throw .changed }
  }

  /// The cable may be in another connector now, or in one that is new: those of a DisplayPort hub are
  /// others each time. Only one that surely has a panel: who cannot tell would have it for ever.
  private func lookBeside(_ card: CardOutput) throws(DisplayError) {
    guard let options, let survey = try? card.card.survey() else { return }
    let choice = PanelChoice(among: [survey], selector: options.selector)
    if choice.pipeline?.connector.status == .connected { throw .changed }
  }

  private mutating func unplug(_ card: String, _ connector: String) {
    guard !darkness.contains(.unplugged) else { return }
    trouble = .noPanel([
      UnusedConnector(card: card, connector: connector, reason: .disconnected)
    ])
    darken(.unplugged)
  }

  /// Goes dark, for one more reason.
  mutating func darken(_ reason: PanelDarkness) {
    darkness.insert(reason)
    pacer.suspend()
    waiting.set(nextDeadline)
  }

  /// Lit again, if no other reason is left.
  mutating func brighten(_ reasons: PanelDarkness, at now: Int64) {
    guard !darkness.isDisjoint(with: reasons) else { return }
    darkness.subtract(reasons)
    if darkness.isEmpty {
      retry = nil
      pacer.resume(at: now)
    }
    waiting.set(nextDeadline)
  }

  /// What an error means for the panel. The card is gone: let go of it, and wait for another. Somebody
  /// else is master: try again. True if that is all there is to do.
  @discardableResult
  mutating func note(_ error: DisplayError, at now: Int64) -> Bool {
    switch error {
    case .gone:
      output = .absent
      trouble = error
      darken(.gone)
    case .held: darken(.held)
    case .refused(_, let errno) where errno.isForbidden: darken(.held)
    default: return false
    }
    retry = now + Self.retryAfter
    waiting.set(nextDeadline)
    return true
  }

  /// Between looks for a card that is gone or held.
  static var retryAfter: Int64 { 1_000_000_000 }
}
