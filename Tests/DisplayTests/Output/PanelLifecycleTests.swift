import Raster
import Testing

@testable import Display

@Suite struct PanelLifecycleTests {
  @Test func `an inactive panel shows nothing, and then everything at once`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    var canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    panel.blank()
    panel.release()
    let away = panel.condition
    #expect(away == .away)
    canvas.paint(PixelRect(0, 0, 4, 4), 0xFF0000)
    try panel.present(canvas, damage: PixelRegion(PixelRect(0, 0, 4, 4)), at: now + 1)
    let (dark, deadline) = (panel.picture()?.pixels[0], panel.nextDeadline)
    #expect(dark == 0xFFFF_FFFF)
    #expect(deadline == nil)
    panel.acquire(at: now + 2)
    try panel.present(canvas, damage: PixelRegion(), at: now + 2)
    let (lit, condition) = (panel.picture()?.pixels[0], panel.condition)
    #expect(lit == 0xFFFF_0000)
    #expect(condition == .active)
  }

  @Test func `a card that another program holds is retried each second`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    panel.fail(.held(card: "/dev/dri/card0", by: []), at: now)
    let (held, deadline) = (panel.condition, panel.nextDeadline)
    #expect(held == .away)
    #expect(deadline == now + PanelLifecycle.retryInterval)
    try panel.handleEvents(at: now + PanelLifecycle.retryInterval)
    let condition = panel.condition
    #expect(condition == .active)
  }

  @Test(arguments: [DisplayError.held(card: "", by: []), .gone(card: "")])
  func `while another terminal is shown, nothing is retried, whatever happens to the card`(
    error: DisplayError
  ) {
    var lifecycle = PanelLifecycle()
    lifecycle.released()
    _ = lifecycle.failed(error, at: 0)
    #expect(lifecycle.retry(at: PanelLifecycle.retryInterval) == .none)
    #expect(lifecycle.isAway && lifecycle.retryTime == nil)
    _ = lifecycle.acquired(hasCard: true, at: 0)
    #expect(!lifecycle.isAway)
  }

  @Test func `the mode is set only when the last reason has ended`() {
    var lifecycle = PanelLifecycle()
    lifecycle.disconnected("DSI-1", on: "card0", at: 0)
    lifecycle.blanked()
    #expect(lifecycle.failed(.gone(card: "card0"), at: 0) == .close)
    #expect(lifecycle.condition == .gone)
    #expect(lifecycle.opened() == .none)
    #expect(lifecycle.condition == .unplugged)
    #expect(lifecycle.reconnected() == .none)
    #expect(lifecycle.condition == .blank)
    #expect(lifecycle.unblanked(at: 0) == .setMode)
    #expect(lifecycle.isActive && lifecycle.retryTime == nil)
    #expect(lifecycle.unblanked(at: 0) == .none)
  }

  /// A blanked panel whose monitor has reported that nothing is connected.
  private func asleep() -> PanelLifecycle {
    var lifecycle = PanelLifecycle()
    lifecycle.blanked()
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 0)
    return lifecycle
  }

  @Test func `a monitor that seems unplugged while it is dark gets a signal, and time to wake`() {
    var lifecycle = asleep()
    #expect(lifecycle.condition == .blank && lifecycle.retryTime == nil)
    #expect(lifecycle.unblanked(at: 1) == .setMode)
    let limit = 1 + PanelLifecycle.wakeTime
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: limit - 1)
    #expect(lifecycle.condition == .active)
    #expect(lifecycle.retry(at: limit - 1) == .none)
    #expect(lifecycle.retry(at: limit) == .check)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: limit)
    #expect(lifecycle.condition == .unplugged)
    if case .failed = lifecycle.nextEvent() {} else { Issue.record("no failure") }
  }

  @Test func `a monitor has more time to wake than the kernel takes to look at its connector`() {
    // DRM_OUTPUT_POLL_PERIOD: 10 s.
    #expect(PanelLifecycle.wakeTime > 10_000_000_000)
  }

  @Test func `a dark panel that seems unplugged is reported once, and again after it was there`() {
    var lifecycle = asleep()
    #expect(lifecycle.nextEvent() == .seemsUnplugged("HDMI-A-1"))
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 1)
    #expect(lifecycle.nextEvent() == nil)
    _ = lifecycle.unblanked(at: 2)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 2 + PanelLifecycle.wakeTime)
    if case .failed = lifecycle.nextEvent() {} else { Issue.record("no failure") }
    #expect(lifecycle.nextEvent() == nil)
    _ = lifecycle.reconnected()
    #expect(lifecycle.nextEvent() == .returned)
    lifecycle.blanked()
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 2 + 2 * PanelLifecycle.wakeTime)
    #expect(lifecycle.nextEvent() == .seemsUnplugged("HDMI-A-1"))
  }

  @Test func `a monitor gets the mode each time that it comes while it wakes`() {
    var lifecycle = asleep()
    _ = lifecycle.unblanked(at: 1)
    #expect(lifecycle.connected() == .setMode)
    #expect(lifecycle.connected() == .none)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 2)
    #expect(lifecycle.condition == .active)
    #expect(lifecycle.connected() == .setMode)
    #expect(lifecycle.connected() == .none)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 1 + PanelLifecycle.wakeTime)
    #expect(lifecycle.condition == .unplugged)
  }

  @Test func `a panel is awaited until its monitor is there or cannot be looked at`() {
    var lifecycle = asleep()
    #expect(!lifecycle.isWaking)
    _ = lifecycle.unblanked(at: 1)
    #expect(lifecycle.isWaking)
    _ = lifecycle.connected()
    #expect(!lifecycle.isWaking)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 2)
    #expect(lifecycle.isWaking)
    _ = lifecycle.checkFailed(.noCard, at: 3)
    #expect(!lifecycle.isWaking)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 1 + PanelLifecycle.wakeTime)
    #expect(!lifecycle.isWaking)
  }

  @Test func `a monitor that sleeps while another program has the card has time to wake, too`() {
    var lifecycle = PanelLifecycle()
    lifecycle.released()
    #expect(lifecycle.acquireFailed(.held(card: "card0", by: []), at: 3) == .none)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 4)
    #expect(lifecycle.condition == .away)
    #expect(lifecycle.acquired(hasCard: true, at: 5) == .setMode)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 5)
    #expect(lifecycle.condition == .active)
    #expect(lifecycle.retryTime == 5 + PanelLifecycle.wakeTime)
  }

  @Test func `a monitor that is back before it is lit is not awaited`() {
    var lifecycle = asleep()
    #expect(lifecycle.connected() == .none)
    #expect(lifecycle.unblanked(at: 1) == .setMode)
    #expect(lifecycle.retryTime == nil)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 2)
    #expect(lifecycle.condition == .unplugged)
  }

  @Test func `a monitor that is dark when the terminals are switched has time to wake, too`() {
    var lifecycle = asleep()
    lifecycle.released()
    #expect(lifecycle.acquired(hasCard: true, at: 5) == .setMode)
    #expect(lifecycle.retry(at: 5) == .check)
    lifecycle.disconnected("HDMI-A-1", on: "card0", at: 5)
    #expect(lifecycle.condition == .active)
    #expect(lifecycle.retryTime == 5 + PanelLifecycle.wakeTime)
  }

  @Test func `a panel that is there again and gone before it was reported is gone`() {
    var lifecycle = PanelLifecycle()
    for loss in 0..<2 {
      _ = loss == 0 ? lifecycle.reconnected() : lifecycle.opened()
      if loss == 0 {
        lifecycle.disconnected("DSI-1", on: "card0", at: 0)
      } else {
        _ = lifecycle.failed(.gone(card: "card0"), at: 0)
      }
      if case .failed = lifecycle.nextEvent() {} else { Issue.record("no failure") }
      let isReported = lifecycle.nextEvent() != nil
      #expect(!isReported)
    }
  }

  @Test func `a failure is reported once, and again when it changes`() {
    var lifecycle = PanelLifecycle()
    func failure() -> DisplayError? {
      guard case .failed(let error) = lifecycle.nextEvent() else { return nil }
      return error
    }
    _ = lifecycle.failed(.gone(card: "card0"), at: 0)
    #expect(failure() == .gone(card: "card0"))
    for _ in 0..<2 { lifecycle.openFailed(.noCard, at: 0) }
    #expect(failure() == .noCard)
    #expect(failure() == nil)
    lifecycle.openFailed(.noCard, at: 0)
    #expect(failure() == nil)
    lifecycle.openFailed(.noPanel([]), at: 0)
    #expect(failure() == .noPanel([]))
    _ = lifecycle.opened()
    #expect(lifecycle.nextEvent() == .returned)
    #expect(lifecycle.nextEvent() == nil)
  }

  @Test func `a card that was acquired again is checked with the next events`() {
    var lifecycle = PanelLifecycle()
    lifecycle.released()
    #expect(lifecycle.acquired(hasCard: true, at: 5) == .setMode)
    #expect(lifecycle.retry(at: 5) == .check)
    #expect(lifecycle.retry(at: 6) == .none)
    lifecycle.released()
    #expect(lifecycle.acquireFailed(.held(card: "card0", by: []), at: 7) == .none)
    #expect(lifecycle.retry(at: 7 + PanelLifecycle.retryInterval) == .acquire)
  }

  @Test func `an inactive panel has no deadline until it is active again`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    let modeSets = panel.statistics.modeSets
    panel.blank()
    try panel.present(canvas, damage: PixelRegion(canvas.rect), at: now + 1)
    let inactive = panel.nextDeadline
    #expect(inactive == nil)
    panel.unblank(at: now + 2)
    let active = panel.nextDeadline
    #expect(active == now + 2)
    try panel.present(canvas, damage: PixelRegion(), at: now + 2)
    let after = panel.statistics.modeSets
    #expect(after == modeSets + 1)
  }

  @Test func `a new picture unblanks a blanked panel`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    let before = panel.statistics.modeSets
    let isBlank = panel.blank()
    let isBlankAgain = panel.blank()
    #expect(isBlank && !isBlankAgain)
    let resting = panel.condition
    #expect(resting == .blank)
    panel.unblank(at: now + 5)
    try panel.present(canvas, damage: PixelRegion(), at: now + 5)
    let (condition, modeSets) = (panel.condition, panel.statistics.modeSets)
    #expect(condition == .active)
    #expect(modeSets == before + 1)
  }

  @Test func `after the machine has slept, the whole state is set anew`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    let before = panel.statistics
    panel.refresh(at: now + 5)
    try panel.present(canvas, damage: PixelRegion(), at: now + 5)
    let (modeSets, written) = (panel.statistics.modeSets, panel.statistics.bytesWritten)
    #expect(modeSets == before.modeSets + 1)
    #expect(written == before.bytesWritten + 32 * 32 * 4)
    panel.blank()
    panel.refresh(at: now + 6)
    try panel.present(canvas, damage: PixelRegion(), at: now + 6)
    let condition = panel.condition
    #expect(condition == .blank)
  }

  @Test func `after a mode was set, the other buffer is painted anew while nothing is due`() throws
  {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    panel.blank()
    panel.unblank(at: now + 5)
    try panel.present(canvas, damage: PixelRegion(), at: now + 5)
    let (lit, due) = (panel.statistics.bytesWritten, panel.nextDeadline)
    #expect(due == now + 5)
    try panel.present(canvas, damage: PixelRegion(), at: now + 6)
    let (ready, next) = (panel.statistics.bytesWritten, panel.nextDeadline)
    #expect(ready == lit + 32 * 32 * 4 && next == nil)
  }

  @Test(arguments: [true, false])
  func `a sleep of the machine while the panel is inactive is made good afterwards`(isAway: Bool)
    throws
  {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    let before = panel.statistics.bytesWritten
    if isAway { panel.release() } else { panel.blank() }
    panel.refresh(at: now + 5)
    try panel.present(canvas, damage: PixelRegion(), at: now + 5)
    let dark = panel.statistics.bytesWritten
    #expect(dark == before)
    if isAway { panel.acquire(at: now + 6) } else { panel.unblank(at: now + 6) }
    try panel.present(canvas, damage: PixelRegion(), at: now + 6)
    let lit = panel.statistics.bytesWritten
    #expect(lit == before + 32 * 32 * 4)
  }
}
