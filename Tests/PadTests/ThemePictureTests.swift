import CLinux
import Configuration
import Ink
import Linux
import PNG
import Raster
import SpoolFixtures
import Testing

@testable import Pad

/// Pictures that somebody put into the configuration.
@Suite struct ThemePictureTests {
  let folder = TemporaryFolder()

  func write(_ bytes: [UInt8], _ name: String = "logo.png") throws -> String {
    let path = folder.path + "/" + name
    try ThemeFixtures.write(bytes, to: path)
    return path
  }

  func refusals(_ path: String, key: String = "logo") throws -> [String] {
    ThemeExamination(try ThemeFixtures.configuration("[theme]\n\(key) = \(path)")).problems.lines
  }

  /// Eight bits of grey.
  func sound(width: Int = 64, height: Int = 48) throws -> [UInt8] {
    try PNGFile.encode(
      [UInt8](repeating: 90, count: width * height).span.bytes,
      as: PNGHeader(width: width, height: height, pixels: .grey))
  }

  @Test func `a logo of any kind of PNG is taken`() throws {
    #expect(try refusals(write(ThemeFixtures.logo(0x112233))).isEmpty)
    #expect(try refusals(write(ThemeFixtures.landscape(width: 40, height: 30))).isEmpty)
    #expect(try refusals(write(sound())).isEmpty)
  }

  @Test(arguments: ["logo", "picture"])
  func `what is not there, or cannot be read, is refused`(_ key: String) throws {
    #expect(
      try refusals("/nowhere/a.png", key: key) == [
        "f:2: [theme] \(key): /nowhere/a.png: cannot be read: No such file or directory"
      ])
    #expect(
      try refusals(folder.path, key: key) == [
        "f:2: [theme] \(key): \(folder.path): cannot be read: Is a directory"
      ])
  }

  @Test func `what is no PNG, or none any more, is refused with the reason`() throws {
    let path = try write(Array("GIF89a: a logo of long ago".utf8))
    #expect(try refusals(path) == ["f:2: [theme] logo: \(path): not a PNG"])
    _ = try write([])
    #expect(try refusals(path) == ["f:2: [theme] logo: \(path): not a PNG"])
    let whole = try sound()
    _ = try write(Array(whole.dropLast(40)))
    #expect(
      try refusals(path) == [
        "f:2: [theme] logo: \(path): damaged PNG: the file ends too early"
      ])
    var wrong = whole
    wrong[wrong.count - 13] ^= 0x10
    _ = try write(wrong)
    #expect(try refusals(path) == ["f:2: [theme] logo: \(path): damaged PNG: IDAT: CRC error"])
  }

  @Test func `every length of a truncated file is refused`() throws {
    let whole = try sound(width: 9, height: 7)
    for length in 0..<whole.count {
      let path = try write(Array(whole.prefix(length)))
      #expect(try refusals(path).count == 1, "after \(length) bytes")
    }
  }

  @Test func `a device that never ends, and a pipe that never begins, are not waited for`() throws {
    #expect(
      try refusals("/dev/zero") == ["f:2: [theme] logo: /dev/zero: is larger than 8 MiB"])
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(try refusals(pipe) == ["f:2: [theme] logo: \(pipe): not a PNG"])
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
    let path = try write(header(width: 100_000, height: 100_000))
    #expect(
      try refusals(path) == [
        "f:2: [theme] logo: \(path): a PNG of 100000×100000 pixels is too large: 8388608 pixels are"
          + " read"
      ])
    _ = try write(header(width: 2000, height: 1100, interlaced: true))
    #expect(
      try refusals(path) == [
        "f:2: [theme] logo: \(path): a PNG of 2000×1100 pixels is too large: 2097152 pixels are read"
          + " of an interlaced one"
      ])
    _ = try write(header(width: 0, height: 5))
    #expect(
      try refusals(path) == [
        "f:2: [theme] logo: \(path): damaged PNG: Invalid IHDR data"
      ])
  }

  @Test func `both pictures, a place and a width are told at once`() throws {
    let lines = ThemeExamination(
      try ThemeFixtures.configuration(
        """
        [display]
        size = 71x53
        [ink]
        model = polyline
        width = 1 2
        [theme]
        logo = /nowhere/a.png
        picture = /nowhere/b.png
        button-height = 40
        """)
    ).problems.lines
    #expect(lines.count == 4)
  }
}
