import Raster
import Testing

@testable import Display

@Suite struct DamageHistoryTests {
  private let a = PixelRect(0, 0, 10, 10), b = PixelRect(50, 50, 60, 60)

  private func lit() -> DamageHistory {
    var history = DamageHistory(buffers: 2, panelWidth: 100, panelHeight: 100)
    for buffer in 0...1 {
      _ = history.takeUnpainted(of: buffer)
      history.told(buffer)
    }
    return history
  }

  private func covers(_ region: PixelRegion, _ rect: PixelRect) -> Bool {
    (0..<region.count).contains { region[$0].intersection(rect) == rect }
  }

  @Test func `a new buffer lacks everything`() {
    var history = DamageHistory(buffers: 2, panelWidth: 100, panelHeight: 100)
    #expect(history.takeUnpainted(of: 1).bounds == PixelRect(width: 100, height: 100))
    #expect(history.untold(of: 1).bounds == PixelRect(width: 100, height: 100))
    #expect(history.isStale(0))
  }

  @Test func `the back buffer gets the damage of this frame and the one before`() {
    var history = lit()
    history.add(a)
    _ = history.takeUnpainted(of: 1)
    history.told(1)
    history.add(b)
    let region = history.takeUnpainted(of: 0)
    #expect(region.count == 2 && covers(region, a) && covers(region, b))
    let told = history.untold(of: 0)
    #expect(told.count == 2 && covers(told, a) && covers(told, b))
    history.told(0)
    history.add(a)
    let third = history.takeUnpainted(of: 1)
    #expect(third.count == 2 && covers(third, a) && covers(third, b))
  }

  @Test func `what a refused commit painted is told with the next`() {
    var history = lit()
    history.add(a)
    _ = history.takeUnpainted(of: 1)  // painted, then EBUSY
    history.add(b)
    let region = history.takeUnpainted(of: 1)
    #expect(region.count == 1 && covers(region, b))
    let told = history.untold(of: 1)
    #expect(told.count == 2 && covers(told, a) && covers(told, b))
  }

  @Test func `damage outside of the panel is dropped`() {
    var history = lit()
    history.add(PixelRect(90, 90, 120, 130))
    #expect(history.untold(of: 0).bounds == PixelRect(90, 90, 100, 100))
    history.add(PixelRect(100, 0, 200, 10))
    #expect(history.untold(of: 0).bounds == PixelRect(90, 90, 100, 100))
  }

  @Test func `a single buffer has no age`() {
    var history = DamageHistory(buffers: 1, panelWidth: 100, panelHeight: 100)
    _ = history.takeUnpainted(of: 0)
    history.told(0)
    history.add(a)
    #expect(history.takeUnpainted(of: 0).bounds == a)
    #expect(!history.isStale(0))
  }
}
