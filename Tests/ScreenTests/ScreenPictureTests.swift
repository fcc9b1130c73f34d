import Configuration
import PNG
import ScreenFixtures
import Screen
import Testing

/// Pictures of any content that a theme names.
@Suite struct ScreenPictureTests {
  /// Why a logo with this content is refused.
  func refusals(_ bytes: [UInt8]) throws -> [String] {
    let configuration = try ThemeFixtures.configuration("[theme]\nlogo = /logo.png")
    return ThemeValidator(configuration) { _, _ in bytes }.problems.map { $0.text }
  }

  /// Eight bits of grey.
  func sound(width: Int = 64, height: Int = 48) throws -> [UInt8] {
    try PNGFile.encode(
      [UInt8](repeating: 90, count: width * height).span.bytes,
      as: PNGHeader(width: width, height: height, pixels: .grey))
  }

  @Test func `a logo of any kind of PNG is accepted`() throws {
    #expect(try refusals(ThemeFixtures.logo(0x112233)).isEmpty)
    #expect(try refusals(ThemeFixtures.landscape(width: 40, height: 30)).isEmpty)
    #expect(try refusals(sound()).isEmpty)
  }

  @Test(arguments: ["logo", "picture"])
  func `a file that cannot be read is refused with its path and the reason`(_ key: String) throws {
    let configuration = try ThemeFixtures.configuration("[theme]\n\(key) = /a.png")
    let problems = ThemeValidator(configuration) { (_, _) throws(PictureReadError) in
      throw PictureReadError("cannot be read: Input/output error")
    }.problems
    #expect(
      problems.map { $0.text } == [
        "f:2: [theme] \(key): /a.png: cannot be read: Input/output error"
      ])
  }

  @Test func `a file that is not a PNG, or a damaged one, is refused with the reason`() throws {
    #expect(
      try refusals(Array("GIF89a: a logo of long ago".utf8)) == [
        "f:2: [theme] logo: /logo.png: not a PNG"
      ])
    #expect(try refusals([]) == ["f:2: [theme] logo: /logo.png: not a PNG"])
    let whole = try sound()
    #expect(
      try refusals(Array(whole.dropLast(40))) == [
        "f:2: [theme] logo: /logo.png: damaged PNG: the file ends too early"
      ])
    var wrong = whole
    wrong[wrong.count - 13] ^= 0x10
    #expect(
      try refusals(wrong) == ["f:2: [theme] logo: /logo.png: damaged PNG: IDAT: CRC error"])
  }

  @Test func `every length of a truncated file is refused`() throws {
    let whole = try sound(width: 9, height: 7)
    for length in 0..<whole.count {
      #expect(try refusals(Array(whole.prefix(length))).count == 1, "after \(length) bytes")
    }
  }

  /// A header of a picture of any size, and nothing behind it: what is allocated must not follow it.
  func header(width: UInt32, height: UInt32, interlaced: Bool = false) throws -> [UInt8] {
    var file = try sound()
    func put(_ value: UInt32, _ place: Int) {
      for (byte, shift) in [24, 16, 8, 0].enumerated() {
        file[place + byte] = UInt8(truncatingIfNeeded: value >> UInt32(shift))
      }
    }
    put(width, 16)
    put(height, 20)
    file[28] = interlaced ? 1 : 0
    put(checksum(file[12..<29]), 29)
    return file
  }

  /// CRC-32 as PNG has it (ISO 3309), bit by bit.
  func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  @Test func `a picture that would not fit into memory is refused by its header`() throws {
    #expect(
      try refusals(header(width: 100_000, height: 100_000)) == [
        "f:2: [theme] logo: /logo.png: a PNG of 100000×100000 pixels is too large; the limit is"
          + " 8388608 pixels"
      ])
    #expect(
      try refusals(header(width: 2000, height: 1100, interlaced: true)) == [
        "f:2: [theme] logo: /logo.png: a PNG of 2000×1100 pixels is too large; the limit is 2097152"
          + " pixels of an interlaced PNG"
      ])
    #expect(
      try refusals(header(width: 0, height: 5)) == [
        "f:2: [theme] logo: /logo.png: damaged PNG: Invalid IHDR data"
      ])
  }
}
