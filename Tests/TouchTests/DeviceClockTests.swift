import SyntheticHand
import Testing

@testable import Touch

@Suite struct DeviceClockTests {
  private static let milli: Int64 = 1_000_000

  /// What the device's clock says, and the kernel's time of the measurement and of the report's arrival.
  private struct Report {
    var stamp: UInt32
    var measured: Int64 = 0
    var kernel: Int64
  }

  /// The reports of a device whose clock runs at `rate`, in steps of 0.1 ms as HID has them, and wraps after 2 s.
  private func reports(
    _ count: Int, rate: Double = 1, period: Double = 8, delay: Int64 = 0, seed: UInt64 = 1
  ) -> [Report] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { index in
      let time = Double(index) * period
      let stamp = UInt32(truncatingIfNeeded: -2_000_000 + Int64(time * rate * 10) * 100)
      let measured = 1000 * Self.milli + Int64(time * 1_000_000)
      let delay = Int64.random(in: 0...delay * Self.milli, using: &random)
      return Report(stamp: stamp, measured: measured, kernel: measured + delay)
    }
  }

  private func times(_ reports: [Report]) -> [Int64] {
    var clock = DeviceClock()
    return reports.map { clock.time($0.stamp, at: $0.kernel) }
  }

  private func times(_ reports: [(stamp: UInt32, kernel: Int64)]) -> [Int64] {
    var clock = DeviceClock()
    return reports.map { clock.time($0.stamp, at: $0.kernel) }
  }

  private func steps(_ times: [Int64]) -> [Int64] { zip(times.dropFirst(), times).map { $0 - $1 } }

  @Test func `reports that the bus delayed get the device's own time`() {
    let stamps: [UInt32] = [1000, 11000, 21000, 31000]
    let late: [Int64] = [100, 113, 120, 139]
    let measured = times(zip(stamps, late).map { ($0, $1 * Self.milli) })
    for (index, time) in measured.enumerated() {
      #expect(abs(time - (100 + 10 * Int64(index)) * Self.milli) < Self.milli / 10, "\(index)")
      #expect(time <= late[index] * Self.milli)
    }
  }

  @Test func `time continues when the device's clock wraps`() {
    let measured = times([(UInt32.max - 4999, 0), (5000, 10_000_000), (15000, 20_000_000)])
    #expect(measured == [0, 10_000_000, 20_000_000])
    let late = times([(UInt32.max - 4999, 0), (5000, 14_000_000), (15000, 20_000_000)])
    #expect(late == measured)
  }

  @Test func `a clock that restarts, stops or runs away is not used`() {
    #expect(
      times([(900_000, 0), (910_000, 10_000_000), (8, 20_000_000), (10_008, 30_000_000)])
        == [0, 10_000_000, 20_000_000, 30_000_000])
    #expect(times([(5, 0), (5, 8_000_000), (5, 16_000_000)]) == [0, 8_000_000, 16_000_000])
    #expect(times([(0, 0), (9_000_000, 8_000_000)]) == [0, 8_000_000])
  }

  @Test func `a clock that stood still in a pause is used after it`() {
    let measured = times([(0, 0), (8000, 8_000_000), (16000, 400_000_000), (24000, 412_000_000)])
    #expect(measured == [0, 8_000_000, 400_000_000, 408_000_000])
  }

  @Test(arguments: [(0.44, 18.2), (0.594, 16), (1.23, 6.5), (2, 8)])
  func `a clock that counts reports instead of time is not used`(rate: Double, period: Double) {
    let reports = reports(3000, rate: rate, period: period, delay: 2)
    let errors = zip(steps(times(reports)), steps(reports.map(\.kernel))).map { abs($0 - $1) }
    // One step may look like a delay.
    #expect(errors.max() ?? 0 < 9 * Self.milli)
    #expect(errors.dropFirst(200).max() == 0)
  }

  @Test func `a clock that is not used is not used after a pause either`() {
    let first = reports(200, rate: 0.594, period: 16)
    let second = first.map { Report(stamp: $0.stamp, kernel: $0.kernel + 10_000 * Self.milli) }
    #expect(times(first + second).suffix(200) == second.map(\.kernel)[...])
  }

  @Test(arguments: [0.97, 0.985, 1.015, 1.03], [0, 4, 8] as [Int64])
  func `a clock that is a little off causes neither jumps nor lag`(rate: Double, delay: Int64) {
    let reports = reports(7500, rate: rate, delay: delay)
    let measured = times(reports)
    #expect(steps(measured).min() ?? 0 > 0)
    #expect(steps(measured).max() ?? 0 < 20 * Self.milli)
    let lags = zip(reports, measured).map { $0.measured - $1 }
    #expect(lags.max() ?? 0 < 10 * Self.milli)
  }

  @Test(arguments: [0.985, 0.9995, 1, 1.0005, 1.015])
  func `once the rate is measured, the delays of the bus do not show`(rate: Double) {
    let steps = steps(times(reports(7500, rate: rate, delay: 8)))
    #expect(steps.dropFirst(200).map { abs($0 - 8 * Self.milli) }.max() ?? 0 < Self.milli)
  }

  @Test func `a report that is very late gets its own time once the rate is measured`() {
    var reports = reports(500, delay: 1)
    for index in 450..<458 { reports[index].kernel = reports[450].measured + 60 * Self.milli }
    let errors = zip(times(reports), reports).map { abs($0 - $1.measured) }
    #expect(errors.max() ?? 0 < Self.milli)
  }

  @Test func `drift between the clocks is corrected`() {
    // The device runs 200 ppm slow, which would be 12 ms after a minute.
    let reports = (0..<6000).map { (UInt32($0 * 9998), Int64($0) * 10_000_000) }
    let last = times(reports).last ?? 0
    #expect(abs(last - 5999 * 10_000_000) < 100_000)
  }

  @Test(arguments: 0..<50) func `time never runs ahead of the kernel, whatever is reported`(
    seed: Int
  ) {
    var random = SeededRandom(seed: UInt64(seed))
    var clock = DeviceClock()
    var kernel: Int64 = 0
    for _ in 0..<200 {
      kernel += Int64.random(in: -5_000_000...50_000_000, using: &random)
      let time = clock.time(.random(in: 0 ... .max, using: &random), at: kernel)
      #expect(time <= kernel && kernel - time <= 100_000_000, "seed \(seed)")
    }
  }
}
