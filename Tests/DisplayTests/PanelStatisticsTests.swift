import Raster
import Testing

@testable import Display

@Suite struct PanelStatisticsTests {
  /// What an `Int` holds on a board of 32 bits.
  private static let most = Int64(Int32.max)

  @Test func `bytes and frames are counted beyond what 32 bits hold`() throws {
    var options = MemoryPanelOptions(width: 32, height: 32)
    options.isFront = true
    var panel = try Panel(options)
    let canvas = Canvas(width: 32, height: 32)
    let now = try panel.settle(canvas)
    panel.statistics.bytesWritten = Self.most
    panel.statistics.frames = Self.most
    panel.statistics.modeSets = Self.most
    panel.refresh(at: now + 1)
    try panel.present(canvas, damage: PixelRegion(canvas.rect), at: now + 1)
    try panel.present(canvas, damage: PixelRegion(canvas.rect), at: now + 1_000_000_000)
    let done = panel.statistics
    #expect(done.bytesWritten > Self.most && done.modeSets > Self.most && done.frames > Self.most)
  }

  @Test func `no counter is as narrow as the machine`() {
    for child in Mirror(reflecting: PanelStatistics()).children {
      #expect(!(child.value is Int), "\(child.label ?? "") is an Int")
    }
    for child in Mirror(reflecting: LatencyHistogram()).children {
      #expect(!(child.value is Int), "\(child.label ?? "") is an Int")
    }
    for child in Mirror(reflecting: FramePacer(period: nil)).children
    where ["missed", "lost", "hits"].contains(child.label) {
      #expect(child.value is Int64, "\(child.label ?? "") is no Int64")
    }
  }
}
