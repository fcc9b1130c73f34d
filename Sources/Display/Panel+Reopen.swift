internal import Raster

extension Panel {
  /// Once the time for it has come: the card that was gone, or that somebody else held, or what hangs on it
  /// after another terminal was shown. While that is shown, nothing: `comeBack()` will ask.
  mutating func tryAgain(at now: Int64) throws(DisplayError) {
    guard let moment = retry, now >= moment else { return }
    retry = nil
    if darkness.isDisjoint(with: [.away, .held]) {
      try look(at: now)
    } else if !darkness.contains(.away) {
      comeBack(at: now)
    }
  }

  /// Opens what the selector choose now, if anything does. A driver that replaces another (simpledrm at
  /// boot) comes as another card with the same panel; the firmware's takes its size for 96 dpi
  /// (simpledrm_mode), the panel's own knows better.
  mutating func reopen(at now: Int64) throws(DisplayError) {
    guard let options else { return }
    let found: FoundPanel
    let new: CardOutput
    do throws(DisplayError) {
      found = try FoundPanel(options.selector)
      guard options.geometry(of: found.pipeline) == geometry,
        options.scale(of: found.pipeline) == scale,
        found.pipeline.format == format
      else { throw .changed }
      new = try CardOutput(found, options, geometry)
    } catch {
      if case .changed = error { throw error }
      retry = now + Self.retryAfter
      let reason = error.text
      if reason != absence { trouble = error }
      absence = reason
      return
    }
    output = .card(new)
    absence = ""
    hasReturned = true
    try waiting.listen(to: new.card.fd)
    restart(period: new.pipeline.mode.period)
    brighten([.gone, .held], at: now)
  }

  /// Other buffers, and another rhythm.
  mutating func restart(period: Int64?) {
    history = DamageHistory(
      buffers: isFront ? 1 : 2, panelWidth: geometry.panelWidth, panelHeight: geometry.panelHeight)
    shown = 0
    pacer.restart(period: period)
  }
}

extension PanelOptions {
  /// How the canvas lies on a panel that was found.
  public func geometry(of pipeline: Pipeline) -> PanelGeometry {
    PanelGeometry(
      panelWidth: pipeline.mode.width, panelHeight: pipeline.mode.height,
      rotation: rotation ?? pipeline.connector.orientation.rotation)
  }

  /// Pixels per millimetre of the canvas on a panel that was found.
  func scale(of pipeline: Pipeline) -> Scale {
    geometry(of: pipeline).scale(configured: size, told: pipeline.connector.size)
  }

  /// Whether the picture for `pipeline` is right on what was plugged in later: that has the mode, stands as the
  /// panel before stood, and is as large. One that does not tell its size may be the same one, whose EDID
  /// could not be read this time.
  func fits(_ pipeline: Pipeline, on connector: ConnectorSurvey) -> Bool {
    guard connector.modes.contains(where: { $0.isShown(as: pipeline.mode) }) else { return false }
    var other = pipeline
    other.connector = connector
    guard geometry(of: other) == geometry(of: pipeline) else { return false }
    guard size == nil, let now = connector.size else { return true }
    return pipeline.connector.size.map(now.isSameToTheCentimetre(as:)) ?? false
  }

  /// Whether a connector has another monitor than the one that the pipeline was made for: by its EDID, and where
  /// that was not known, by whether the picture fits. An EDID that cannot be read this time tells nothing.
  func isAnother(_ connector: ConnectorSurvey, than pipeline: Pipeline) -> Bool {
    let before = pipeline.connector.edid
    if before.isEmpty { return !fits(pipeline, on: connector) }
    return !connector.edid.isEmpty && connector.edid != before
  }
}
