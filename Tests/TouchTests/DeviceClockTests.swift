import SyntheticHand
import Testing

@testable import Touch

@Suite struct DeviceClockTests {
  private func times(_ reports: [(stamp: UInt32, kernel: Int64)]) -> [Int64] {
    var clock = DeviceClock()
    return reports.map { clock.time($0.stamp, at: $0.kernel) }
  }

  @Test func `reports that the bus made late are put where the device measured them`() {
    let milli: Int64 = 1_000_000
    let stamps: [UInt32] = [1000, 11000, 21000, 31000]
    let late: [Int64] = [100, 113, 120, 139]
    let measured = times(zip(stamps, late).map { ($0, $1 * milli) })
    for (index, time) in measured.enumerated() {
      #expect(abs(time - (100 + 10 * Int64(index)) * milli) < milli / 10, "\(index)")
      #expect(time <= late[index] * milli)
    }
  }

  @Test func `a clock that wraps goes on`() {
    let measured = times([(UInt32.max - 4999, 0), (5000, 10_000_000), (15000, 20_000_000)])
    #expect(measured == [0, 10_000_000, 20_000_000])
  }

  @Test func `a clock that starts anew, stands still or runs away is not used`() {
    #expect(
      times([(900_000, 0), (910_000, 10_000_000), (8, 20_000_000), (10_008, 30_000_000)])
        == [0, 10_000_000, 20_000_000, 30_000_000])
    #expect(times([(5, 0), (5, 8_000_000), (5, 16_000_000)]) == [0, 8_000_000, 16_000_000])
    #expect(times([(0, 0), (9_000_000, 8_000_000)]) == [0, 8_000_000])
    // Slower by half: each time the distance is too large it begins anew.
    let slow = times((0..<100).map { (UInt32($0 * 5000), Int64($0) * 10_000_000) })
    #expect(zip(slow, 0...).allSatisfy { Int64($1) * 10_000_000 - $0 <= 100_000_000 })
  }

  @Test func `drift between the clocks is followed`() {
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
