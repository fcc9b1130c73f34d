import CLinux
import Linux
import Testing

@testable import Display

@Suite struct CardOutputTests {
  private func event(_ type: UInt32, serial: UInt64, _ words: [UInt32], length: UInt32 = 32)
    -> [UInt8]
  {
    let all: [UInt32] =
      [type, length, UInt32(truncatingIfNeeded: serial), UInt32(serial >> 32)] + words
    return all.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private func events(_ bytes: [UInt8]) -> [FlipEvent] {
    var all: [FlipEvent] = []
    FlipEvent.all(in: bytes.span.bytes) { all.append($0) }
    return all
  }

  @Test func `flips are read, and vblanks are skipped`() {
    let bytes =
      event(1, serial: 1, [0, 0, 0, 0]) + event(2, serial: 7 << 32 | 9, [12, 345_678, 99, 40])
    #expect(
      events(bytes) == [FlipEvent(serial: 7 << 32 | 9, time: 12_345_678_000, sequence: 99)])
  }

  @Test func `an impossible length ends the reading`() {
    let whole = event(2, serial: 1, [1, 0, 1, 0])
    #expect(events(whole + event(2, serial: 2, [1, 0, 2, 0], length: 0)).count == 1)
    #expect(events(whole + event(2, serial: 2, [1, 0, 2, 0], length: 900)).count == 1)
    #expect(events(Array(whole.dropLast())).isEmpty)
    #expect(events([]).isEmpty)
  }

  @Test(arguments: [EINVAL, EBUSY, EIO, EACCES])
  func `a temporary failure does not end the queries`(number: Int32) {
    #expect(CardOutput.mayHaveVblanks(after: Errno(number)))
  }

  @Test(arguments: [EOPNOTSUPP, ENOTTY])
  func `a driver without vblanks is not queried again`(number: Int32) {
    #expect(!CardOutput.mayHaveVblanks(after: Errno(number)))
  }
}
