import Testing

@testable import Display

@Suite struct LatencyHistogramTests {
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

  @Test func `quantiles of a thousand values are theirs, to a thirty-second of an octave`() {
    var histogram = LatencyHistogram()
    for value in 1...1000 { histogram.add(Int64(value) * 10_000) }
    #expect(histogram.count == 1000)
    #expect(histogram.longest == 10_000_000)
    #expect((5_000_000...5_160_000).contains(histogram.quantile(0.5)))
    #expect((9_900_000...10_000_000).contains(histogram.quantile(0.99)))
    #expect(histogram.quantile(1) == 10_000_000)
  }

  @Test func `an empty one answers nought, and a negative latency counts as nought`() {
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
