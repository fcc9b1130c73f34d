import Raster
import Testing

@testable import Display

@Suite struct FramePresenterTests {
  private let geometry = PanelGeometry(panelWidth: 100, panelHeight: 100, rotation: .none)
  private let a = PixelRect(0, 0, 10, 10), b = PixelRect(50, 50, 60, 60)

  private func lit() -> DamageHistory {
    var history = DamageHistory(geometry, buffers: 2)
    for buffer in 0...1 {
      _ = history.drainUnpainted(of: buffer)
      history.reportedDamage(of: buffer)
    }
    return history
  }

  private func covers(_ region: PixelRegion, _ rect: PixelRect) -> Bool {
    (0..<region.count).contains { region[$0].intersection(rect) == rect }
  }

  @Test func `a new buffer lacks everything`() {
    var history = DamageHistory(geometry, buffers: 2)
    #expect(history.drainUnpainted(of: 1).bounds == PixelRect(width: 100, height: 100))
    #expect(history.unreportedDamage(of: 1).bounds == PixelRect(width: 100, height: 100))
    #expect(history.isStale(0))
  }

  @Test func `the back buffer gets the damage of this frame and the one before`() {
    var history = lit()
    history.add(a)
    _ = history.drainUnpainted(of: 1)
    history.reportedDamage(of: 1)
    history.add(b)
    let region = history.drainUnpainted(of: 0)
    #expect(region.count == 2 && covers(region, a) && covers(region, b))
    let reported = history.unreportedDamage(of: 0)
    #expect(reported.count == 2 && covers(reported, a) && covers(reported, b))
    history.reportedDamage(of: 0)
    history.add(a)
    let third = history.drainUnpainted(of: 1)
    #expect(third.count == 2 && covers(third, a) && covers(third, b))
  }

  @Test func `damage of a refused commit is part of the next one`() {
    var history = lit()
    history.add(a)
    _ = history.drainUnpainted(of: 1)  // painted, then EBUSY
    history.add(b)
    let region = history.drainUnpainted(of: 1)
    #expect(region.count == 1 && covers(region, b))
    let reported = history.unreportedDamage(of: 1)
    #expect(reported.count == 2 && covers(reported, a) && covers(reported, b))
  }

  @Test func `damage outside of the panel is dropped`() {
    var history = lit()
    history.add(PixelRect(90, 90, 120, 130))
    #expect(history.unreportedDamage(of: 0).bounds == PixelRect(90, 90, 100, 100))
    history.add(PixelRect(100, 0, 200, 10))
    #expect(history.unreportedDamage(of: 0).bounds == PixelRect(90, 90, 100, 100))
  }

  @Test func `a single buffer lacks nothing of earlier frames`() {
    var history = DamageHistory(geometry, buffers: 1)
    _ = history.drainUnpainted(of: 0)
    history.reportedDamage(of: 0)
    history.add(a)
    #expect(history.drainUnpainted(of: 0).bounds == a)
    #expect(!history.isStale(0))
  }

  @Test func `a buffer that lost its pixels lacks everything, and reports no more than before`() {
    var history = lit()
    history.add(a)
    history.lostPixels(of: 1)
    #expect(history.unreportedDamage(of: 1).bounds == a)
    #expect(history.drainUnpainted(of: 1).bounds == PixelRect(width: 100, height: 100))
    #expect(history.drainUnpainted(of: 0).bounds == a)
  }

  @Test
  func `a driver that refuses flips gets its front buffer drawn also after its card returned`()
    throws
  {
    var options = MemoryPanelOptions(width: 32, height: 32)
    (options.flips, options.refreshMilliHertz) = (.refused, nil)
    var panel = try Panel(options)
    var canvas = Canvas(width: 32, height: 32)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    // As after a sleep of the machine, so that it is the second buffer that is drawn on.
    panel.refresh(at: 2)
    try panel.present(canvas, damage: PixelRegion(), at: 2)
    for step: Int32 in 0..<3 { try panel.draws(step, on: &canvas) }
    let (front, isFront) = (panel.presenter.front, panel.presenter.isFront)
    #expect(isFront && front == 1)
    panel.presenter.restart(period: nil)
    panel.refresh(at: 6)
    for step: Int32 in 4..<8 { try panel.draws(step, on: &canvas) }
  }
}
