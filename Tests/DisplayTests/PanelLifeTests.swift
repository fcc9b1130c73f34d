import Raster
import Testing

@testable import Display

@Suite struct PanelLifeTests {
  @Test func `while it is dark nothing is shown, and then everything at once`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    var canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    panel.blank()
    panel.leave()
    let away = panel.condition
    #expect(away == .away)
    canvas.paint(PixelRect(0, 0, 4, 4), 0xFF0000)
    try panel.present(canvas, damage: PixelRegion(PixelRect(0, 0, 4, 4)), at: now + 1)
    let (dark, deadline) = (panel.picture()?.pixels[0], panel.nextDeadline)
    #expect(dark == 0xFFFF_FFFF)
    #expect(deadline == nil)
    panel.comeBack(at: now + 2)
    try panel.present(canvas, damage: PixelRegion(), at: now + 2)
    let (lit, condition) = (panel.picture()?.pixels[0], panel.condition)
    #expect(lit == 0xFFFF_0000)
    #expect(condition == .lit)
  }

  @Test func `a card that another program holds is asked for again each second`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    panel.note(.held(card: "/dev/dri/card0", by: []), at: now)
    let (held, deadline) = (panel.condition, panel.nextDeadline)
    #expect(held == .away)
    #expect(deadline == now + Panel.retryAfter)
    try panel.handleEvents(at: now + Panel.retryAfter)
    let condition = panel.condition
    #expect(condition == .lit)
  }

  @Test(arguments: [DisplayError.held(card: "", by: []), .gone(card: "")])
  func `while another terminal is shown it takes nothing, whatever becomes of the card`(
    trouble: DisplayError
  ) throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    panel.leave()
    panel.note(trouble, at: now)
    let later = now + Panel.retryAfter
    try panel.handleEvents(at: later)
    let (isAway, deadline) = (panel.darkness.contains(.away), panel.nextDeadline)
    #expect(isAway && deadline == nil)
    panel.comeBack(at: later)
    let isBack = !panel.darkness.contains(.away)
    #expect(isBack)
  }

  @Test func `a panel that rests is woken by its picture`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    let before = panel.statistics.modeSets
    let isBlank = panel.blank()
    let isBlankAgain = panel.blank()
    #expect(isBlank && !isBlankAgain)
    let resting = panel.condition
    #expect(resting == .blank)
    panel.wake(at: now + 5)
    try panel.present(canvas, damage: PixelRegion(), at: now + 5)
    let (condition, modeSets) = (panel.condition, panel.statistics.modeSets)
    #expect(condition == .lit)
    #expect(modeSets == before + 1)
  }

  @Test func `after a sleep of the machine everything is said anew`() throws {
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
}
