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
    panel.presenter.statistics.bytesWritten = Self.most
    panel.presenter.statistics.frames = Self.most
    panel.presenter.statistics.modeSets = Self.most
    panel.refresh(at: now + 1)
    try panel.present(canvas, damage: PixelRegion(canvas.rect), at: now + 1)
    try panel.present(canvas, damage: PixelRegion(canvas.rect), at: now + 1_000_000_000)
    let done = panel.statistics
    #expect(done.bytesWritten > Self.most && done.modeSets > Self.most && done.frames > Self.most)
  }

  @Test func `counters do not depend on the machine's word size`() {
    for child in Mirror(reflecting: PanelStatistics()).children {
      #expect(!(child.value is Int), "\(child.label ?? "") is an Int")
    }
    for child in Mirror(reflecting: LatencyHistogram()).children {
      #expect(!(child.value is Int), "\(child.label ?? "") is an Int")
    }
    for child in Mirror(reflecting: FramePacer(period: nil)).children
    where ["missed", "lost", "onTimeFlips"].contains(child.label) {
      #expect(child.value is Int64, "\(child.label ?? "") is no Int64")
    }
  }

  @Test func `every value lies within its bucket, and buckets are a thirty-second of an octave`() {
    for value: Int64 in [0, 1, 1023, 1024, 1055, 1056, 40_000, 16_666_667, 1 << 36] {
      let bucket = LatencyHistogram.bucket(value)
      let upper = LatencyHistogram.upperEdge(bucket)
      #expect(value <= upper)
      if bucket > 0 {
        let lower = LatencyHistogram.upperEdge(bucket - 1)
        #expect(value > lower)
        #expect(Double(upper) / Double(lower) < 1.032)
      }
    }
  }

  @Test func `quantiles of a thousand values are exact to a thirty-second of an octave`() {
    var histogram = LatencyHistogram()
    for value in 1...1000 { histogram.add(Int64(value) * 10_000) }
    #expect(histogram.count == 1000)
    #expect(histogram.longest == 10_000_000)
    #expect((5_000_000...5_160_000).contains(histogram.quantile(0.5)))
    #expect((9_900_000...10_000_000).contains(histogram.quantile(0.99)))
    #expect(histogram.quantile(1) == 10_000_000)
  }

  @Test func `empty statistics give 0, and a negative latency counts as 0`() {
    var histogram = LatencyHistogram()
    #expect(histogram.quantile(0.5) == 0)
    histogram.add(-5)
    #expect(histogram.count == 1)
    #expect(histogram.longest == 0)
    #expect(histogram.quantile(0.99) == 0)
  }

  @Test func `beyond a minute the longest is still exact`() {
    var histogram = LatencyHistogram()
    histogram.add(.max)
    #expect(histogram.quantile(0.5) > 60_000_000_000)
    #expect(histogram.longest == .max)
  }
}
